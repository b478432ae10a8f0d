import { MATCHER } from '../../../kernel/actor.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { firstIdOfSecond } from '../../../platform/crypto/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { lineSubject, proposalAbout } from '../../people/index.ts'
import type { StoredLine } from '../../statements/index.ts'
import { linesNamedIn, selectLinesById, waitingLines } from '../../statements/index.ts'
import { findCandidates } from '../candidates/find-candidates.ts'
import type { NextStep } from '../candidates/next-step.ts'
import type { JournalDeps } from '../journal/plan.ts'
import type { ProposeStep } from '../journal/propose-step.ts'
import { isSaidByLines } from '../journal/said-by-lines.ts'
import { alone, post } from './apply-rules.ts'

type Deps = JournalDeps & { log: Log }

/** A pair comes in two files, and the debit of a payout after its charge. What is older is for people. */
const TRIED_SECONDS = 600
const BATCH_SIZE = 500
const WHY = 'The lines say what they are for.'

/**
 * Books lines of the last minutes that say themselves what they are: their first advice, where it is complete, no one need be asked,
 * and the lines name all that it is about.
 */
export async function bookSaid(app: Deps): Promise<number> {
  const since = firstIdOfSecond(Math.floor(app.clock.now().getTime() / 1000) - TRIED_SECONDS)
  const ibans = new Set((await app.banks.accounts()).map(({ iban }) => iban))
  let moved = 0
  for (let after = since; ;) {
    const waiting = await waitingLines(app.db, after, BATCH_SIZE)
    for (const { id } of waiting) if (await bookOne(app, id, ibans)) moved += 1
    if (waiting.length < BATCH_SIZE) return moved
    after = waiting.at(-1)?.id ?? ''
  }
}

async function bookOne(app: Deps, id: string, ibans: Set<string>): Promise<boolean> {
  const { db, banks, marks } = app
  // Booked with one before it, maybe.
  const [line] = await selectLinesById(db, [id])
  if (!line || !(await mayBeSaid(app, line, ibans))) return false
  const [first] = await findCandidates({ db, banks, marks }, line)
  const step = first && complete(first.next)
  return step ? alone(app, id, (tx) => book(app, tx, step)) : false
}

/** As the matcher left it. What people have decided about, or an entry had, is for people. */
const JUDGED: ReadonlySet<string | null> = new Set([
  'outgoing',
  'own_transfer',
  'no_reference',
  'unknown_reference',
  'ambiguous',
  'payout_ambiguous',
  'payout_differs',
])
const isUntouched = ({ reason, correctsLineId }: StoredLine) => correctsLineId === null && JUDGED.has(reason)

/** It names something. */
async function mayBeSaid({ db }: Deps, line: StoredLine, ibans: Set<string>): Promise<boolean> {
  const { reason, candidateWithdrawalId, senderIban } = line
  if (!isUntouched(line)) return false
  if (reason === 'ambiguous' || reason === 'payout_ambiguous' || reason === 'payout_differs') return true
  if (reason !== 'outgoing' && reason !== 'own_transfer') return false
  if (candidateWithdrawalId !== null || ibans.has(normaliseIban(senderIban ?? ''))) return true
  return (await linesNamedIn(db, [line])).length > 0
}

function complete(step: NextStep): ProposeStep | null {
  const isWhole = step.do === 'propose' && step.missing.length === 0 && step.because === undefined
  return isWhole && step.afterwards === undefined ? step : null
}

async function book(app: Deps, tx: Tx, { kind, terms }: ProposeStep): Promise<boolean> {
  const lines = await selectLinesById(tx, terms.lineIds)
  if (!lines.every(isUntouched)) return false
  for (const id of terms.lineIds) if ((await proposalAbout(app, tx, lineSubject(id))) !== null) return false
  const draft = { id: app.ids.next(), kind, reverses: null, terms }
  const its = { ...draft, ruleId: null, reason: WHY, proposedBy: null, proposedAt: app.clock.now(), approvedBy: null }
  return post(app, tx, its, MATCHER, (plan) => isSaidByLines(app, tx, draft, plan))
}
