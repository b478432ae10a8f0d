import type { Batch, DoubtDecision, Payout, Undecided } from '../../../domain/withdrawals/index.ts'
import {
  decideDoubt,
  decideEnded,
  findingsAbout,
  findLiveBatch,
  findPayout,
  listInDoubt,
  forgedOf,
  listToSend,
  notFoundRule,
  readPayoutBlocks,
  recordSentByHand,
  releaseTake,
  selectDebit,
  takeToSend,
  withdrawOpinion,
  callsOf,
  findWithdrawalById,
} from '../../../domain/withdrawals/index.ts'
import { listWithoutCredit, listWithoutDebit } from '../../../domain/matching/index.ts'
import { whoMay } from '../../../domain/people/index.ts'
import { debitsThatMayBe, idsNaming, linesNaming } from '../../../domain/statements/index.ts'
import type { Shown } from '../../web/console/routes.ts'
import { liveView } from '../../web/console/routes.ts'
import type { Asked, OperatorDeps, OperatorKind, Section } from '../kind.ts'
import { accountNames, merchantNames } from '../names.ts'
import { reveal } from '../reveal/form.ts'
import { personalData } from '../reveal/personal-data.ts'
import { said } from '../said.ts'
import type { ToSend } from './by-hand-page.ts'
import { byHandPage } from './by-hand-page.ts'
import { BY_HAND_WORDS } from './by-hand-words.ts'
import type { UnknownPayout } from './page.ts'
import { payoutsPage } from './page.ts'
import type { Unseen } from './unseen-page.ts'
import { unseenPage } from './unseen-page.ts'
import { BY_HAND, UNSEEN_WORDS } from './words.ts'

const MAX_CARDS = 100
const UNSEEN = '/payouts/unseen'

const SAID = said('yourOpinion', 'opinionsDiffer', 'thirdNeeded', 'opinionTakenBack', 'sent', 'failed')

const UNDECIDED: Record<Undecided, string> = {
  'waiting for a second person': 'yourOpinion',
  'opinions differ': 'opinionsDiffer',
  'waiting for a third person': 'thirdNeeded',
  'waiting for the other to confirm': 'thirdNeeded',
}

export const PAYOUTS: Section = {
  views: [
    liveView<OperatorKind, Waiting>('/payouts', 'payouts', readPayouts, payouts),
    liveView<OperatorKind, Waiting>(BY_HAND, 'payouts', readPayouts, byHand),
    { path: UNSEEN, show: unseen },
  ],
  forms: [
    { path: '/payouts/:id/found', action: 'payout.decide', back: '/payouts', decide: decideAs('found') },
    { path: '/payouts/:id/not-found', action: 'payout.decide', back: '/payouts', decide: decideAs('not_found') },
    { path: '/payouts/:id/take-back', action: 'payout.decide', back: '/payouts', decide: takeBack },
    { path: '/payouts/:id/reveal', action: 'data.reveal', back: '/payouts', decide: revealPayout },
    { path: `${BY_HAND}/:id/take`, action: 'payout.sent', back: BY_HAND, decide: take },
    { path: `${BY_HAND}/:id/release`, action: 'payout.sent', back: BY_HAND, decide: release },
    { path: `${BY_HAND}/:id/sent`, action: 'payout.sent', back: BY_HAND, decide: recordSent },
    { path: `${BY_HAND}/:id/not-found`, action: 'payout.decide', back: BY_HAND, decide: decideAs('not_found') },
    { path: `${BY_HAND}/:id/take-back`, action: 'payout.decide', back: BY_HAND, decide: takeBack },
    { path: `${BY_HAND}/:id/reveal`, action: 'data.reveal', back: BY_HAND, decide: revealPayout },
    { path: `${UNSEEN}/:id/never-paid`, action: 'payout.decide', back: UNSEEN, decide: endAs('never_paid') },
    { path: `${UNSEEN}/:id/paid`, action: 'payout.decide', back: UNSEEN, decide: endAs('paid') },
    { path: `${UNSEEN}/:id/take-back`, action: 'payout.decide', back: UNSEEN, decide: takeBack },
    { path: `${UNSEEN}/:id/reveal`, action: 'data.reveal', back: UNSEEN, decide: revealPayout },
  ],
  said: {
    tr: { ...SAID.tr, ...BY_HAND_WORDS.tr.said, ...UNSEEN_WORDS.tr.said },
    en: { ...SAID.en, ...BY_HAND_WORDS.en.said, ...UNSEEN_WORDS.en.said },
  },
}

type Waiting = Awaited<ReturnType<typeof readPayouts>>

/** One page of those in doubt, one of those to send by hand: both follow the same facts. */
async function readPayouts(app: OperatorDeps) {
  const { pages } = app.db
  const facts = factsReader(app, await whoMay(app, pages))
  const heldBy = await readPayoutBlocks(pages)
  const unknown: UnknownPayout[] = []
  for (const payout of await listInDoubt(pages, MAX_CARDS)) unknown.push(...(await facts(payout)))
  const toSend: ToSend[] = []
  const waiting = await listToSend(pages, MAX_CARDS)
  const forged = await forgedOf(app, waiting)
  for (const payout of waiting) {
    const why = forged.has(payout.withdrawalId) ? 'differs_from_withdrawal' : heldBy(payout.merchantId)
    for (const one of await facts(payout)) toSend.push({ ...one, heldBy: why })
  }
  return { unknown, toSend, names: [...(await merchantNames(app))] }
}

