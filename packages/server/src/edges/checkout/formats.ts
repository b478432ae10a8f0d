import { DAY_MS } from '../../platform/time/clock.ts'
import type { Language } from './view.ts'

const LOCALES = { tr: 'tr-TR', en: 'en-GB' }

/** "pazartesi günü"; with the date if it is a week or more ahead, because the weekday alone would be ambiguous. */
export function dayName(day: string, today: string, language: Language, todayWord: string): string {
  if (day === today) return todayWord
  const noon = new Date(`${day}T12:00:00Z`)
  const ahead = Math.round((noon.getTime() - new Date(`${today}T12:00:00Z`).getTime()) / DAY_MS)
  const weekday = noon.toLocaleDateString(LOCALES[language], { timeZone: 'UTC', weekday: 'long' })
  const name = language === 'tr' ? `${weekday.toLocaleLowerCase('tr')} günü` : weekday
  if (ahead < 7) return language === 'en' ? `on ${name}` : name
  const date = noon.toLocaleDateString(LOCALES[language], { timeZone: 'UTC', day: 'numeric', month: 'long' })
  return language === 'en' ? `on ${name} ${date}` : `${date} ${name}`
}

/** The format that banking apps accept: 1250,00. */
export function amountToCopy(amount: bigint): string {
  const digits = amount.toString().padStart(3, '0')
  return `${digits.slice(0, -2)},${digits.slice(-2)}`
}

/** TR33 0006 … in groups of four. */
export function ibanGroups(iban: string): string[] {
  return iban.match(/.{1,4}/g) ?? []
}
