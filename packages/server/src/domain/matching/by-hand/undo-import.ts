import type { Actor } from '../../../kernel/actor.ts'
import { actorName, isPerson } from '../../../kernel/actor.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { openAndPost, suspenseReversal } from '../../ledger/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorized } from '../../people/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { decideLines, finishUndo, freeKeys, lockFileToUndo, lockLinesOfFile } from '../../statements/index.ts'
import { decisionsOf, insertDecisions } from '../decisions/store.ts'
import { mustNameNoOpenPayout } from './dismiss-line.ts'
import { mustNotShowRefunded } from './shows-refunded.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids }

const PAGE = 500
const UNDONE = 'import_undone' as const

/**
 * Takes the lines of a file out of the books, as long as nothing was done with one of them. The corrected file can then be imported.
 * Returns how many lines there were.
 */
export async function undoFile(app: Deps, actor: Actor, fileId: string, why: string): Promise<number> {
  mustGiveReason('why', why, 'must say why the import is undone')
  return authorized(app, actor, 'statement.undo', async (tx, audit) => {
    const file = await lockFileToUndo(tx, fileId)
    const undone = await eachPage(tx, fileId, async (lines) => {
      await mustBeUntouched(tx, lines)
      await undoLines(app, tx, lines, { actor, why })
    })
    await finishUndo(app, tx, file, { by: actor, why })
    await audit(`file:${fileId}`, { after: { state: 'undone', lines: undone }, reason: why })
    return undone
  })
}

/** How many lines an undo would take out of the books, or why it would be refused. */
export async function previewUndo(
  { db }: { db: Db },
  fileId: string,
): Promise<{ lines: number } | { refused: string }> {
  try {
    return await db.transaction(async (tx) => {
      await lockFileToUndo(tx, fileId)
      return { lines: await eachPage(tx, fileId, (lines) => mustBeUntouched(tx, lines)) }
    })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INVALID_STATE') return { refused: error.message }
    throw error
  }
}

async function eachPage(tx: Tx, fileId: string, take: (lines: StoredLine[]) => Promise<void>): Promise<number> {
  let taken = 0
  for (let last: string | null = ''; last !== null;) {
    const lines: StoredLine[] = await lockLinesOfFile(tx, fileId, last, PAGE)
    await take(lines)
    taken += lines.length
    last = lines.at(-1)?.id ?? null
  }
  return taken
}

async function mustBeUntouched(tx: Tx, lines: StoredLine[]): Promise<void> {
  const refuse = (id: string, what: string) => {
    throw new Refusal('INVALID_STATE', `The import cannot be undone: line ${id} ${what}. See: vezne line show ${id}`)
  }
  for (const { id, state, depositId, withdrawalId, journalId } of lines) {
    const transaction = depositId ?? withdrawalId
    if (journalId !== null) throw ofJournalEntry(id, journalId)
    if (state === 'matched') refuse(id, `is matched to ${transaction}`)
    if (transaction !== null) refuse(id, `is held for ${transaction}`)
  }
  const decided = (
    await decisionsOf(
      tx,
      lines.map(({ id }) => id),
    )
  ).find(({ decidedBy }) => isPerson(decidedBy))
  if (decided) refuse(decided.lineId, `was decided by ${decided.decidedBy}`)
  for (const line of lines) {
    await mustNotShowRefunded(tx, line)
    await mustNameNoOpenPayout(tx, line)
  }
}

/** Reversed, it is still refused: people have decided about the line. */
function ofJournalEntry(id: string, journalId: string): Refusal {
  return new Refusal(
    'INVALID_STATE',
    `The import cannot be undone: line ${id} belongs to journal entry ${journalId}. If the bank does not count the line, two people reverse that first: vezne journal reverse ${journalId}, then dismiss the line: vezne line dismiss ${id}`,
  )
}

async function undoLines(
  app: Deps,
  tx: Tx,
  lines: StoredLine[],
  { actor, why }: { actor: Actor; why: string },
): Promise<void> {
  if (lines.length === 0) return
  const held = lines.filter(({ state }) => state === 'suspense')
  await openAndPost(
    app,
    tx,
    held.map((line) => ({ ...suspenseReversal(line), actor })),
  )
  const nothing = { merchantId: null, depositId: null }
  const now = app.clock.now()
  const to = { state: 'dismissed' as const, reason: UNDONE, ...nothing }
  await decideLines(
    tx,
    lines.map(({ id, state }) => ({ id, from: state, ...to })),
    now,
  )
  await freeKeys(
    tx,
    lines.map(({ id }) => id),
  )
  const decision = { verdict: 'dismissed' as const, why: UNDONE, ...nothing, score: null, suggestions: [] }
  const reasons = [{ field: 'why', verdict: why }]
  const decidedBy = actorName(actor)
  await insertDecisions(
    tx,
    lines.map(({ id }) => ({ lineId: id, ...decision, reasons, decidedBy })),
    now,
  )
}
