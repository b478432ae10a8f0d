import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { actorName, merchantUserActor, operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { refuse } from '../../packages/server/src/kernel/refusals/refuse.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { listAudit } from '../../packages/server/src/domain/audit/index.ts'
import {
  findAccount,
  listBanks,
  setAccountLimits,
  setBankLimits,
} from '../../packages/server/src/domain/banks/index.ts'
import {
  findRule,
  listRules,
  setRule,
  undoRule,
  closeDay,
  entriesBefore,
  postEntry,
  reopenDay,
} from '../../packages/server/src/domain/books/index.ts'
import type { KindName, TermsOf } from '../../packages/server/src/domain/proposals/index.ts'
import {
  approvalRight,
  approveProposal,
  findProposal,
  KINDS,
  rejectProposal,
  makeProposal,
} from '../../packages/server/src/domain/proposals/index.ts'
import { findDepositById } from '../../packages/server/src/domain/deposits/index.ts'
import { eraseTransaction } from '../../packages/server/src/domain/erasures/index.ts'
import { closedUntil } from '../../packages/server/src/domain/ledger/index.ts'
import {
  dismissLine,
  restoreLine,
  decideCorrection,
  matchByHand,
} from '../../packages/server/src/domain/matching/index.ts'
import {
  addEndpoint,
  callbackNetworks,
  changeCallbackNetworks,
  changeEndpoint,
  changeFees,
  changeNetworks,
  findEndpoints,
  merchantInForce,
  findSettlementAccount,
  setMatching,
  setMaxOpenDeposits,
  setPayoutRules,
  setRefundsCharged,
  showMerchant,
  unfreezeMerchant,
} from '../../packages/server/src/domain/merchants/index.ts'
import { openConnectedAccount } from '../../packages/server/src/domain/connections/index.ts'
import {
  addOperator,
  DECIDING,
  listOperators,
  mayTake,
  RIGHTS,
  ROLES,
  setRoles,
} from '../../packages/server/src/domain/people/index.ts'
import { disableLogin, listLogins } from '../../packages/server/src/domain/identity/index.ts'
import {
  enterLine,
  findLine,
  importFile,
  listEntered,
  listFiles,
  listLines,
  previewFile,
} from '../../packages/server/src/domain/statements/index.ts'
import type { Proposed, RuleChange } from '../../packages/server/src/domain/books/index.ts'
import { distributeEvents } from '../../packages/server/src/domain/webhooks/index.ts'
import {
  approveWithdrawal,
  createInstruction,
  findWithdrawalById,
  stopWithdrawal,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { ERASED } from '../../packages/server/src/kernel/erased.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { keepProposed } from '../../packages/server/src/domain/uploads/index.ts'
import { termsOfImport } from '../../packages/server/src/domain/proposals/statement-import.ts'
import { seenOf } from '../harness/approvals.ts'
import { connectionChanges } from '../harness/connection-changes.ts'
import { restoreChanges } from '../harness/restore-changes.ts'
import { openOutage } from '../harness/entered-lines.ts'
import { camt, contentOf, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { withdrawBody } from '../harness/examples.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { cheap, operatorWithLogin, usersOf } from '../harness/logins.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const app = { ...service.app, sandbox: false }
for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(service.app, UNATTRIBUTED, name, DECIDING)
for (const role of ROLES) await addOperator(service.app, UNATTRIBUTED, `only.${role}`, [role])
const [ada, bora] = [operatorActor('ada.aksoy'), operatorActor('bora.boz')]
const { merchantId } = await service.merchant()
const [account] = await app.banks.accounts()
const accountId = account?.id ?? assert.fail('no account')
const [endpoint] = await findEndpoints(app.db, [merchantId])
const endpointId = endpoint?.id ?? assert.fail('no endpoint')
const IBAN = makeIban('0046', '4242')
const OWN = { iban: makeIban('0062', '99'), title: 'Kitap Evi A.Ş.' }

await setPayoutRules(service.app, ada, merchantId, { approvalThreshold: 100n })
await setAccountLimits(app, ada, accountId, { amount: 100_000_00n, count: 100 })
await setMatching(app, ada, merchantId, { approveFrom: 50_000n })
const [deposit] = await someDeposits(app, merchantId, 1, 84_000n)
if (!deposit) throw new Error('no deposit')
await ingest(app, [await lineFor(app, deposit, { narrative: 'kira' })])
await matchAll(app)
const lineId = (await listLines(app.db, 'suspense', 1))[0]?.id ?? assert.fail('no line in suspense')
for (const name of ['ayse.yilmaz', 'mehmet.kaya']) await addOperator(service.app, UNATTRIBUTED, name, DECIDING)
const outage = await openOutage(service.app)
await outage.enter()
const typed = { ...outage.written, amount: 777n }
await outage.gives(outage.real({ senderName: 'Hasan Su' }))
await outage.gives(outage.real({ senderName: 'Hüseyin Ay' }))
const [suspected, repeated] = (await outage.lines()).slice(-2).map(({ id }) => id) as [string, string]

await ingest(app, [
  await lineFor(app, deposit, { narrative: 'kira', bankReference: 'uncounted' }),
  await lineFor(app, deposit, { narrative: 'kira', bankReference: 'gone' }),
])
await matchAll(app)
const lines = await listLines(app.db, undefined, 100)
const [uncounted, gone] = ['uncounted', 'gone'].map(
  (reference) => lines.find(({ bankReference }) => bankReference === reference)?.id ?? assert.fail('no line'),
) as [string, string]
for (const actor of [ada, bora])
  await makeProposal(app, actor, 'line.dismiss', { lineId: gone, notPayouts: [] }, { reason: 'shown twice' })

const { iban: fileIban } = await openFileAccount(service.app)
const bookings = [{ number: 'N1', amount: 100, sender: 'Ayşe Yılmaz', text: 'kira' }]
const file = contentOf('f.xml', camt('054', { iban: fileIban, day: '2026-03-10', bookings }))
await keepProposed(app, 'ada.aksoy', { name: file.name, content: file.open() })
const importTerms = termsOfImport(await previewFile(app, file, PLAIN), null)

const rich = await service.merchant({ funds: 50_000n })
const users = await usersOf(service.app, rich.merchantId, ['a', 'b'])
const [userA, userB] = (['a', 'b'] as const).map((name) =>
  merchantUserActor(rich.merchantId, users[name], 'finance'),
) as [Actor, Actor]
const instruction = {
  ...{ merchantId: rich.merchantId, id: app.ids.next(), source: null, currency: 'TRY' },
  lines: [{ processId: 'p-1', accountName: 'Veli Aslan', iban: 'TR620006200029500006291296', amount: 100n }],
}

const REASON = { reason: 'a reason to do it' }

/** No line shows it: two people. */
const OPENING: Proposed = {
  kind: 'opening_balance',
  terms: { lineIds: [], accountId, amount: 100n, day: '2026-01-02' },
}

const RULE: RuleChange = {
  ...({ kind: 'bank_charge', direction: 'debit', accountId: null, replaces: null } as const),
  ...{ words: 'FAST MASRAFI', maxAmount: 1000n, books: true },
}
for (const actor of [ada, bora]) await makeProposal(app, actor, 'rule.set', { ...RULE, words: 'KREDI TAKSIDI' }, REASON)
const [wrongRule] = await listRules(app)
if (!wrongRule) throw new Error('no rule')

const suspect = await service.merchant()
// Freezing takes one person.
await makeProposal(app, ada, 'merchant.freeze', { merchantId: suspect.merchantId, frozen: true }, REASON)

const payer = await service.merchant({ funds: 50_000n })
const { transactionId: ended } = (await payer.post('/v1/withdraw', withdrawBody())).body.data
await stopWithdrawal(app, ada, ended, 'asked for by the shop')
while ((await distributeEvents(app)) > 0);
const waiting = async () => {
  const { transactionId } = (await payer.post('/v1/withdraw', withdrawBody({ amount: 100 }))).body.data
  await app.db.query(sql`
    update withdrawals set state = 'awaiting_approval', state_reason = 'amount' where id = ${transactionId}`)
  return seenOf(app, transactionId)
}
const [toApprove, another] = [await waiting(), await waiting()]
const toErase = { kind: 'withdrawal', merchantId: payer.merchantId, id: ended } as const
const early = { askedFor: 'transaction', reason: 'request 2036/14', despiteRetention: true } as const

await operatorWithLogin(cheap(service.app), 'view.one', ['viewer'])
const rolesOf = async (name: string) => (await listOperators(app.db)).find((one) => one.name === name)?.roles
const loginOf = async (name: string) =>
  (await listLogins(app.db, { audience: 'operator' })).find((one) => one.name === name)

const merchant = () => merchantInForce(app, merchantId)

const { cases: ofRestore, releasing } = await restoreChanges(app, ada, await service.merchant())

/** Before all business. */
const DAY = '2020-01-01'

/** Of every kind: terms, what one person alone is refused, and the value afterwards. */
const CASES: {
  [Name in KindName]: {
    terms: TermsOf<Name>
    alone: () => Promise<unknown>
    after: () => Promise<unknown>
    is: unknown
    /** Who proposes and approves, if it is not the staff. */
    people?: [Actor, Actor]
    /** What the second has seen, if the proposal does not show it. */
    seen?: string
  }
} = {
  'merchant.networks': {
    ...{ terms: { merchantId, add: ['203.0.113.7'] }, is: true },
    alone: () => changeNetworks(app, ada, merchantId, { add: ['203.0.113.7'] }),
    after: async () => (await showMerchant(app, merchantId)).networks.includes('203.0.113.7'),
  },
  'merchant.fees': {
    terms: { merchantId, withdraw: { bps: 150 } },
    alone: () => changeFees(app, ada, merchantId, { withdraw: { bps: 150 } }),
    after: async () => (await merchant()).fees[0]?.withdraw.bps,
    is: 150,
  },
  'merchant.freeze': {
    ...{ terms: { merchantId: suspect.merchantId, frozen: false }, is: false },
    alone: () => unfreezeMerchant(app, ada, suspect.merchantId, 'documents checked'),
    after: async () => (await merchantInForce(app, suspect.merchantId)).frozen,
  },
  'merchant.refunds': {
    ...{ terms: { merchantId, charged: true }, is: true },
    alone: () => setRefundsCharged(app, ada, merchantId, true),
    after: async () => (await merchant()).refundsCharged,
  },
  'merchant.open_deposits': {
    ...{ terms: { merchantId, max: 7777 }, is: 7777 },
    alone: () => setMaxOpenDeposits(app, ada, merchantId, 7777),
    after: async () => (await merchant()).maxOpenDeposits,
  },
  'merchant.payout_rules': {
    ...{ terms: { merchantId, approvalThreshold: 200n }, is: 200n },
    alone: () => setPayoutRules(app, ada, merchantId, { approvalThreshold: 200n }),
    after: async () => (await merchant()).payoutRules.approvalThreshold,
  },
  // In a sandbox too: see settlement.long.test.ts.
  'merchant.settlement_account': {
    terms: { merchantId, ...OWN },
    alone: () => Promise.reject(refuse('two_people_needed')),
    after: () => findSettlementAccount(app, merchantId),
    is: OWN,
  },
  'endpoint.add': {
    terms: { merchantId, url: 'https://shop.example/second' },
    alone: () => addEndpoint(app, ada, merchantId, { url: 'https://shop.example/second' }),
    after: async () =>
      (await findEndpoints(app.db, [merchantId])).map(({ url }) => url).includes('https://shop.example/second'),
    is: true,
  },
  'endpoint.change': {
    terms: { merchantId, endpointId, url: 'https://shop.example/first' },
    alone: () => changeEndpoint(app, ada, merchantId, endpointId, { url: 'https://shop.example/first' }),
    after: async () => (await findEndpoints(app.db, [merchantId])).find(({ id }) => id === endpointId)?.url,
    is: 'https://shop.example/first',
  },
  'endpoint.networks': {
    ...{ terms: { merchantId, add: ['10.20.0.0/16'] }, is: ['10.20.0.0/16'] },
    alone: () => changeCallbackNetworks(app, ada, merchantId, { add: ['10.20.0.0/16'] }),
    after: () => callbackNetworks(app, merchantId),
  },
  'bank.limits': {
    terms: { bank: '0046', currency: 'TRY', minAmount: 50n, maxAmount: 2000n },
    alone: () => setBankLimits(app, ada, '0046', 'TRY', { minAmount: 50n, maxAmount: 2000n }),
    after: async () => (await listBanks(app)).find(({ code }) => code === '0046')?.limits[0]?.minAmount,
    is: 50n,
  },
  'account.open': {
    ...{ terms: { iban: IBAN, title: 'Örnek Ödeme A.Ş.', currency: 'TRY' }, is: 'Örnek Ödeme A.Ş.' },
    alone: () => openConnectedAccount(app, ada, { iban: IBAN, title: 'Örnek Ödeme A.Ş.', currency: 'TRY' }),
    after: async () => (await findAccount(app, IBAN)).title,
  },
  'account.limits': {
    ...{ terms: { account: accountId, amount: 5000n, count: 101 }, is: 101 },
    alone: () => setAccountLimits(app, ada, accountId, { amount: 5000n, count: 101 }),
    after: async () => (await findAccount(app, accountId)).dailyCountLimit,
  },
  ...(await connectionChanges(app, ada, accountId)),
  'line.match': {
    terms: { lineId, depositId: deposit.id },
    alone: () => matchByHand(app, ada, lineId, deposit.id, 'the customer confirmed it'),
    after: async () => (await findDepositById(app.db, deposit.id))?.status,
    is: 'completed',
  },
  'line.new_money': {
    terms: { lineId: suspected },
    alone: () => decideCorrection(app, ada, suspected, 'new_money'),
    after: async () => (await findLine(app.db, suspected))?.state,
    is: 'new',
  },
  'line.same_money': {
    terms: { lineId: repeated },
    alone: () => decideCorrection(app, ada, repeated, 'same_money'),
    after: async () => (await findLine(app.db, repeated))?.state,
    is: 'dismissed',
  },
  'line.dismiss': {
    terms: { lineId: uncounted, notPayouts: [] },
    alone: () => dismissLine(app, ada, { lineId: uncounted, notPayouts: [] }, 'shown twice'),
    after: async () => (await findLine(app.db, uncounted))?.state,
    is: 'dismissed',
  },
  'journal.entry': {
    terms: OPENING,
    alone: () => postEntry(app, ada, OPENING, 'as on the paper statement'),
    after: async () => (await entriesBefore(app.db, null, 1))[0]?.kind,
    is: 'opening_balance',
  },
  'rule.set': {
    terms: RULE,
    alone: () => setRule(app, ada, RULE, 'price list of the bank'),
    after: async () => (await listRules(app)).some(({ words }) => words === 'FAST MASRAFI'),
    is: true,
  },
  'rule.undo': {
    terms: { ruleId: wrongRule.id },
    alone: () => undoRule(app, ada, wrongRule.id, 'these were loans'),
    after: async () => (await findRule(app, wrongRule.id))?.state,
    is: 'ended',
  },
  'line.restore': {
    terms: { lineId: gone },
    alone: () => restoreLine(app, ada, gone, 'it counts'),
    after: async () => (await findLine(app.db, gone))?.state,
    is: 'new',
  },
  'line.enter': {
    terms: typed,
    alone: () => enterLine(app, ada, typed, 'the bank is down'),
    after: async () => (await listEntered(app.db, 1))[0]?.amount,
    is: 777n,
  },
  'day.close': {
    terms: { day: DAY },
    alone: () => closeDay(app, ada, { day: DAY, figures: '' }, null),
    after: () => closedUntil(app.db),
    is: DAY,
  },
  'day.reopen': {
    terms: { day: DAY },
    alone: () => reopenDay(app, ada, DAY, 'a mistake'),
    after: () => closedUntil(app.db),
    is: null,
  },
  'statement.import': {
    terms: importTerms,
    alone: () => importFile(app, ada, file, PLAIN),
    after: async () => (await listFiles(app.db, 1))[0]?.state,
    is: 'imported',
  },
  ...ofRestore,
  // Last: a match by hand takes two people until then.
  'merchant.matching': {
    terms: { merchantId, approveFrom: 60_000n },
    alone: () => setMatching(app, ada, merchantId, { approveFrom: 60_000n }),
    after: async () => (await merchant()).matching.approveFrom,
    is: 60_000n,
  },
  'operator.add': {
    terms: { name: 'new.cashier', roles: ['cashier'] },
    alone: () => addOperator(app, ada, 'new.cashier', ['cashier']),
    after: async () => (await rolesOf('new.cashier')) ?? [],
    is: ['cashier'],
  },
  'operator.roles': {
    terms: { name: 'view.one', roles: ['viewer', 'approver'] },
    alone: () => setRoles(app, ada, 'view.one', ['viewer', 'approver']),
    after: () => rolesOf('view.one'),
    is: ['viewer', 'approver'],
  },
  'operator.reset': {
    terms: { name: 'view.one' },
    alone: async () => disableLogin(app, ada, (await loginOf('view.one'))?.id ?? ''),
    after: () => loginOf('view.one'),
    is: undefined,
  },
  'transaction.erase': {
    terms: { ...toErase, ...early },
    alone: () => eraseTransaction(app, ada, toErase, { ...early, dryRun: false }),
    after: async () => (await findWithdrawalById(app.db, ended))?.accountName,
    is: ERASED,
  },
  'withdrawal.approve': {
    terms: toApprove,
    alone: () => approveWithdrawal(app, ada, toApprove.withdrawalId, toApprove.seen),
    after: async () => (await findWithdrawalById(app.db, toApprove.withdrawalId))?.approvedBy,
    is: [actorName(ada), actorName(bora)],
    seen: toApprove.seen,
  },
  instruction: {
    terms: instruction,
    alone: () => createInstruction(app, userA, instruction),
    after: async () => (await rich.get('/v1/transactions?type=withdrawal')).body.data.transactions.length,
    is: 1,
    people: [userA, userB],
  },
}

test('of every kind: one person alone is refused; two people change it, and it is recorded once; who may not approve does not reject', async () => {
  assert.deepEqual(Object.keys(CASES).toSorted(), Object.keys(KINDS).toSorted())
  for (const [kind, { terms, alone, after, is, people = [ada, bora], seen }] of Object.entries(CASES)) {
    const [first, second] = people as [Actor, Actor]
    await assert.rejects(alone(), { why: 'two_people_needed' }, kind)
    const asked = await makeProposal(app, first, kind as 'merchant.fees', terms as TermsOf<'merchant.fees'>, REASON)
    if (asked.state !== 'open') return assert.fail(`${kind} is ${asked.state}`)
    assert.notDeepEqual(await after().catch(() => null), is, `${kind}: nothing changes before the approval`)
    const { rows } = (await findProposal(app.db, asked.proposal.id)) ?? assert.fail(kind)
    const isChange = rows.some((row) => JSON.stringify(row.before) !== JSON.stringify(row.after))
    assert.ok(isChange, kind)
    const right = approvalRight(KINDS[kind as KindName])
    for (const role of ROLES.filter((one) => !mayTake([one], right)))
      await assert.rejects(
        rejectProposal(app, operatorActor(`only.${role}`), asked.proposal.id, 'not for this role'),
        { why: 'operator_without_right' },
        `${kind} by ${role}`,
      )
    const [newest] = await listAudit(app.db, {}, 1)
    await approveProposal({ ...app, releasing }, second, asked.proposal.id, seen ?? asked.proposal.seenSha256)
    assert.deepEqual(await after(), is, kind)
    const made = (await listAudit(app.db, {}, 10)).filter(({ number }) => number > (newest?.number ?? 0))
    const by = made.map((entry) => `${entry.action} ${entry.actor}`)
    assert.deepEqual(
      by.toSorted(),
      [`${right} ${actorName(second)}`, `proposal.approve ${actorName(second)}`].toSorted(),
      kind,
    )
  }
})

test('each kind is proposed only by the roles of its action, and approved only by those', async () => {
  for (const [kind, { terms }] of Object.entries(CASES)) {
    const { action } = KINDS[kind as KindName]
    for (const role of ROLES.filter((one) => !mayTake([one], action)))
      await assert.rejects(
        makeProposal(
          app,
          operatorActor(`only.${role}`),
          kind as 'merchant.fees',
          { ...terms, ...DIFFERENT } as never,
          REASON,
        ),
        new RegExp(
          `operator_without_right|account_open|deposit_takes_no_money|line_not_in_state|line_may_repeat|operator_exists|operator_without_login|restore_pairs_changed|restore_released|connection_name_taken|line_not_open|entered_line_repeats|day_not_last_closed|rule_undone`,
        ),
        `${kind} by ${role}`,
      )
    const right = approvalRight(KINDS[kind as KindName])
    for (const role of ROLES.filter((one) => mayTake([one], right)))
      assert.ok(
        mayTake([role], 'proposal.approve'),
        `${role} may approve ${kind}, for which it takes ${RIGHTS[right].join()}`,
      )
  }
})

/** What the first test has made true would be no change. */
const DIFFERENT = {
  ...another,
  ...{ add: ['10.203.0.99'], max: 5, charged: false, iban: makeIban('0062', '100'), url: 'https://shop.example/other' },
}

test('below the amount of the merchant one person matches by hand, also in live', async () => {
  const [other] = await someDeposits(app, merchantId, 1, 10_000n)
  if (!other) return assert.fail('no deposit')
  await ingest(app, [await lineFor(app, other, { narrative: 'kira', bankReference: 'small-1' })])
  await matchAll(app)
  const small = (await listLines(app.db, 'suspense', 1))[0]?.id ?? assert.fail('no line in suspense')
  const asked = await makeProposal(app, ada, 'line.match', { lineId: small, depositId: other.id })
  assert.equal(asked.state, 'applied')
})
