import { findLine, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { Names } from './advice.ts'
import type { Bank, ModelLine } from './bank-model.ts'
import type { World } from './world.ts'

type Row = { id: string; number: string; amount: bigint; iban: string; direction: string }

const keyOf = ({ number, amount, iban, direction }: Omit<Row, 'id'>) => `${iban} ${number} ${direction} ${amount}`

/** Which line of the service is which line of the bank: by account, number, direction and amount. */
export function namesOfLines(
  { app }: World,
  bank: Bank,
): Names & { read: () => Promise<void>; has: (line: ModelLine) => boolean; waiting: () => Promise<ModelLine[]> } {
  const ids = new Map<ModelLine, string>()
  const models = new Map<string, ModelLine>()
  let seen = 0

  async function read(): Promise<void> {
    const rows = await app.db.query<Row>(sql`
      select l.id, l.bank_reference as number, l.amount, a.iban, l.direction
      from bank_lines l join collecting_accounts a on a.id = l.collecting_account_id`)
    if (rows.length === seen) return
    seen = rows.length
    const known = new Map(bank.lines.map((line) => [keyOf(line), line]))
    for (const row of rows) {
      const line = known.get(keyOf(row))
      if (!line) throw new Error(`The service has a line that the bank never booked: ${keyOf(row)}`)
      ids.set(line, row.id)
      models.set(row.id, line)
    }
  }

  /** Those that people must look at. */
  async function waiting(): Promise<ModelLine[]> {
    const lines = [...(await listLines(app.db, 'needs_review', null)), ...(await listLines(app.db, 'suspense', null))]
    return lines.flatMap(({ id }) => models.get(id) ?? [])
  }

  const idOf = (line: ModelLine) => ids.get(line) ?? ''
  return {
    read,
    waiting,
    idOf,
    has: (line) => ids.has(line),
    modelOf: (id) => models.get(id),
    entryOf: async (line) => (await findLine(app.db, idOf(line)))?.journalId ?? null,
  }
}
