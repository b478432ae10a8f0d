import type { Effect, NextStep } from '../../../domain/books/index.ts'
import { previewEntry } from '../../../domain/books/index.ts'
import { makeProposal } from '../../../domain/proposals/index.ts'
import type { Correction } from '../../../domain/matching/index.ts'
import {
  debitByHand,
  decideCorrection,
  decisionsOf,
  retryLine,
  returnByHand,
  suspendByHand,
} from '../../../domain/matching/index.ts'
import type { StoredLine } from '../../../domain/statements/index.ts'
import { findLine } from '../../../domain/statements/index.ts'
import { stopWithdrawal } from '../../../domain/withdrawals/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { lineReason } from '../../web/console/codes/codes.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, OperatorDeps } from '../kind.ts'
import { isOpen, isSetAside, nextLine, seenStep } from './desk.ts'
import { addressFor, filterFrom } from './filter.ts'
import { withIds } from './given-ids.ts'
import { wantedForm } from './proposal.ts'
import { readProposal } from './read-proposal.ts'
import type { saidTr } from './said.ts'
import { NEXT } from './said.ts'
import { WORDS } from './words.ts'

type Outcome = keyof typeof saidTr
type Decided = Promise<Shown | null>

/** Opens the next line of the list and says what happened to this one. */
async function onward(app: OperatorDeps, { id, query }: Asked, said: Outcome): Promise<Shown> {
  const filter = filterFrom(query)
  const next = await nextLine(app, filter, id)
  if (next === null) return { redirect: `/matching${addressFor(filter, { said, done: id })}` }
  return { redirect: `/matching/${next}${addressFor(filter, { said: `${said}${NEXT}`, done: id })}` }
}

/** The line, which must still wait. A person who comes second is told who decided what. */
async function openLine(app: OperatorDeps, { id, viewer }: Asked, mayBeSetAside = false): Promise<StoredLine> {
  const line = await findLine(app.db, id)
  if (line && (isOpen(line) || (mayBeSetAside && isSetAside(line)))) return line
  const words = WORDS[viewer.language]
  const { codes } = viewer.words
  const last = (await decisionsOf(app.db, [id])).at(-1)
  if (!line || !last) throw new Refusal('NOT_FOUND', words.noLine)
  const what = `${codes.statuses[line.state]} (${lineReason(codes, last.why)})`
  throw new Refusal('INVALID_STATE', words.meanwhile(last.decidedBy, what))
}

/** Only what the person saw is done. */
async function asSeen(app: OperatorDeps, asked: Asked, step: NextStep): Promise<Effect> {
  const { seen, effect } = await seenStep(app, await openLine(app, asked), step)
  if (seen !== asked.fields.get('seen')) throw new Refusal('INVALID_STATE', WORDS[asked.viewer.language].changed)
  return effect
}

export async function match(app: OperatorDeps, asked: Asked): Decided {
  const { actor, id, fields } = asked
  const depositId = fields.get('deposit') ?? ''
  await asSeen(app, asked, { do: 'match', lineId: id, depositId })
  const reason = fields.get('why')
  const [named] = /^\d{1,18}$/.exec(fields.get('received') ?? '') ?? []
  const terms = { lineId: id, depositId, received: named === undefined ? null : BigInt(named) }
  const { state } = await makeProposal(app, actor, 'line.match', terms, { reason })
  return onward(app, asked, state === 'applied' ? 'lineMatched' : 'matchProposed')
}

export async function suspend(app: OperatorDeps, asked: Asked): Decided {
  await asSeen(app, asked, { do: 'suspend', lineId: asked.id })
  await suspendByHand(app, asked.actor, asked.id)
  return onward(app, asked, 'lineSuspended')
}

export async function giveBack(app: OperatorDeps, asked: Asked): Decided {
  const { actor, id, fields } = asked
  const withdrawalId = fields.get('withdrawal') ?? ''
  await asSeen(app, asked, { do: 'return', lineId: id, withdrawalId })
  await returnByHand(app, actor, id, withdrawalId)
  return onward(app, asked, 'lineReturned')
}

