import { note } from '../../../kernel/refusals/note.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import { isManual } from '../../banks/index.ts'
import type { KeyedLine } from '../store.ts'
import type { Previous } from './check-statement.ts'
import { startOf } from './check-statement.ts'
import { selectNotShown } from './lines/store.ts'
import type { Previewed } from './nothing-new.ts'
import { hasNothingNew } from './nothing-new.ts'
import type { ReadStatement } from './read-in-parts.ts'
import type { Finding } from './statement-file.ts'
import { isFinal } from './statement-file.ts'
import { listFiles, selectBefore, selectOverlapping } from './store.ts'

/** The connections of this process. */
export type Kinds = readonly { name: string; kind: string }[]

/** Whether a second person approves the import in live: anyone can write a file whose balances fit. */
export function takesTwo(preview: Previewed): boolean {
  const { state = 'storing' } = preview.already ?? {}
  return state === 'storing' && !hasNothingNew(preview)
}

/** A connection that is not known, because it is disabled for example, counts as one whose lines come by themselves. */
function comesInFiles(connections: Kinds, name: string): boolean {
  return isManual(name) || connections.some((one) => one.name === name && one.kind !== 'http_api')
}

type Proving = { account: CollectingAccount; statement: ReadStatement; connection: string | null }

/** What says that nothing but the file itself shows that the bank made it. */
export async function proofFindings(
  { db, connections }: { db: Queryable; connections: Kinds },
  { account, statement, connection }: Proving,
  previous: Previous | undefined,
): Promise<Finding[]> {
  if (statement.lines === 0) return []
  const unproven = (what: Said): Finding => ({ severity: 'note', check: 'proof', what })
  const found: Finding[] = []
  const source = connection ?? account.connection
  if (source !== null && !comesInFiles(connections, source))
    found.push(unproven(note('finding_lines_come_alone', { account: account.iban, connection: source })))
  const { head, foot } = statement
  if (!head.opening || !foot.closing || !isFinal(head.format)) found.push(unproven(note('finding_no_balances')))
  else if (!(await fits(db, account.id, statement, previous)))
    found.push(unproven(note('finding_balances_not_continued')))
  return found
}

/** The first statement of an account has a finding of its own. */
async function fits(db: Queryable, accountId: string, statement: ReadStatement, previous: Previous | undefined) {
  const { head, foot, fromDay, toDay, credits, debits } = statement
  const [opening, closing] = [head.opening?.amount ?? 0n, foot.closing?.amount ?? 0n]
  if (fromDay === null || toDay === null || opening + credits - debits !== closing) return false
  const before = previous ?? (await selectBefore(db, accountId, fromDay))
  const overlapping = await selectOverlapping(db, { collectingAccountId: accountId, fromDay, toDay })
  const isFirst = !before && overlapping.length === 0 && !(head.page && head.page.number > 1)
  return (
    isFirst || ['again', 'next_part', 'after_last'].includes(startOf({ head, fromDay }, { before, overlapping }).kind)
  )
}

/** By then every connection has given the lines of the day. */
const SHOWN_WITHIN_MS = DAY_MS
/** The newest: older ones have been a finding before. */
const FILES = 500
const LINES = 100

/** Lines of imported files that the connection of their account should have given too, and has not. */
export async function notShownLines(app: { db: Queryable; clock: Clock; connections: Kinds }): Promise<KeyedLine[]> {
  const before = app.clock.now().getTime() - SHOWN_WITHIN_MS
  const files = (await listFiles(app.db, FILES)).filter(
    ({ connection, state, createdAt }) =>
      state === 'imported' && createdAt.getTime() < before && !comesInFiles(app.connections, connection),
  )
  if (files.length === 0) return []
  return selectNotShown(
    app.db,
    files.map(({ id }) => id),
    LINES,
  )
}
