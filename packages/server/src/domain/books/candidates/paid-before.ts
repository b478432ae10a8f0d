import { sameName } from '../../../kernel/fold.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { bookedUntil } from '../../matching/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { matchedCredits } from '../../statements/index.ts'

const WINDOW_MS = 48 * 3_600_000
const MAX_READ = 200

/** Deposits that the sender of a credit has paid shortly before, with its amount on its account, and the lines that paid them. */
export async function depositsPaidBefore(db: Queryable, line: StoredLine): Promise<Map<string, string[]>> {
  const from = new Date(line.bookedAt.getTime() - WINDOW_MS)
  const found = await matchedCredits(db, { ...line, from, to: bookedUntil(line) }, MAX_READ)
  const lines = new Map(found.filter((one) => isOfSender(one, line)).map((one) => [one.id, one]))
  const paid = [...lines.values()].flatMap(({ id, depositId }) => (depositId === null ? [] : [{ id, depositId }]))
  const ofDeposits = Map.groupBy(paid, ({ depositId }) => depositId)
  return new Map([...ofDeposits].map(([depositId, its]) => [depositId, its.map(({ id }) => id)]))
}

function isOfSender(one: StoredLine, { senderIban, senderName }: StoredLine): boolean {
  const iban = normaliseIban(senderIban ?? '')
  return (iban !== '' && normaliseIban(one.senderIban ?? '') === iban) || sameName(one.senderName, senderName)
}
