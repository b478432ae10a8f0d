import type { DoubtDecision, Payout, Undecided } from '../../../domain/payouts/index.ts'
import {
  decideDoubt,
  decideEnded,
  findingsAbout,
  findPayout,
  listUnknown,
  notFoundRule,
  selectDebit,
  withdrawOpinion,
} from '../../../domain/payouts/index.ts'
import { listWithoutCredit, listWithoutDebit } from '../../../domain/matching/index.ts'
import { whoMay } from '../../../domain/people/index.ts'
import { debitsThatMayBe, linesNaming } from '../../../domain/statements/index.ts'
import { callsOf, findWithdrawalById } from '../../../domain/withdrawals/index.ts'
import type { Shown } from '../../web/console/routes.ts'
import { liveView } from '../../web/console/routes.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked, OperatorKind, Section } from '../kind.ts'
import { accountNames, merchantNames } from '../names.ts'
import { reveal } from '../reveal/form.ts'
import { personalData } from '../reveal/personal-data.ts'
import { said } from '../said.ts'
import type { UnknownPayout } from './page.ts'
import { payoutsPage } from './page.ts'
import type { Unseen } from './unseen-page.ts'
import { unseenPage } from './unseen-page.ts'
import { UNSEEN_WORDS } from './words.ts'

const MAX_CARDS = 100
const UNSEEN = '/payouts/unseen'

const SAID = said('yourOpinion', 'opinionsDiffer', 'thirdNeeded', 'opinionTakenBack', 'settled', 'failed')

const UNDECIDED: Record<Undecided, string> = {
  'waiting for a second person': 'yourOpinion',
  'opinions differ': 'opinionsDiffer',
  'waiting for a third person': 'thirdNeeded',
  'waiting for the other to confirm': 'thirdNeeded',
}

export const PAYOUTS: Section = {
  views: [liveView<OperatorKind, Waiting>('/payouts', 'payouts', readPayouts, payouts), { path: UNSEEN, show: unseen }],
  forms: [
    { path: '/payouts/:id/found', action: 'payout.decide', back: '/payouts', decide: decideAs('found') },
    { path: '/payouts/:id/not-found', action: 'payout.decide', back: '/payouts', decide: decideAs('not_found') },
    { path: '/payouts/:id/take-back', action: 'payout.decide', back: '/payouts', decide: takeBack },
    { path: '/payouts/:id/reveal', action: 'data.reveal', back: '/payouts', decide: revealPayout },
    { path: `${UNSEEN}/:id/never-paid`, action: 'payout.decide', back: UNSEEN, decide: endAs('never_paid') },
    { path: `${UNSEEN}/:id/paid`, action: 'payout.decide', back: UNSEEN, decide: endAs('paid') },
    { path: `${UNSEEN}/:id/take-back`, action: 'payout.decide', back: UNSEEN, decide: takeBack },
    { path: `${UNSEEN}/:id/reveal`, action: 'data.reveal', back: UNSEEN, decide: revealPayout },
  ],
  said: {
    tr: { ...SAID.tr, ...UNSEEN_WORDS.tr.said },
    en: { ...SAID.en, ...UNSEEN_WORDS.en.said },
  },
}

type Waiting = Awaited<ReturnType<typeof readPayouts>>

async function readPayouts(app: OperatorDeps) {
  const { pages } = app.db
  const may = await whoMay(app, pages)
  const unknown: UnknownPayout[] = []
  for (const payout of await listUnknown(pages, MAX_CARDS)) {
    const withdrawal = await findWithdrawalById(pages, payout.withdrawalId)
    if (!withdrawal) continue
    const { said: statements } = await findingsAbout(app, pages, payout)
    unknown.push({
      payout,
      withdrawal,
      calls: await callsOf(pages, payout.merchantId, payout.withdrawalId),
      statements: statements.filter(({ submits }) => submits === payout.submits),
      notFound: await notFoundRule(app, pages, payout),
      lapsed: lapsedOf(statements, may),
      // Not on the connections of pages: these look up words in texts, for which those have no plan.
      lines: [...(await linesNaming(app.db, payout.withdrawalId)), ...(await debitsThatMayBe(app.db, payout))],
    })
  }
  return { unknown, names: [...(await merchantNames(app))] }
}

async function payouts(app: OperatorDeps, asked: Asked, { unknown, names }: Waiting): Promise<Shown> {
  const dataOf = await personalData(app, asked)
  return { page: payoutsPage(asked.viewer, unknown, new Map(names), await accountNames(app), dataOf) }
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
    const unproven = fields.get('unproven') === 'yes'
    const outcome = await decideDoubt(app, actor, id, { verdict, evidence: fields.get('evidence') ?? '', unproven })
    return outcome === 'settled' || outcome === 'failed' ? outcome : UNDECIDED[outcome]
  }
}

async function takeBack(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  await withdrawOpinion(app, actor, id, fields.get('why') ?? '')
  return 'opinionTakenBack'
}