function factsReader(app: OperatorDeps, may: Awaited<ReturnType<typeof whoMay>>) {
  const { pages } = app.db
  return async (payout: Payout): Promise<UnknownPayout[]> => {
    const { withdrawalId: id, merchantId } = payout
    const withdrawal = await findWithdrawalById(pages, id)
    if (!withdrawal) return []
    const { said: statements } = await findingsAbout(app, pages, payout)
    const facts = {
      calls: await callsOf(pages, merchantId, id),
      statements: statements.filter(({ submits }) => submits === payout.submits),
      notFound: await notFoundRule(app, pages, payout),
      lapsed: lapsedOf(statements, may),
      orderFile: fileOf(await findLiveBatch(pages, id)),
      // Not on the connections of pages: these look up words in texts, for which those have no plan.
      lines: [...(await linesNaming(app.db, id)), ...(await debitsThatMayBe(app.db, payout))],
      naming: await idsNaming(app.db, id),
    }
    return [{ payout, withdrawal, ...facts }]
  }
}

const fileOf = (batch: Batch | undefined) => (batch ? { id: batch.id, fileName: batch.fileName } : null)

async function payouts(app: OperatorDeps, asked: Asked, { unknown, toSend, names }: Waiting): Promise<Shown> {
  const facts = { unknown, toSend: toSend.length, merchants: new Map(names) }
  const [accountName, dataOf] = [await accountNames(app), await personalData(app, asked)]
  return { page: payoutsPage(asked.viewer, { ...facts, accountName, dataOf }) }
}

async function byHand(app: OperatorDeps, asked: Asked, { toSend, names }: Waiting): Promise<Shown> {
  const facts = { toSend, merchants: new Map(names), isCut: toSend.length === MAX_CARDS }
  const [accounts, dataOf] = [await app.banks.accounts(), await personalData(app, asked)]
  return { page: byHandPage(asked.viewer, { ...facts, accounts, dataOf }) }
}

async function take(app: OperatorDeps, { actor, id }: Asked): Promise<Shown> {
  await takeToSend(app, actor, id)
  return { redirect: `${BY_HAND}?said=taken#payout-${id}` }
}

async function release(app: OperatorDeps, { actor, id }: Asked): Promise<string> {
  await releaseTake(app, actor, id)
  return 'released'
}

async function recordSent(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  await recordSentByHand(app, actor, id, (fields.get('reference') ?? '').trim())
  return 'sentByHand'
}

const lapsedOf = (said: DoubtDecision[], may: Awaited<ReturnType<typeof whoMay>>) =>
  said.map(({ operator }) => operator).filter((name) => !may(name, 'payout.decide'))

/** Payouts that no statement line shows. */
async function unseen(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const may = await whoMay(app, app.db)
  const debits: Unseen[] = []
  for (const payout of await listWithoutDebit(app, MAX_CARDS)) {
    const { merchantId, withdrawalId: id, submits } = payout
    const { said: statements } = await findingsAbout(app, app.db, payout)
    debits.push({
      payout,
      ...(await namedEnd(app, payout)),
      calls: await callsOf(app.db, merchantId, id),
      statements: statements.filter((one) => one.submits === submits),
      lapsed: lapsedOf(statements, may),
      lines: [...(await linesNaming(app.db, id, { paid: true })), ...(await debitsThatMayBe(app.db, payout))],
    })
  }
  const returned = await listWithoutCredit(app, MAX_CARDS)
  const credits = await Promise.all(returned.map(async (payout) => ({ payout, ...(await namedEnd(app, payout)) })))
  const [merchants, accountName] = [await merchantNames(app), await accountNames(app)]
  const dataOf = await personalData(app, asked)
  return { page: unseenPage(asked.viewer, { debits, credits, merchants, accountName, dataOf }) }
}

/** When it ended, and its merchant's number. */
async function namedEnd({ db }: OperatorDeps, payout: Payout): Promise<Pick<Unseen, 'endedAt' | 'processId'>> {
  const endedAt = (await selectDebit(db, payout))?.completedAt ?? payout.createdAt
  return { endedAt, processId: (await findWithdrawalById(db, payout.withdrawalId))?.processId ?? '' }
}

function endAs(verdict: 'never_paid' | 'paid') {
  return async (app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> => {
    const outcome = await decideEnded(app, actor, id, { verdict, evidence: fields.get('evidence') ?? '' })
    if (outcome === 'returned' || outcome === 'paid') return outcome === 'returned' ? 'wasReturned' : 'wasPaid'
    return outcome === 'opinions differ' ? 'unseenDiffer' : UNDECIDED[outcome]
  }
}

async function revealPayout(app: OperatorDeps, asked: Asked): Promise<string | null> {
  return reveal(app, asked, (await findPayout(app.db, asked.id)) ? `withdrawal:${asked.id}` : null)
}

function decideAs(verdict: 'found' | 'not_found') {
  return async (app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> => {
    const confirmed = { unproven: fields.get('unproven') === 'yes', notLines: fields.getAll('notLine') }
    const outcome = await decideDoubt(app, actor, id, { verdict, evidence: fields.get('evidence') ?? '', ...confirmed })
    return outcome === 'sent' || outcome === 'failed' ? outcome : UNDECIDED[outcome]
  }
}

async function takeBack(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  await withdrawOpinion(app, actor, id, fields.get('why') ?? '')
  return 'opinionTakenBack'
}
