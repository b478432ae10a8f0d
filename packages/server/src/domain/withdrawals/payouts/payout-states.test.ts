import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../../../../test/harness/service.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Payout, PayoutState } from './payout.ts'
import { NEXT, PAYOUT_STATES } from './payout.ts'
import {
  claimToQuery,
  claimToSubmit,
  doubtIntents,
  findPayout,
  insertIntents,
  lockPayout,
  updatePayout,
} from './store.ts'

const { app } = await startService()
const { merchantId, ids } = { merchantId: app.ids.next(), ids: app.ids }
const [account] = await app.banks.accounts()

/** A payout whose row is set to this state directly. */
async function payoutIn(state: PayoutState, connection = 'bank'): Promise<Payout> {
  const [id, now] = [ids.next(), app.clock.now()]
  const payout: Payout = {
    ...{ merchantId, withdrawalId: id, sourceAccountId: account?.id ?? '', connection, rail: 'fast', amount: 100n },
    ...{ currency: 'TRY', iban: 'TR1', accountName: 'A', description: `Para cekme ${id}`, purposeCode: '06', state },
    ...{ fence: 0, submits: 0, queries: 0, nextAt: now, bankReference: null, reason: null, createdAt: now },
    ...{ unknownSince: null, sentAt: null, mark: null },
  }
  await app.db.transaction(async (tx) => {
    // What a payout says must be what its withdrawal says, or it is not sent.
    await tx.query(sql`
      insert into withdrawals (merchant_id, id, process_id, amount, fee, currency, status, state, iban, account_name, user_id,
        user_name, name, created_at, updated_at)
      values (${merchantId}, ${id}, ${id}, 100, 0, 'TRY', 'processing', 'sending', 'TR1', 'A', 'u', 'u', 'u', ${now}, ${now})`)
    await insertIntents(tx, [payout], now)
    await tx.query(sql`update payouts set state = ${state} where withdrawal_id = ${id}`)
  })
  return payout
}

const stateOf = async ({ withdrawalId }: Payout) => (await findPayout(app.db, withdrawalId))?.state

function change(payout: Payout, state: PayoutState): Promise<Payout> {
  const { nextAt, bankReference, reason } = payout
  return app.db.transaction(async (tx) => {
    await lockPayout(tx, payout.merchantId, payout.withdrawalId)
    return updatePayout(tx, payout, { state, nextAt, bankReference, reason }, app.clock.now())
  })
}

for (const from of PAYOUT_STATES) {
  test(`from ${from}: ${NEXT[from].join(', ') || 'nothing'} is next, everything else is an error that changes nothing`, async () => {
    for (const to of PAYOUT_STATES) {
      const payout = await payoutIn(from)
      const legal = NEXT[from].includes(to)
      if (legal) await change(payout, to)
      else
        await assert.rejects(
          change(payout, to),
          new RegExp(`Payout ${payout.withdrawalId} cannot go from ${from} to ${to}`),
        )
      assert.equal(await stateOf(payout), legal ? to : from)
    }
  })
}

test('a change that expects another state than the row has is an error that changes nothing', async () => {
  const payout = await payoutIn('failed')
  await assert.rejects(change({ ...payout, state: 'asking' }, 'sent'), /was not asking/)
  assert.equal(await stateOf(payout), 'failed')
})

/** Statements that change many payouts at once, and the state each sets for a payout in every state that it takes. */
const CLAIMS: [
  what: string,
  claim: (tx: Tx, connection: string) => Promise<unknown>,
  taken: Partial<Record<PayoutState, PayoutState>>,
][] = [
  ['submit', (tx, connection) => claimToSubmit(tx, terms(connection)), { ready: 'calling' }],
  ['query', (tx, connection) => claimToQuery(tx, terms(connection)), { calling: 'asking', asking: 'asking' }],
  ['doubt', (tx) => doubtIntents(tx, app.clock.now()), { ready: 'asking', calling: 'asking', asking: 'asking' }],
]

const terms = (connection: string) => ({ connections: [connection], now: app.clock.now(), leaseMs: 1000, limit: 100 })

for (const [what, claim, taken] of CLAIMS) {
  test(`${what}: takes payouts from ${Object.keys(taken).join(', ')} along the table and leaves the others`, async () => {
    const payouts = await Promise.all(PAYOUT_STATES.map((state) => payoutIn(state, what)))
    await app.db.transaction((tx) => claim(tx, what))
    for (const payout of payouts) {
      const after = taken[payout.state]
      assert.equal(await stateOf(payout), after ?? payout.state)
      if (after) assert.ok(NEXT[payout.state].includes(after), `${payout.state} → ${after}`)
    }
  })
}
