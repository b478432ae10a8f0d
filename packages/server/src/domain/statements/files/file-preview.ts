import type { BankProfile, StatementFormat } from '@vezne/bank-formats'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import type { Judged } from '../entered/replace-entered.ts'
import type { NotBooked } from '../import-lines.ts'
import { isInChain } from './check-statement.ts'
import type { Added } from './count-lines.ts'
import { fingerprint } from './keep-content.ts'
import type { FileContent } from './open-file.ts'
import type { ReadStatement } from './read-in-parts.ts'
import type { Finding, StatementFile } from './statement-file.ts'
import { findBySha } from './store.ts'

/** What an import would do. `unread` lines are kept for a person; `pending` ones come again when they are booked. */
export type FilePreview = {
  name: string
  sha256: string
  size: number
  format: StatementFormat | null
  profile: BankProfile | null
  connection: string | null
  statements: PreviewedStatement[]
  findings: Finding[]
  counts: { lines: number; new: number; known: number; suspected: number; unread: number; pending: number }
  /** The money of new lines, by the IBAN of the account. */
  added: Record<string, Added>
  /** The first of the new lines, as they would be booked. */
  newLines: Judged[]
  /** All of them, as hashes. */
  newKeys: Buffer
  /** The first of those that would be kept for a person, and why. */
  unreadLines: NotBooked[]
  /** The same content, imported before or being imported. */
  already: StatementFile | null
}

export type CheckedFile = Omit<FilePreview, 'counts' | 'added' | 'newLines' | 'newKeys' | 'unreadLines'>

/** Before any of it is read. */
export async function newPreview({ db }: { db: Queryable }, content: FileContent): Promise<FilePreview> {
  const { sha256, size } = await fingerprint(content)
  const already = (await findBySha(db, sha256)) ?? null
  const counts = { lines: 0, new: 0, known: 0, suspected: 0, unread: 0, pending: 0 }
  const unknown = { format: null, profile: null, connection: null, statements: [], findings: [] }
  return {
    name: content.name,
    sha256,
    size,
    ...unknown,
    counts,
    added: {},
    newLines: [],
    newKeys: Buffer.alloc(0),
    unreadLines: [],
    already,
  }
}

type PreviewedStatement = Omit<ReadStatement, 'days' | 'head' | 'foot'> & {
  format: StatementFormat
  bankId: string | null
  /** Null for a statement of an account that is not ours. */
  account: CollectingAccount | null
  opening: bigint | null
  closing: bigint | null
  /** A file with the same days, lines and balances was imported. */
  isStored: boolean
  /** Its opening was compared with the closing before. */
  isCompared: boolean
}

export function previewOf(
  { days: _, head, foot, ...sums }: ReadStatement,
  account: CollectingAccount | null,
  isStored: boolean,
): PreviewedStatement {
  const { format, id: bankId, opening } = head
  const closing = foot.closing?.amount ?? null
  const balances = { opening: opening?.amount ?? null, closing }
  return { ...sums, format, bankId, account, ...balances, isStored, isCompared: isInChain(head) }
}
