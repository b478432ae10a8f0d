import { decideDoubt, findPayout, listPayouts, selectDoubtDecisions } from '../../../domain/payouts/index.ts'
import { debitsThatMayBe, linesNaming } from '../../../domain/statements/index.ts'
import { callsOf, findWithdrawalById } from '../../../domain/withdrawals/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked, Section } from '../kind.ts'
import { accountNames, merchantNames } from '../names.ts'
import { said } from '../said.ts'
import type { UnknownPayout } from './page.ts'
import { payoutsPage } from './page.ts'

const MAX_CARDS = 100

export const PAYOUTS: Section = {
  views: [{ path: '/payouts', show: payouts }],
  forms: [
    { path: '/payouts/:id/found', action: 'payout.decide', back: '/payouts', decide: decideAs('found') },
    { path: '/payouts/:id/not-found', action: 'payout.decide', back: '/payouts', decide: decideAs('not_found') },
  ],
  said: said('yourOpinion', 'settled', 'failed'),
}

async function payouts(app: OperatorDeps, { viewer }: Asked): Promise<Shown> {
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
      // Not on the connections of pages: these look up words in texts, for which those have no plan.
      lines: [...(await linesNaming(app.db, payout.withdrawalId)), ...(await debitsThatMayBe(app.db, payout))],
    })
  }
  return { page: payoutsPage(viewer, unknown, await merchantNames(app), await accountNames(app)) }
}

function decideAs(verdict: 'found' | 'not_found') {
  return async (app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> => {
    if (!(await findPayout(app.db, id))) throw new Refusal('NOT_FOUND', `There is no payout for withdrawal ${id}.`)
    const outcome = await decideDoubt(app, actor, id, { verdict, evidence: fields.get('evidence') ?? '' })
    return outcome === 'waiting for a second person' ? 'yourOpinion' : outcome
  }
}
