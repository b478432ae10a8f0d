import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { setAccountLimits } from '../../packages/server/src/domain/banks/index.ts'
import type { KindName, TermsOf } from '../../packages/server/src/domain/proposals/index.ts'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { matchByHand } from '../../packages/server/src/domain/matching/index.ts'
import {
  changeNetworks,
  setMatching,
  setPayoutRules,
  showMerchant,
} from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const app = { ...service.app, sandbox: false }
await addOperator(service.app, UNATTRIBUTED, 'ada.aksoy', DECIDING)
const ada = operatorActor('ada.aksoy')
const { merchantId } = await service.merchant()
const [account] = await app.banks.accounts()
const accountId = account?.id ?? assert.fail('no account')
await setPayoutRules(service.app, ada, merchantId, { approvalThreshold: 100n })
await setMatching(app, ada, merchantId, { approveFrom: 50_000n })
await setAccountLimits(app, ada, accountId, { amount: 100_000_00n, count: 100 })

test('one person tightens at once, without a proposal', async () => {
  await changeNetworks(service.app, ada, merchantId, { add: ['198.51.100.1', '198.51.100.2'] })
  const tighter: { [Name in KindName]?: TermsOf<Name> } = {
    'merchant.networks': { merchantId, remove: ['198.51.100.1'] },
    'merchant.open_deposits': { merchantId, max: 999 },
    'merchant.payout_rules': { merchantId, approvalThreshold: 99n, dailyCount: 5 },
    'merchant.matching': { merchantId, approveFrom: 49_999n },
    'bank.limits': { bank: '0062', currency: 'TRY', minAmount: 1000n, maxAmount: 2000n },
    'account.limits': { account: accountId, amount: 90_000_00n, count: 99 },
  }
  for (const [kind, terms] of Object.entries(tighter)) {
    const asked = await makeProposal(app, ada, kind as 'merchant.fees', terms as TermsOf<'merchant.fees'>)
    assert.equal(asked.state, 'applied', kind)
  }
  const both = { merchantId, add: ['198.51.100.3'], remove: ['198.51.100.2'] }
  await assert.rejects(
    changeNetworks(app, ada, merchantId, both),
    { why: 'two_people_needed' },
    'what also allows more takes two',
  )
  const { networks } = await showMerchant(app, merchantId)
  assert.ok(networks.includes('198.51.100.2'))
  await assert.rejects(
    changeNetworks(app, ada, merchantId, { remove: networks }),
    { why: 'two_people_needed' },
    'none means everywhere',
  )
})

test('each rule of matching is loosened by two and tightened by one', async () => {
  const { merchantId: own } = await service.merchant()
  const stricter = { amount: 'exact', tolerance: 0n, late: 'review', nameCheck: 'require' } as const
  await setMatching(app, ada, own, stricter)
  const looser: Parameters<typeof setMatching>[3][] = [
    { amount: 'tolerance', tolerance: 1n },
    { amount: 'accept_received' },
    { late: 'complete' },
    { nameCheck: 'warn' },
    { nameCheck: 'off' },
    { approveFrom: 1_000_000_00n },
  ]
  for (const change of looser) {
    await assert.rejects(setMatching(app, ada, own, change), { why: 'two_people_needed' }, Object.keys(change)[0])
  }
  const asked = await makeProposal(app, ada, 'merchant.matching', { merchantId: own, nameCheck: 'off' })
  assert.equal(asked.state, 'open')
})

test('live: one person matches below 10.000 TL, or a line that names the deposit', async () => {
  const { merchantId: own } = await service.merchant()
  const [small, large, named] = await Promise.all(
    [999_999n, 1_000_000n, 1_000_000n].map(async (amount) => (await someDeposits(app, own, 1, amount))[0]),
  )
  if (!small || !large || !named) throw new Error('no deposit')
  const held = async (narrative: string, amount: bigint) => {
    await ingest(app, [await lineFor(app, small, { narrative, amount })])
    await matchAll(app)
    return (await listLines(app.db, 'suspense', 1))[0]?.id ?? assert.fail('no line in suspense')
  }
  await matchByHand(app, ada, await held('kira', 999_999n), small.id, 'the customer confirmed it')
  const line = await held('kira', 1_000_000n)
  await assert.rejects(matchByHand(app, ada, line, large.id, 'the customer confirmed it'), { why: 'two_people_needed' })
  const asked = await makeProposal(app, ada, 'line.match', { lineId: line, depositId: large.id }, { reason: 'shown' })
  assert.equal(asked.state, 'open')
  const other = (await someDeposits(app, merchantId, 1, 777n))[0] ?? assert.fail('no deposit')
  const stolen = await held(`FAST ${named.referenceCode}`, 9_900n)
  await assert.rejects(
    matchByHand(app, ada, stolen, other.id, 'the customer confirmed it', 9_900n),
    { why: 'two_people_needed' },
    'another is named',
  )
  const coded = await held(`kira ${named.referenceCode}`, 1_000_001n)
  await matchByHand(app, ada, coded, named.id, 'the customer confirmed it', 1_000_001n)
})
