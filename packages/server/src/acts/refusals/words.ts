import { TERMS } from './terms.ts'

/** 2026-11-19 as people write it. */
export function gun(day: string): string {
  return day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3.$2.$1')
}

/** A state in Turkish. */
export function durum(state: string): string {
  return Object.hasOwn(TERMS, state) ? (TERMS[state] as string) : state
}
