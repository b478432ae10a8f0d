import { formatMoney } from '../../kernel/money.ts'

type Language = 'tr' | 'en'

const TIME = { timeZone: 'Europe/Istanbul', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const
const MINUTE = {
  tr: new Intl.DateTimeFormat('tr-TR', { ...TIME, day: '2-digit', month: '2-digit' }),
  en: new Intl.DateTimeFormat('en-GB', { ...TIME, day: 'numeric', month: 'short' }),
}

/** 15.11.2026 14:32 or 15 Nov 2026, 14:32, Istanbul time. */
export function minuteIn(language: Language, date: Date): string {
  return MINUTE[language].format(date)
}

/** 1.250,00 TL or 1,250.00 TL. */
export function moneyIn(language: Language, amount: bigint, currency: string): string {
  const turkish = formatMoney(amount, currency)
  return language === 'tr' ? turkish : turkish.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'))
}
