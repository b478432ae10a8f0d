import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
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
import { insertDecisions } from '../../matching/index.ts'
import { lineOf, mustBeUntouched } from './must-be-untouched.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids }

export type UndoPreview = { lines: number } | { refused: Refusal; lineId: string | null }

const PAGE = 500
const UNDONE = 'import_undone' as const

/**
 * Takes the lines of a file out of the books, as long as no decision about one of them stands. The corrected file can then be imported.
 * Returns how many lines there were.
 */
export async function undoFile(app: Deps, actor: Actor, fileId: string, why: string): Promise<number> {
  mustGiveReason('why', why)
  return authorized(app, actor, 'statement.undo', async (tx, audit) => {
    const file = await lockFileToUndo(tx, fileId)
    const undone = await eachPage(tx, fileId, async (lines) => {
      await mustBeUntouched(app, tx, lines)
      await undoLines(app, tx, lines, { actor, why })
    })
    await finishUndo(app, tx, file, { by: actor, why })
    await audit(`file:${fileId}`, { after: { state: 'undone', lines: undone }, reason: why })
    return undone
  })
}

/** How many lines an undo would take out of the books, or why it would be refused, and because of which line. */
export async function previewUndo(app: { db: Db; clock: Clock }, fileId: string): Promise<UndoPreview> {
  try {
    return await app.db.transaction(async (tx) => {
      await lockFileToUndo(tx, fileId)
      return { lines: await eachPage(tx, fileId, (lines) => mustBeUntouched(app, tx, lines)) }
    })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INVALID_STATE') return { refused: error, lineId: lineOf(error) }
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
  const now = app.clock.now()
  const to = { state: 'dismissed' as const, reason: UNDONE, deposit: null }
  await decideLines(
    tx,
    lines.map(({ id, state }) => ({ id, from: state, ...to })),
    now,
  )
  await freeKeys(
    tx,
    lines.map(({ id }) => id),
  )
  const decision = {
    verdict: 'dismissed' as const,
    why: UNDONE,
    merchantId: null,
    depositId: null,
  }
  const reasons = [{ field: 'why', verdict: why }]
  const decidedBy = actorName(actor)
  await insertDecisions(
    tx,
    lines.map(({ id }) => ({ lineId: id, ...decision, reasons, decidedBy })),
    now,
  )
}
