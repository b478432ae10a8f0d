import { setEftDeadline } from '../../../domain/merchants/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Asked, Form, OperatorDeps } from '../kind.ts'
import { ask } from '../proposals/routes.ts'
import { POLICIES } from './matching-card.ts'
import { bpsOf, countOf, listOf, momentOf, moneyOf } from '../setting-form.ts'

const back = '/merchants/:id'

/** Forms about settings of a merchant: each asks for one change. */
export const SETTINGS: readonly Form[] = [
  { path: '/merchants/:id/networks', action: 'merchant.networks', back, decide: networks },
  { path: '/merchants/:id/freeze', action: 'merchant.freeze', needsProof: false, back, decide: freeze(true) },
  { path: '/merchants/:id/unfreeze', action: 'merchant.freeze', back, decide: freeze(false) },
  { path: '/merchants/:id/fees', action: 'merchant.fees', back, decide: fees },
  { path: '/merchants/:id/payout-rules', action: 'merchant.settings', back, decide: payoutRules },
  { path: '/merchants/:id/open-deposits', action: 'merchant.settings', back, decide: openDeposits },
  { path: '/merchants/:id/match-approval', action: 'merchant.settings', back, decide: matchApproval },
  { path: '/merchants/:id/matching', action: 'merchant.settings', back, decide: matching },
  { path: '/merchants/:id/deadline', action: 'merchant.settings', back, decide: deadline },
  { path: '/merchants/:id/endpoints', action: 'endpoint.add', back, decide: addEndpoint },
  { path: '/merchants/:id/endpoint-address', action: 'endpoint.change', back, decide: changeEndpoint },
  { path: '/merchants/:id/settlement-account', action: 'settlement.account', back, decide: settlementAccount },
]

function networks(app: OperatorDeps, asked: Asked): Promise<string> {
  const { id: merchantId, fields } = asked
  const terms = { merchantId, add: listOf(fields, 'add'), remove: fields.getAll('remove') }
  return ask(app, asked, 'merchant.networks', terms)
}

function freeze(frozen: boolean): Form['decide'] {
  return (app, asked) => ask(app, asked, 'merchant.freeze', { merchantId: asked.id, frozen })
}

function fees(app: OperatorDeps, asked: Asked): Promise<string> {
  const { id: merchantId, fields } = asked
  const fee = (kind: 'deposit' | 'withdraw') => ({
    bps: bpsOf(fields, `${kind}Bps`),
    fixed: moneyOf(fields, `${kind}Fixed`) ?? 0n,
    min: moneyOf(fields, `${kind}Min`) ?? 0n,
    max: moneyOf(fields, `${kind}Max`),
  })
  const from = momentOf(fields, 'from')
  const terms = { merchantId, deposit: fee('deposit'), withdraw: fee('withdraw'), ...(from && { from }) }
  return ask(app, asked, 'merchant.fees', terms)
}

function payoutRules(app: OperatorDeps, asked: Asked): Promise<string> {
  const { id: merchantId, fields } = asked
  return ask(app, asked, 'merchant.payout_rules', {
    merchantId,
    approvalThreshold: moneyOf(fields, 'approvalThreshold'),
    dailyAmount: moneyOf(fields, 'dailyAmount'),
    dailyCount: countOf(fields, 'dailyCount'),
    dailyIbanAmount: moneyOf(fields, 'dailyIbanAmount'),
    dailyIbanCount: countOf(fields, 'dailyIbanCount'),
  })
}

function openDeposits(app: OperatorDeps, asked: Asked): Promise<string> {
  return ask(app, asked, 'merchant.open_deposits', { merchantId: asked.id, max: countOf(asked.fields, 'max') ?? 0 })
}

function matchApproval(app: OperatorDeps, asked: Asked): Promise<string> {
  return ask(app, asked, 'merchant.matching', {
    merchantId: asked.id,
    approveFrom: moneyOf(asked.fields, 'approveFrom'),
  })
}

function matching(app: OperatorDeps, asked: Asked): Promise<string> {
  const { id: merchantId, fields, viewer } = asked
  const chosen = <Policy extends keyof typeof POLICIES>(name: Policy): (typeof POLICIES)[Policy][number] => {
    const found = POLICIES[name].find((one) => one === fields.get(name))
    if (found === undefined) throw new Refusal('INVALID_STATE', viewer.words.changedSince)
    return found
  }
  return ask(app, asked, 'merchant.matching', {
    merchantId,
    amount: chosen('amount'),
    tolerance: moneyOf(fields, 'tolerance') ?? 0n,
    late: chosen('late'),
    nameCheck: chosen('nameCheck'),
  })
}

/** One person may: it changes no deposit that is there. */
async function deadline(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  await setEftDeadline(app, actor, id, countOf(fields, 'eftHours'))
  return 'deadlineSet'
}

function addEndpoint(app: OperatorDeps, asked: Asked): Promise<string> {
  return ask(app, asked, 'endpoint.add', { merchantId: asked.id, url: asked.fields.get('url') ?? '' })
}

function changeEndpoint(app: OperatorDeps, asked: Asked): Promise<string> {
  const { id: merchantId, fields } = asked
  const terms = { merchantId, endpointId: fields.get('endpoint') ?? '', url: fields.get('url') ?? '' }
  return ask(app, asked, 'endpoint.change', terms)
}

function settlementAccount(app: OperatorDeps, asked: Asked): Promise<string> {
  const { id: merchantId, fields } = asked
  const terms = { merchantId, iban: fields.get('iban') ?? '', title: fields.get('title') ?? '' }
  return ask(app, asked, 'merchant.settlement_account', terms)
}
