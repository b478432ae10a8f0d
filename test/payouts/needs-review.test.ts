import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { retryLine } from '../../packages/server/src/domain/matching/index.ts'
import { claimToSubmit } from '../../packages/server/src/domain/withdrawals/payouts/store.ts'
import { dispatchWithdrawals, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import {
  findLine,
  reviewTotals,
  listLines,
  unexplainedDebits,
} from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const bank = await startPlainBank()
const rail = bankApiConnection(bank.connection)
app.connections.push(rail)
const shop = await service.merchant({ funds: 1_000_000n })
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)

/** A debit that no payout explains. Returns its id. */
async function unexplainedDebit(narrative = 'kira'): Promise<string> {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  assert.ok(deposit)
  const line = await lineFor(app, deposit, { direction: 'debit', amount: 700n, narrative })
  await ingest(app, [line])
  await matchAll(app)
  const [row] = await app.db.query<{ id: string }>(
    sql`select id from bank_lines where bank_reference = ${line.bankReference}`,
  )
  return row?.id ?? ''
}

test('an unexplained debit needs review: it is listed, counted, subtracted from the account, and can be decided', async () => {
  const before = (await reviewTotals(app.db, 'debit'))[0]?.amount ?? 0n
  const id = await unexplainedDebit()
  assert.equal((await findLine(app.db, id))?.state, 'needs_review')
  assert.ok((await listLines(app.db, 'needs_review', 10)).some((line) => line.id === id))
  assert.equal((await reviewTotals(app.db, 'debit'))[0]?.amount, before + 700n)
  assert.equal(
    (await unexplainedDebits(app.db)).reduce((sum, { amount }) => sum + amount, 0n),
    before + 700n,
  )
  await retryLine(app, UNATTRIBUTED, id)
  assert.equal((await findLine(app.db, id))?.state, 'new')
  await matchAll(app)
})

test('a payout that such a line names is not sent', async () => {
  const { body } = await shop.post('/v1/withdraw', withdrawBody({ amount: 1000 }))
  const id = body.data.transactionId as string
  await unexplainedDebit(`REF ${id}`)
  await dispatchWithdrawals(app)
  const terms = { connections: [rail.name], now: app.clock.now(), leaseMs: 1000, limit: 100 }
  await app.db.transaction((tx) => claimToSubmit(tx, terms))
  assert.equal((await findPayout(app.db, id))?.state, 'asking')
})

test('line list --state takes the states of a line', async () => {
  const unknown = await run(['line', 'list', '--state', 'lost'])
  assert.match(unknown.errors, /Allowed choices are new, matched, suspense, needs_review, dismissed/)
  const listed = await run(['line', 'list', '--state', 'needs_review', '--json'])
  assert.equal(listed.code, 0)
  assert.ok(JSON.parse(listed.output).lines.every(({ state }: { state: string }) => state === 'needs_review'))
})
