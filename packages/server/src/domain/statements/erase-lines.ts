import type { Marks } from '../../platform/crypto/marks.ts'
import type { Tx } from '../../platform/postgres/db.ts'
import { ERASED } from '../../kernel/erased.ts'
import { note } from '../../kernel/refusals/note.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Said } from '../../platform/refusal.ts'
import type { StoredLine } from './bank-line.ts'
import { eraseEntered, selectReferring } from './entered/store.ts'
import { lockLinesAbout, selectLinesById } from './explained/store.ts'
import { markOfLine } from './genuine-lines.ts'
import { eraseLines, linesOfDeposit, selectWaitingNaming } from './store.ts'
import { eraseUnread, selectNaming } from './unread/store.ts'

type Transaction = { kind: 'deposit' | 'withdrawal'; merchantId: string; id: string }

/** `kept`: lines that name the transaction and wait for a person's decision, so that their text is still needed. */
export type ErasedLines = { rows: { bank_lines: number; entered_lines: number; unread_lines: number }; kept: Said[] }

/** Shorter texts also occur in lines of other people. */
const SHORTEST_NAME = 5

/**
 * Erases senders and texts from the lines of a transaction, their corrections, what people entered of them, and lines that
 * were unread at first. Refuses while one of its lines waits for a decision. `texts` are further texts that name it.
 */
export async function eraseLinesOf(
  { marks }: { marks: Marks },
  tx: Tx,
  transaction: Transaction,
  texts: string[],
): Promise<ErasedLines> {
  const own = await withCorrections(tx, await linesOf(tx, transaction))
  const undecided = own.find(({ state }) => state !== 'matched' && state !== 'dismissed')
  if (undecided) throw refuse('transaction_line_undecided', { line: undecided.id, state: undecided.state })
  // Only for credits to a deposit: on the lines of a payout the sender may be us.
  const senders = transaction.kind === 'deposit' ? own : []
  const written = senders.flatMap(({ senderName, senderIban }) => [senderName, senderIban ?? ''])
  const names = [...new Set([...texts, ...written])].filter((text) => text.length >= SHORTEST_NAME && text !== ERASED)
  const waiting = await selectWaitingNaming(tx, names)
  const unread = await eraseUnreadNaming(tx, names)
  const lines = own.map(({ id }) => id)
  const blank = { senderName: ERASED, senderIban: null, narrative: ERASED }
  const erased = own.map(async (line) => ({ id: line.id, mark: await markOfLine(marks, { ...line, ...blank }) }))
  return {
    rows: {
      bank_lines: await eraseLines(tx, await Promise.all(erased)),
      entered_lines: await eraseEntered(tx, lines),
      unread_lines: unread.erased,
    },
    kept: [
      ...waiting.map(({ id, state }) => note('line_kept', { line: id, state })),
      ...(unread.waiting > 0 ? [note('unread_lines_kept', { count: unread.waiting })] : []),
    ],
  }
}

async function linesOf(tx: Tx, { kind, merchantId, id }: Transaction): Promise<StoredLine[]> {
  if (kind === 'deposit') return linesOfDeposit(tx, merchantId, id)
  // Excludes lines whose text names the payout but that were not assigned to it.
  return (await lockLinesAbout(tx, id)).filter(({ withdrawalId }) => withdrawalId === id)
}

/** Adds lines that repeat or replace one of these, and those that one of these repeats. */
async function withCorrections(tx: Tx, lines: StoredLine[]): Promise<StoredLine[]> {
  const ids = lines.map(({ id }) => id)
  const corrected = lines.flatMap(({ correctsLineId }) => correctsLineId ?? [])
  const linked = [...(await selectReferring(tx, ids)), ...(await selectLinesById(tx, corrected))]
  return [...new Map([...lines, ...linked].map((line) => [line.id, line])).values()]
}

async function eraseUnreadNaming(tx: Tx, names: string[]): Promise<{ erased: number; waiting: number }> {
  const naming = await selectNaming(tx, names)
  const taken = naming.filter(({ waits }) => !waits)
  if (taken.length > 0) await eraseUnread(tx, taken)
  return { erased: taken.length, waiting: naming.length - taken.length }
}
