import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CollectingAccount } from '../../packages/server/src/domain/banks/index.ts'
import {
  accountsInForce,
  openBankDirectory,
  openCollectingAccount,
} from '../../packages/server/src/domain/banks/index.ts'
import type { KindName, TermsOf } from '../../packages/server/src/domain/proposals/index.ts'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { changeAccountState } from '../../packages/server/src/domain/deposits/index.ts'
import { examine } from '../../packages/server/src/domain/doctor/index.ts'
import { merchantInForce, setMatching, setPayoutRules } from '../../packages/server/src/domain/merchants/index.ts'
import {
  dispatchWithdrawals,
  queryPayoutStatus,
  submitPayouts,
  previewSettlement,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { accepted, refused } from '../harness/envelope.ts'
import { laterBy } from '../harness/crash.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { mustFind } from '../harness/history.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { startWithBank } from '../harness/payouts.ts'
import { registerAccount } from '../harness/settlements.ts'
import { until } from '../harness/until.ts'

// Someone who writes to every table, as the owner of the database, and does not have the master key.
const service = await startWithBank()
const { app, connection } = service
await openJournal(app)
const live = { ...app, sandbox: false }
const EVIL = 'TR330006100519786457841326'
let accountsMade = 0

/** Triggers and foreign keys do not stop the owner. */
const write = (statement: Sql) =>
  app.db.transaction(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`)
    await tx.query(statement)
  })

async function byTwo<Name extends KindName>(name: Name, terms: TermsOf<Name>): Promise<void> {
  await makeProposal(live, AYSE, name, terms)
  assert.equal((await makeProposal(live, MEHMET, name, terms)).state, 'applied')
}

type Named = { facts: { what: string; id: string } }

/** Ids of the rows of this kind that the doctor names. */
async function doctorNames(kind: string): Promise<string[]> {
  const config = { mode: 'sandbox', dataFolder: '/nowhere', databaseUrl: service.databaseUrl, baseUrl: null } as const
  const checks = await examine(app, { ...config, isWorker: false, ops: null, auditHeads: null })
  const rows = (checks.find(({ check }) => check === 'marks')?.found.facts['rows'] ?? []) as unknown as Named[]
  return rows.map(({ facts }) => facts).flatMap(({ what, id }) => (what === kind ? id : []))
}

/** A row that two people have decided. `forgeries`: what someone writes over it, or beside it. */
type Subject = {
  follows: () => Promise<boolean>
  forgeries: Record<string, Sql>
  named: [kind: string, id: string]
  /** Two people decide again. */
  decide: () => Promise<void>
}

async function openAccount(): Promise<CollectingAccount> {
  const facts = { iban: makeIban('0062', String(++accountsMade)), title: 'Vezne A.Ş.', currency: 'TRY' }
  const { id } = await openCollectingAccount(app, UNATTRIBUTED, facts)
  return (await accountsInForce(app)).find((one) => one.id === id) ?? assert.fail()
}

const offered = async ({ id, bankId }: CollectingAccount) =>
  (await openBankDirectory(app).accountsFor(bankId, 'TRY')).some((one) => one.id === id)

async function account(): Promise<Subject> {
  const [own, other] = [await openAccount(), await openAccount()]
  const change = (set: Sql) => sql`update collecting_accounts set ${set} where id = ${own.id}`
  return {
    follows: () => offered(own),
    forgeries: {
      'another holder': change(sql`title = 'Evil'`),
      'another connection': change(sql`connection = 'evil'`),
      'the mark of another': change(sql`mark = (select mark from collecting_accounts where id = ${other.id})`),
    },
    named: ['account', own.iban],
    decide: () => byTwo('account.connect', { accounts: [own.id], connection: connection.name }),
  }
}

async function insertedAccount(): Promise<Subject> {
  const own = await openAccount()
  const id = app.ids.next()
  const iban = makeIban('0062', `9${++accountsMade}`)
  const insert = (mark: Sql) => sql`
    insert into collecting_accounts (id, bank_id, title, iban, currency, state, created_at, mark)
    select ${id}, bank_id, 'Evil', ${iban}, currency, 'active', now(), ${mark} from collecting_accounts where id = ${own.id}
    on conflict (id) do update set mark = excluded.mark, connection = null`
  return {
    // Before, the account beside it.
    follows: async () => {
      const known = (await accountsInForce(app)).find((one) => one.id === id)
      return offered(known ?? own)
    },
    forgeries: { 'without a mark': insert(sql`''`), 'the mark of another': insert(sql`mark`) },
    named: ['account', iban],
    decide: () => byTwo('account.connect', { accounts: [id], connection: connection.name }),
  }
}

async function settlementAccount(): Promise<Subject> {
  const { merchantId } = await service.merchant()
  const register = (number: string) =>
    registerAccount(app, ['ayse.yilmaz', 'mehmet.kaya'], merchantId, {
      iban: makeIban('0062', number),
      title: 'Kitap Evi A.Ş.',
    })
  await register('771')
  await register('772')
  const insert = (iban: Sql, mark: Sql) => sql`
    insert into settlement_accounts (merchant_id, number, iban, title, proposed_by, confirmed_by, confirmed_at, mark)
    select merchant_id, (select max(number) + 1 from settlement_accounts where merchant_id = ${merchantId}), ${iban}, title,
      proposed_by, confirmed_by, confirmed_at, ${mark}
    from settlement_accounts where merchant_id = ${merchantId} and number = 1`
  return {
    follows: async () => (await previewSettlement(app, merchantId)).account !== null,
    forgeries: {
      'another IBAN': sql`update settlement_accounts set iban = ${EVIL} where merchant_id = ${merchantId}`,
      'a newer row': insert(sql`${EVIL}`, sql`'x'`),
      'an old row again': insert(sql`iban`, sql`mark`),
    },
    named: ['settlement_account', merchantId],
    decide: () => register(String(800 + ++accountsMade)),
  }
}

/** Of a merchant whose row someone else may copy. */
async function merchants() {
  const shop = await service.merchantWithMoney(1_000_000n)
  const other = await service.merchant({ allowedNetworks: ['0.0.0.0/0', '::/0'] })
  const change = (set: Sql) => sql`update merchants set ${set} where id = ${shop.merchantId}`
  const copied = (setting: string, columns: Sql) => sql`
    update merchants m set ${columns},
      setting_marks = m.setting_marks || jsonb_build_object(${setting}::text, o.setting_marks -> ${setting}::text)
    from merchants o where m.id = ${shop.merchantId} and o.id = ${other.merchantId}`
  return { shop, other, merchantId: shop.merchantId, change, copied }
}

async function sends(shop: Awaited<ReturnType<typeof merchants>>['shop']): Promise<boolean> {
  const { transactionId } = accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: 100 })), 201)
  await service.work()
  const { state, stateReason } = await mustFind(app, transactionId)
  if (state === 'sent') return true
  assert.deepEqual([state, stateReason], ['awaiting_approval', 'merchant_rules'])
  return false
}

async function payoutRules(): Promise<Subject> {
  const { shop, other, merchantId, change, copied } = await merchants()
  const [strict, loose] = [{ approvalThreshold: 50_000n }, { approvalThreshold: 900_000n }]
  await setPayoutRules(app, UNATTRIBUTED, merchantId, strict)
  await setPayoutRules(app, UNATTRIBUTED, other.merchantId, loose)
  return {
    follows: () => sends(shop),
    forgeries: {
      'a higher threshold': change(sql`approval_threshold = 900000`),
      'other limits': change(sql`daily_withdraw_count = 1000`),
      'the rules of another': copied('payout_rules', sql`approval_threshold = o.approval_threshold`),
    },
    named: ['merchant_setting', `payout_rules of ${merchantId}`],
    decide: () => byTwo('merchant.payout_rules', { merchantId, ...strict, dailyAmount: 800_000n }),
  }
}

async function networks(): Promise<Subject> {
  const { shop, merchantId, change, copied } = await merchants()
  return {
    follows: async () => {
      const { status } = await shop.get('/v1/available-banks')
      assert.ok(status === 200 || status === 403, String(status))
      return status === 200
    },
    forgeries: {
      'another network': change(sql`networks = networks || '{0.0.0.0/0}'`),
      'no network': change(sql`networks = '{}'`),
      'the mark of another': copied('networks', sql`name = o.name`),
      'one network less': change(sql`networks = array_remove(networks, '127.0.0.1')`),
    },
    named: ['merchant_setting', `networks of ${merchantId}`],
    decide: () => byTwo('merchant.networks', { merchantId, add: ['127.0.0.1', '::1'] }),
  }
}

async function matching(): Promise<Subject> {
  const { other, merchantId, change, copied } = await merchants()
  const loose = { amount: 'accept_received', approveFrom: 900_000n } as const
  for (const id of [merchantId, other.merchantId]) await setMatching(app, UNATTRIBUTED, id, loose)
  return {
    follows: async () => (await merchantInForce(app, merchantId)).matching.amount === 'accept_received',
    forgeries: {
      'a higher limit': change(sql`match_approval_from = 90000000`),
      'late payments': change(sql`late_policy = 'complete'`),
      'the mark of another': copied('matching', sql`name = o.name`),
    },
    named: ['merchant_setting', `matching of ${merchantId}`],
    decide: () => byTwo('merchant.matching', { merchantId, ...loose, nameCheck: 'off' }),
  }
}

const SUBJECTS = { account, insertedAccount, settlementAccount, payoutRules, networks, matching }

for (const [name, open] of Object.entries(SUBJECTS)) {
  test(`${name}: what someone writes in SQL is not followed, the doctor names it, and two people end it`, async () => {
    const subject = await open()
    const [kind, id] = subject.named
    const isNamed = async () => (await doctorNames(kind)).some((one) => one.includes(id))
    assert.deepEqual([await subject.follows(), await isNamed()], [true, false])
    for (const [forgery, statement] of Object.entries(subject.forgeries)) {
      await write(statement)
      // A running process sees it within a second.
      await until(subject.follows, (follows) => !follows)
      assert.ok(await isNamed(), forgery)
      await subject.decide()
      await until(subject.follows, (follows) => follows)
      assert.ok(!(await isNamed()), forgery)
    }
  })
}

test('one person blocks an account that someone has inserted, and can do nothing else with it', async () => {
  const own = await openAccount()
  await write(sql`update collecting_accounts set title = 'Evil' where id = ${own.id}`)
  await assert.rejects(changeAccountState(app, UNATTRIBUTED, own.id, 'paused'), { why: 'account_not_recorded' })
  await changeAccountState(app, UNATTRIBUTED, own.id, 'blocked', 'no one opened it')
  assert.ok(!(await doctorNames('account')).includes(own.iban))
  await write(sql`update collecting_accounts set state = 'active' where id = ${own.id}`)
  assert.deepEqual([await offered(own), (await doctorNames('account')).includes(own.iban)], [false, true])
})

test('a bank whose only account was changed is not offered, and no deposit is created with it', async () => {
  const shop = await service.merchant()
  const isAkbank = ({ currency, iban }: CollectingAccount) => currency === 'TRY' && iban.slice(5, 9) === '0046'
  const own = (await accountsInForce(app)).find(isAkbank) ?? assert.fail()
  const codes = async () =>
    accepted(await shop.get('/v1/available-banks'), 200).banks.map(({ code }: { code: string }) => code) as string[]
  assert.ok((await codes()).includes('0046'))
  await write(sql`update collecting_accounts set title = 'Evil' where id = ${own.id}`)
  await until(codes, (found) => !found.includes('0046'))
  refused(await shop.post('/v1/deposit', depositBody({ bankCode: '0046' })), 400, 'VALIDATION_ERROR')
  await byTwo('account.connect', { accounts: [own.id], connection: connection.name })
  await until(codes, (found) => found.includes('0046'))
})

test('no payout leaves from an account that someone has changed, also if it was routed before', async () => {
  const shop = await service.merchantWithMoney(500_000n)
  const ask = async () =>
    accepted(await shop.post('/v1/withdraw', withdrawBody({ amount: 100 })), 201).transactionId as string
  const accounts = (await accountsInForce(app)).filter(({ currency }) => currency === 'TRY').map(({ id }) => id)
  const fresh = () => ({ ...app, banks: openBankDirectory(app) })
  const sent = async (id: string) => (await service.witness()).some(({ reference }) => reference === id)
  const change = () => write(sql`update collecting_accounts set title = 'Thief' where id = any(${accounts}::text[])`)
  const decide = () => byTwo('account.connect', { accounts, connection: connection.name })

  const routed = await ask()
  await dispatchWithdrawals(fresh())
  assert.equal((await mustFind(app, routed)).state, 'sending')
  await change()
  await submitPayouts(fresh())
  assert.equal(await sent(routed), false)
  const waiting = await ask()
  await dispatchWithdrawals(fresh())
  assert.equal((await mustFind(app, waiting)).stateReason, 'no_account')

  await decide()
  const later = laterBy(app, 3600)
  const worker = { ...later, banks: openBankDirectory(app) }
  while ((await dispatchWithdrawals(worker)) + (await submitPayouts(worker)) + (await queryPayoutStatus(worker)) > 0);
  assert.deepEqual([await sent(routed), await sent(waiting)], [true, true])
})