export async function sent(app: OperatorDeps, asked: Asked): Decided {
  const { actor, id, fields } = asked
  const withdrawalId = fields.get('withdrawal') ?? ''
  await asSeen(app, asked, { do: 'sent', lineId: id, withdrawalId })
  await debitByHand(app, actor, id, withdrawalId)
  return onward(app, asked, 'lineSent')
}

const CORRECTIONS: readonly Correction[] = ['same_money', 'new_money', 'replaces']

export async function correct(app: OperatorDeps, asked: Asked): Decided {
  const { actor, id, fields, viewer } = asked
  await openLine(app, asked, true)
  const found = CORRECTIONS.find((one) => one === fields.get('found'))
  const words = WORDS[viewer.language]
  if (!found) throw new Refusal('VALIDATION_ERROR', words.fieldMissing(words.correction))
  if (found === 'replaces') {
    await decideCorrection(app, actor, id, found)
    return onward(app, asked, 'lineCorrected')
  }
  const { state } = await makeProposal(app, actor, `line.${found}`, { lineId: id }, { reason: fields.get('why') })
  const proposed = found === 'new_money' ? 'newMoneyProposed' : 'sameMoneyProposed'
  return onward(app, asked, state === 'applied' ? 'lineCorrected' : proposed)
}

export async function retry(app: OperatorDeps, asked: Asked): Decided {
  await openLine(app, asked)
  await retryLine(app, asked.actor, asked.id)
  return onward(app, asked, 'lineRetried')
}

export async function dismiss(app: OperatorDeps, asked: Asked): Decided {
  await openLine(app, asked)
  const { actor, id, fields } = asked
  const terms = { lineId: id, notPayouts: fields.getAll('notPayout') }
  const { state } = await makeProposal(app, actor, 'line.dismiss', terms, { reason: fields.get('why') })
  return onward(app, asked, state === 'applied' ? 'lineDismissed' : 'lineDismissalProposed')
}

export async function restore(app: OperatorDeps, { actor, id, fields, query }: Asked): Decided {
  const { state } = await makeProposal(app, actor, 'line.restore', { lineId: id }, { reason: fields.get('why') })
  const said: Outcome = state === 'applied' ? 'lineRestored' : 'lineRestoreProposed'
  return { redirect: `/matching/${id}${addressFor(filterFrom(query), { said })}` }
}

/** The line stays open: the withdrawal that it names is what is stopped. */
export async function stop(app: OperatorDeps, { actor, id, fields, query }: Asked): Decided {
  await stopWithdrawal(app, actor, fields.get('withdrawal') ?? '', fields.get('why') ?? '')
  return { redirect: `/matching/${id}${addressFor(filterFrom(query), { said: 'withdrawalStopped' })}` }
}

export async function propose(app: OperatorDeps, asked: Asked): Decided {
  await openLine(app, asked)
  return onward(app, asked, await proposeSeen(app, asked))
}

export async function proposeAlone(app: OperatorDeps, asked: Asked): Decided {
  const said = await proposeSeen(app, asked)
  return { redirect: said === 'entryProposed' ? '/approvals?said=entryWaits' : '/approvals?said=proposalApplied' }
}

/** Proposes what the person has seen in the preview. Who proposes exactly what another has proposed approves it. */
async function proposeSeen(app: OperatorDeps, asked: Asked): Promise<'entryProposed' | 'entryPosted'> {
  const { actor, id, fields, viewer } = asked
  const words = WORDS[viewer.language]
  const form = wantedForm(asked, id !== '')
  if (!form) throw new Refusal('VALIDATION_ERROR', words.fieldMissing(words.entries))
  const said = readProposal(words, form, id, await withIds(app, words, form, id, fields))
  if ((await previewEntry(app, app.db, said)).hash !== fields.get('seen'))
    throw new Refusal('INVALID_STATE', words.previewChanged)
  const { state } = await makeProposal(app, actor, 'journal.entry', said, { reason: fields.get('why') })
  return state === 'applied' ? 'entryPosted' : 'entryProposed'
}
