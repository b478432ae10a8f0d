import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import { partByMark } from '../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../platform/postgres/db.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import type { StoredLine } from './bank-line.ts'
import { linesAfter, marksOfLines, newestLines, updateLineMarks } from './store.ts'

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
  const rows = await marksOfLines(db, ids)
  const stored = new Map(rows.map(({ id, mark }) => [id, mark]))
  const { forged } = await partByMark(marks, lines, (line) => {
    return { name: nameOf(line), says: saidOf(line), mark: stored.get(line.id) ?? null }
  })
  return forged
}

/** Among the newest lines. */
export async function forgedLines(app: { marks: Marks; db: Queryable }, limit: number): Promise<string[]> {
  return (await forgedAmong(app, app.db, await newestLines(app.db, limit))).map(({ id }) => id)
}

const PAGE = 1000

/** For a new key: every line is taken as it is. */
export async function markLines(tx: Tx, marks: Marks): Promise<void> {
  for (let after = ''; ;) {
    const lines = await linesAfter(tx, after, PAGE)
    const marked = lines.map(async (line) => ({ id: line.id, mark: await markOfLine(marks, line) }))
    await updateLineMarks(tx, await Promise.all(marked))
    if (lines.length < PAGE) return
    after = lines.at(-1)?.id ?? ''
  }
}
