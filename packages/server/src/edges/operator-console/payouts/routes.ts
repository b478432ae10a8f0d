import {
  decideDoubt,
  findPayout,
  listPayouts,
  notFoundRule,
  selectDoubtDecisions,
  withdrawOpinion,
} from '../../../domain/payouts/index.ts'
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

const MAX_CARDS = 100

export const PAYOUTS: Section = {
  views: [liveView<OperatorKind, Waiting>('/payouts', 'payouts', readPayouts, payouts)],
  forms: [
    { path: '/payouts/:id/found', action: 'payout.decide', back: '/payouts', decide: decideAs('found') },
    { path: '/payouts/:id/not-found', action: 'payout.decide', back: '/payouts', decide: decideAs('not_found') },
    { path: '/payouts/:id/take-back', action: 'payout.decide', back: '/payouts', decide: takeBack },
    { path: '/payouts/:id/reveal', action: 'data.reveal', back: '/payouts', decide: revealPayout },
  ],
  said: said('yourOpinion', 'opinionsDiffer', 'opinionTakenBack', 'settled', 'failed'),
}

type Waiting = Awaited<ReturnType<typeof readPayouts>>

async function readPayouts(app: OperatorDeps) {
  const { pages } = app.db
  const unknown: UnknownPayout[] = []
  for (const payout of await listPayouts(pages, 'unknown', MAX_CARDS)) {
    const withdrawal = await findWithdrawalById(pages, payout.withdrawalId)
    if (!withdrawal) continue
    const statements = await selectDoubtDecisions(pages, payout)
    unknown.push({
      payout,
      withdrawal,
      calls: await callsOf(pages, payout.merchantId, payout.withdrawalId),
      statements: statements.filter(({ submits }) => submits === payout.submits),
      notFound: await notFoundRule(app, pages, payout),
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

async function revealPayout(app: OperatorDeps, asked: Asked): Promise<string | null> {
  return reveal(app, asked, (await findPayout(app.db, asked.id)) ? `withdrawal:${asked.id}` : null)
}

function decideAs(verdict: 'found' | 'not_found') {
  return async (app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> => {
    const unproven = fields.get('unproven') === 'yes'
    const outcome = await decideDoubt(app, actor, id, { verdict, evidence: fields.get('evidence') ?? '', unproven })
    if (outcome === 'opinions differ') return 'opinionsDiffer'
    return outcome === 'waiting for a second person' ? 'yourOpinion' : outcome
  }
}

async function takeBack(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  await withdrawOpinion(app, actor, id, fields.get('why') ?? '')
  return 'opinionTakenBack'
}
