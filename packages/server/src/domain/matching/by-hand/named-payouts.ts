import type { Queryable } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { awaitingDebit } from '../../withdrawals/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { payoutReferences } from '../../statements/index.ts'

/** The payouts that a debit names and that lack theirs, if they are several: it may be the debit of all of them. */
export async function severalNamed(db: Queryable, { direction, narrative }: StoredLine): Promise<string[]> {
  const references = direction === 'debit' ? payoutReferences(narrative) : []
  const named = references.length < 2 ? [] : await awaitingDebit(db, references)
  return named.length < 2 ? [] : named.map(({ withdrawalId }) => withdrawalId)
}

/** One of those that it names has its whole amount; of any other payout it is not the debit. */
export async function mustNameIt(db: Queryable, line: StoredLine, withdrawalId: string): Promise<void> {
  const ids = await severalNamed(db, line)
  if (ids.length === 0 || ids.includes(withdrawalId)) return
  throw refuse('debit_names_others', { line: line.id, withdrawal: withdrawalId, named: ids })
}

/** Dismissed, all of them would lack their debit: two people say of each that it is not its debit. Returns them. */
export async function mustNotBeOfSeveral(
  db: Queryable,
  line: StoredLine,
  notPayouts: readonly string[],
): Promise<string[]> {
  const ids = await severalNamed(db, line)
  if (ids.every((id) => notPayouts.includes(id))) return ids
  throw refuse('debit_names_several', { line: line.id, named: ids })
}
