import type { IbanFault } from '../../kernel/iban.ts'
import type { AddressFault } from '../../platform/http-client/address-problem.ts'

/** What is wrong with an IBAN. */
export const IBAN_FAULTS: Record<'en' | 'tr', Record<IbanFault, (characters: number) => string>> = {
  en: {
    country: () => 'must be a Turkish IBAN, starting with TR',
    length: (characters) => `must have 26 characters, has ${characters}`,
    shape: () => 'must be TR, 7 digits, a 0, and 16 letters or digits',
    erased: () => 'is the marker of an erased IBAN; it names no account',
    check_digits: () => 'has wrong check digits: a character is mistyped or missing',
  },
  tr: {
    country: () => 'TR ile başlayan bir Türkiye IBAN’ı olmalı',
    length: (characters) => `26 karakter olmalı, ${characters} karakter var`,
    shape: () => 'TR, 7 rakam, bir 0 ve 16 harf veya rakam olmalı',
    erased: () => 'silinmiş bir IBAN’ın yerini tutuyor; bir hesap değil',
    check_digits: () => 'kontrol basamakları tutmuyor: bir karakter hatalı veya eksik',
  },
}

/** What is wrong with an address for callbacks. The platform says it in English. */
export const ADDRESS_FAULTS_TR: Record<AddressFault, (named: readonly string[]) => string> = {
  characters: () => 'boşluk, kontrol karakteri veya ters bölü içeremez',
  unreadable: () => 'geçerli bir web adresi değil',
  not_https: () => 'https ile başlamalı',
  not_http: () => 'http veya https ile başlamalı',
  without_host: () => '// sonrasında bir sunucu adı olmalı',
  with_login: () => 'kullanıcı adı veya parola içeremez',
  ends_with_dot: () => 'sunucu adı noktayla bitemez',
  name_not_public: ([host]) => `${host} herkese açık bir ad değil`,
  name_not_full: () => 'sunucu adı tam olmalı, örneğin hooks.example.com',
  address_not_public: ([address]) => `${address} herkese açık bir adres değil`,
  port: (ports) => `portu ${ports.slice(0, -1).join(', ')} veya ${ports.at(-1)} olmalı`,
}
