import type { Layout } from './csv-layouts.ts'
import { LAYOUTS } from './csv-layouts.ts'

export type CamtFormat = 'camt.052' | 'camt.053' | 'camt.054'
export type FileFormat = CamtFormat | 'mt940' | 'mt942' | Layout

export const FILE_FORMATS: FileFormat[] = [
  'camt.053',
  'camt.052',
  'camt.054',
  'mt940',
  'mt942',
  ...(Object.keys(LAYOUTS) as Layout[]),
]

/** Files of a part of a day, or of single bookings; the statement of the day follows. */
export function isInterim(format: FileFormat): boolean {
  return format === 'camt.052' || format === 'camt.054' || format === 'mt942'
}

export function showsBalances(format: FileFormat): boolean {
  return !isInterim(format) && format !== 'vakifbank'
}

export function isLayout(format: FileFormat): format is Layout {
  return Object.hasOwn(LAYOUTS, format)
}

export function extensionOf(format: FileFormat): string {
  return format.startsWith('camt') ? 'xml' : isLayout(format) ? 'csv' : 'sta'
}
