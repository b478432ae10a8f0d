import { sameParty, senderOf } from '../../../kernel/party.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { bookedUntil } from '../../matching/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { matchedCredits } from '../../statements/index.ts'
import { NEAR_MS } from '../journal/windows.ts'

const MAX_READ = 200

/** Deposits that the sender of a credit has paid shortly before, with its amount on its account, and the lines that paid them. */
export async function depositsPaidBefore(db: Queryable, line: StoredLine): Promise<Map<string, string[]>> {
  const from = new Date(line.bookedAt.getTime() - NEAR_MS)
  const found = await matchedCredits(db, { ...line, from, to: bookedUntil(line) }, MAX_READ)
  const lines = new Map(found.filter((one) => sameParty(senderOf(one), senderOf(line))).map((one) => [one.id, one]))
  const paid = [...lines.values()].flatMap(({ id, depositId }) => (depositId === null ? [] : [{ id, depositId }]))
  const ofDeposits = Map.groupBy(paid, ({ depositId }) => depositId)
  return new Map([...ofDeposits].map(([depositId, its]) => [depositId, its.map(({ id }) => id)]))
}
