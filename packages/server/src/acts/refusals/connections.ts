import type { CONNECTIONS } from '../../kernel/refusals/connections.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

export const CONNECTIONS_SENTENCES: Sentences<typeof CONNECTIONS> = {
  connection_name_taken: {
    en: ({ connection }) => `There is already a connection ${connection}.`,
    tr: ({ connection }) => `${connection} adlı bir bağlantı zaten var.`,
    cli: ({ connection }) => `vezne connection show ${connection}`,
  },
  connection_name_wrong: {
    en: 'must be 1 to 40 lower-case letters, digits or hyphens, starting with a letter',
    tr: 'en çok 40 küçük harf, rakam veya tire olmalı; harfle başlamalı',
  },
  connection_name_not_manual: {
    en: ({ name }) => `must begin with manual- for a manual connection, such as manual-${name}`,
    tr: ({ name }) => `elle yürütülen bağlantıda manual- ile başlamalı, örneğin manual-${name}`,
  },
  connection_name_manual: {
    en: 'must not begin with manual, which is for manual connections only',
    tr: 'manual ile başlayamaz: bu, elle yürütülen bağlantılar içindir',
  },
  connection_of_environment: {
    en: ({ connection }) =>
      `Connection ${connection} cannot be changed here: its settings are in the environment of the service. Your system administrator can change them.`,
    tr: ({ connection }) =>
      `${connection} bağlantısı buradan değiştirilemez: ayarları sunucunun ortamında. Onları sistem yöneticisi değiştirir.`,
  },
  connection_setting_fixed: {
    en: ({ connection, kind }) => CHANGEABLE.en[kind](connection),
    tr: ({ connection, kind }) => CHANGEABLE.tr[kind](connection),
    cli: ({ kind }) => ({ http_api: '--url URL\n--key-file FILE', file_exchange: '--orders FILE', manual: '' })[kind],
  },
  connection_switched: {
    en: ({ connection, state }) => `Connection ${connection} is already ${state}.`,
    tr: ({ connection, state }) => `${connection} bağlantısı zaten ${durum(state)}.`,
    cli: ({ connection }) => `vezne connection show ${connection}`,
  },
  connection_key_unknown: {
    en: ({ connection }) =>
      `The key of connection ${connection} is not known here: only the workers have the address and the key of the bank in their settings. Tell your system administrator.`,
    tr: ({ connection }) =>
      `${connection} bağlantısının anahtarı burada bilinmiyor. Bankanın adresi ile anahtarı yalnızca iş süreçlerinin ayarlarında; sistem yöneticisine bildirin.`,
    cli: 'VEZNE_BANK_API_URL=… VEZNE_BANK_API_KEY=…',
  },
  test_amount_too_high: {
    en: ({ most, sent }) => `must be at most ${most} for all tests of one day together; ${sent} has already been sent`,
    tr: ({ most, sent }) => `bir günün denemelerinde toplam en çok ${most} olabilir; şimdiye kadar ${sent} gönderildi`,
  },

  bank_address_wrong: {
    en: 'must be an http(s) address without user name, password, query or fragment, because it is logged',
    tr: 'kullanıcı, parola, sorgu ve # bölümü olmayan bir http(s) adresi olmalı: adres günlüklere yazılır',
  },
  bank_address_not_https: {
    en: 'must be https: in live mode the key and the payouts are sent there',
    tr: 'https ile başlamalı: canlı ortamda bu adrese anahtar ve ödemeler gönderilir',
  },
  bank_key_missing: {
    en: 'is missing: the old key is only for the old address; a new address needs its own key',
    tr: 'eksik: eski anahtar yalnızca eski adres içindir, yeni adrese kendi anahtarı gerekir',
  },
  bank_key_wrong: {
    en: 'must be 1 to 4096 visible ASCII characters without spaces; check the file that it was read from',
    tr: 'en çok 4096 görünür ASCII karakter olmalı, boşluk olmamalı; okunduğu dosyaya bakın',
  },
  proposed_key_unopened: {
    en: 'The key in this proposal can no longer be decrypted. Reject it and propose it again.',
    tr: 'Bu önerideki anahtarın şifresi artık çözülemiyor. Reddedip yeniden önerin.',
  },

  folder_unusable: {
    en: ({ cause }) => `cannot be used: ${cause}`,
    tr: ({ cause }) => `kullanılamıyor: ${cause}`,
  },
  folder_taken: {
    en: ({ connection }) =>
      `is the folder of connection ${connection}, or one of the two is inside the other; choose another folder`,
    tr: ({ connection }) =>
      `${connection} bağlantısının klasörüyle aynı ya da biri diğerinin içinde; başka bir klasör seçin`,
  },
}

const CHANGEABLE = {
  en: {
    http_api: (name: string) => `Only the address and the key of connection ${name} can be changed.`,
    file_exchange: (name: string) =>
      `Only the layout of order files of connection ${name} can be changed. For another folder, add a connection.`,
    manual: (name: string) => `Connection ${name} is manual and has no settings to change.`,
  },
  tr: {
    http_api: (name: string) => `${name} bağlantısının yalnızca adresi ve anahtarı değiştirilebilir.`,
    file_exchange: (name: string) =>
      `${name} bağlantısının yalnızca talimat dosyalarının düzeni değiştirilebilir. Başka klasör için yeni bağlantı ekleyin.`,
    manual: (name: string) => `${name} bağlantısı elle yürütülür; değiştirilecek ayarı yok.`,
  },
}
