import { PROPOSAL_WORDS } from '../../web/console/proposals/words.ts'
import type { Codes } from '../../web/console/codes/codes.ts'
import { worded } from '../../web/console/codes/codes.ts'
import { timeOfDay } from '../../web/console/settlement/settlement-parts.ts'
import { SETTLEMENT_WORDS } from '../../web/console/settlement/words.ts'
import type { Language } from '../../web/console/site.ts'
import { SETTLEMENT_CARD_WORDS } from '../merchants/settlement-card.ts'

/** Fields that a decision changes, beside those of settings. Others are shown as the API names them. */
const FIELDS: Record<Language, Record<string, string>> = {
  tr: {
    state: 'durum',
    status: 'durum',
    approvedBy: 'onaylayanlar',
    number: 'kişinin kaçıncı kararı',
    verdict: 'görüş',
    isAgreed: 'iki kişi aynı görüşte',
    reason: 'neden',
    kind: 'tür',
    outcome: 'sonuç',
    found: 'karar',
    amount: 'tutar',
    currency: 'para birimi',
    roles: 'roller',
    role: 'rol',
    invited: 'davet edildi',
    disabled: 'devre dışı',
    revoked: 'iptal edildi',
    frozen: 'dondurulmuş',
    figures: 'rakamların parmak izi',
    lines: 'satırlar',
    name: 'ad',
    sent: 'gönderildi',
    target: 'neyin',
    rows: 'değerler',
    merchantId: 'satıcı',
    depositId: 'yatırım',
    withdrawalId: 'çekim',
    lineId: 'satır',
    loginId: 'kullanıcı',
    reverses: 'geri alınan kayıt',
    accounts: 'hesaplar',
    endpoints: 'callback adresleri',
    on: 'açık',
    sha256: 'dosyanın özeti',
    actor: 'kim',
    action: 'karar',
    subject: 'konu',
    since: 'başlangıç',
    until: 'bitiş',
    allowedNetworks: 'izinli adresler',
    demo: 'deneme satıcısı',
    keys: 'API anahtarı',
    brand: 'marka',
    max_open_deposits: 'aynı anda açık yatırım',
    eft_deadline: 'EFT süresi (saat)',
    refunds_charged: 'iadeden komisyon',
    return_origins: 'dönüş adresleri',
    every: 'sıklık',
    weekday: 'gün',
    minute: 'saat',
    minimum: 'en az tutar',
    label: 'geçiş anahtarının adı',
    recoveryCodes: 'yeni kurtarma kodu',
    isNew: 'ilk giriş',
    isReplaced: 'önceki uygulamanın yerine',
    notLines: 'ilgisiz olduğu söylenen satırlar',
  },
  en: {
    approvedBy: 'approved by',
    number: 'decision of the person, by number',
    isAgreed: 'two people agree',
    merchantId: 'merchant',
    depositId: 'deposit',
    withdrawalId: 'withdrawal',
    lineId: 'line',
    loginId: 'user',
    sha256: 'hash of the file',
    allowedNetworks: 'allowed addresses',
    demo: 'demo merchant',
    keys: 'API key',
    max_open_deposits: 'open deposits at a time',
    eft_deadline: 'time for EFT (hours)',
    refunds_charged: 'fee on refunds',
    return_origins: 'return addresses',
    every: 'how often',
    weekday: 'day',
    minute: 'time',
    label: 'name of the passkey',
    recoveryCodes: 'new recovery codes',
    isNew: 'first login',
    isReplaced: 'replaces an earlier app',
    notLines: 'lines said to be unrelated',
  },
}

/** States of what has no list of its own, and yes and no. */
const VALUES: Record<Language, Record<string, string>> = {
  tr: {
    true: 'evet',
    false: 'hayır',
    open: 'açık',
    closed: 'kapalı',
    proposed: 'öneri',
    posted: 'deftere geçti',
    approved: 'onaylandı',
    applied: 'uygulandı',
    withdrawn: 'geri çekildi',
    undone: 'geri alındı',
    imported: 'aktarıldı',
    booked: 'deftere geçti',
    released: 'başlatıldı',
    cancelling: 'iptal ediliyor',
    enabled: 'açık',
    active: 'açık',
    paused: 'duraklatıldı',
    draining: 'yeni yatırım almıyor',
    blocked: 'bloke',
    rotated: 'yenilendi',
    credited: 'satıcıya geri verildi',
    reopened: 'yeniden askıda',
    noted: 'kaydedildi',
  },
  en: { true: 'yes', false: 'no', open: 'open' },
}

/** Of a path the longest end that has a name. */
export function fieldName(language: Language, path: string): string {
  const words = { ...PROPOSAL_WORDS[language].fields, ...FIELDS[language] }
  const parts = path.split('.')
  const ends = parts.map((_, at) => parts.slice(at).join('.'))
  return ends.map((end) => words[end]).find((word) => word !== undefined) ?? ends.at(-1) ?? path
}

/** Of a schedule of settlements, whose codes mean something else elsewhere; null for another field. */
export function scheduleWord(language: Language, field: string, value: unknown): string | null {
  if (field === 'every') return worded(SETTLEMENT_CARD_WORDS[language].every, String(value))
  if (typeof value !== 'number') return null
  if (field === 'weekday') return SETTLEMENT_WORDS[language].weekdays[value - 1] ?? null
  return field === 'minute' ? timeOfDay(value) : null
}

/** A code in words; what is no code stays as it is. */
export function valueWord(language: Language, codes: Codes, value: string): string {
  const { statuses, withdrawalStates, verdicts, callOutcomes, journal, roles, lineReasons, actions } = codes
  const known = { ...lineReasons, ...callOutcomes, ...verdicts, ...journal, ...withdrawalStates, ...statuses }
  const { kinds, values } = PROPOSAL_WORDS[language]
  return worded({ ...known, ...roles, ...actions, ...kinds, ...values, ...VALUES[language] }, value)
}
