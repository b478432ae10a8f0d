import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import { partByMark } from '../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { rowsOf } from '../../platform/postgres/rows.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import { sql } from '../../platform/postgres/sql.ts'
import type { StoredLine } from './bank-line.ts'
import { changeLines, queryLines, selectLines } from './store.ts'

type Facts = Pick<
  StoredLine,
  'id' | 'collectingAccountId' | 'amount' | 'currency' | 'direction' | 'senderName' | 'senderIban' | 'narrative'
>

const nameOf = ({ id }: Facts) => ownerOf('bank_lines', [id])

/** Where the money is, how much, whose, and for what. People may move the date of a line that they entered. */
function saidOf({ collectingAccountId, amount, currency, direction, senderName, senderIban, narrative }: Facts) {
  return { collectingAccountId, amount: String(amount), currency, direction, senderName, senderIban, narrative }
}

export const markOfLine = (marks: Marks, line: Facts): Promise<string> => marks.of(nameOf(line), saidOf(line))

/** No money follows a line that someone else has written, or changed. */
export async function mustBeGenuine(app: { marks: Marks }, db: Queryable, lines: StoredLine[]): Promise<void> {
  const [forged] = await forgedAmong(app, db, lines)
  if (forged) throw refuse('line_forged', { line: forged.id })
}

async function forgedAmong({ marks }: { marks: Marks }, db: Queryable, lines: StoredLine[]): Promise<StoredLine[]> {
  if (lines.length === 0) return []
  const ids = lines.map(({ id }) => id)
  const rows = await queryLines<{ id: string; mark: string }>(
    db,
    sql`l.id, l.mark`,
    sql`where l.id = any(${ids}::text[])`,
  )
  const stored = new Map(rows.map(({ id, mark }) => [id, mark]))
  const { forged } = await partByMark(marks, lines, (line) => {
    return { name: nameOf(line), says: saidOf(line), mark: stored.get(line.id) ?? null }
  })
  return forged
}

/** Among the newest lines. */
export async function forgedLines(app: { marks: Marks; db: Queryable }, limit: number): Promise<string[]> {
  const newest = await selectLines(app.db, sql`order by l.id desc limit ${limit}`)
  return (await forgedAmong(app, app.db, newest)).map(({ id }) => id)
}

const PAGE = 1000

/** For a new key: every line is taken as it is. */
export async function markLines(tx: Tx, marks: Marks): Promise<void> {
  for (let after = ''; ;) {
    const lines = await selectLines(tx, sql`where l.id > ${after} order by l.id limit ${PAGE}`)
    const marked = await Promise.all(lines.map(async (line) => ({ id: line.id, mark: await markOfLine(marks, line) })))
    const rows = rowsOf('m', marked, { id: 'text', mark: 'text' })
    await changeLines(tx, sql`set mark = m.mark from ${rows} where l.id = m.id`)
    if (lines.length < PAGE) return
    after = lines.at(-1)?.id ?? ''
  }
}
