import type { StatementFormat } from '@vezne/bank-formats'
import type { CollectingAccount } from '../../banks/index.ts'
import type { ReadStatement } from './read-in-parts.ts'

export type PreviewedStatement = Omit<ReadStatement, 'days' | 'head' | 'foot'> & {
  format: StatementFormat
  bankId: string | null
  /** Null for a statement of an account that is not ours. */
  account: CollectingAccount | null
  opening: bigint | null
  closing: bigint | null
  /** A file with the same days, lines and balances was imported. */
  isStored: boolean
}

export function previewOf(
  { days: _, head, foot, ...sums }: ReadStatement,
  account: CollectingAccount | null,
  isStored: boolean,
): PreviewedStatement {
  const { format, id: bankId, opening } = head
  const closing = foot.closing?.amount ?? null
  return { ...sums, format, bankId, account, opening: opening?.amount ?? null, closing, isStored }
}
