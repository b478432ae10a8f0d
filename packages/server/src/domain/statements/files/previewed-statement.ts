import type { StatementFormat } from '@vezne/bank-formats'
import type { CollectingAccount } from '../../banks/index.ts'
import { isInChain } from './check-statement.ts'
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
