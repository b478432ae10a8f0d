import type { BankProfile, StatementFormat } from '@vezne/bank-formats'
import type { Said } from '../../../platform/refusal.ts'

/** Formats of one family describe the same bookings; those of two families number and word them differently. */
export const FAMILY: Record<StatementFormat, 'camt' | 'MT' | 'table'> = {
  'camt.052': 'camt',
  'camt.053': 'camt',
  'camt.054': 'camt',
  mt940: 'MT',
  mt942: 'MT',
  csv: 'table',
  xlsx: 'table',
}

/** Statements of whole days with their balances. The others are reports during the day. */
export const FINAL_FORMATS: readonly StatementFormat[] = ['camt.053', 'mt940', 'csv', 'xlsx']

export function isFinal(format: StatementFormat): boolean {
  return FINAL_FORMATS.includes(format)
}

/** Statements that the bank makes of whole days. A table may be an export of some lines. */
export const COMPLETE_FORMATS: readonly StatementFormat[] = ['camt.053', 'mt940']

export type Check =
  | 'account'
  | 'source'
  | 'currency'
  | 'future'
  | 'totals'
  | 'first'
  | 'opening'
  | 'closing'
  | 'closed'
  | 'gap'
  | 'overlap'
  | 'format'
  | 'api'
  | 'proof'

/**
 * What a check found. `refused`: cannot be imported. `problem`: only if a person accepts it with a reason.
 * `note`: for information. `missing`: stored lines that are not in the file. `found`: those that are there with another number or day.
 * `atImport`: found while its lines were booked, so the preview does not have it.
 */
export type Finding = {
  severity: 'refused' | 'problem' | 'note'
  /** Which check found it, where a page names that. */
  check?: Check
  what: Said
  missing?: string[]
  found?: string[]
  atImport?: true
}

/** `storing`: the original is being kept. `importing`: its lines are being booked, or will be by a worker. */
type FileState = 'storing' | 'importing' | 'imported' | 'undone'

export type StatementFile = {
  id: string
  connection: string
  name: string
  sha256: string
  size: number
  format: StatementFormat
  profile: BankProfile | null
  accountIban: string | null
  state: FileState
  checks: Finding[]
  acceptedWhy: string | null
  /** Null until it is imported. */
  lines: number | null
  pending: number | null
  unread: number | null
  createdBy: string
  createdAt: Date
  importedAt: Date | null
  undoneBy: string | null
  undoneAt: Date | null
  undoneWhy: string | null
  /** Of the new lines that two people approved; null where one is enough. */
  approvedSha256: string | null
  /** The line at which the import stopped, because they had not seen it as new. */
  stoppedWhy: string | null
}

/** What one statement of a file says of an account. Days are yyyy-mm-dd, both included. */
export type ImportedStatement = {
  fileId: string
  number: number
  collectingAccountId: string
  format: StatementFormat
  bankId: string | null
  fromDay: string
  toDay: string
  opening: bigint | null
  closing: bigint | null
  lines: number
  credits: bigint
  debits: bigint
}
