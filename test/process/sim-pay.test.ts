import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { merchantActor } from '../../packages/server/src/kernel/actor.ts'
import { cancelDeposit } from '../../packages/server/src/domain/deposits/index.ts'
import { matchLines } from '../../packages/server/src/domain/matching/index.ts'
import { fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { FAULT_KINDS } from '../../packages/server/src/edges/cli/sandbox/sim-bank.ts'
import { FAULT_KINDS as KINDS_OF_BANK } from '../../packages/simulator/src/bank/fault-plan.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { accepted } from '../harness/envelope.ts'
import { depositBody, withdrawBody } from '../harness/examples.ts'
import { someDeposits } from '../harness/payments.ts'
import { startWithBank } from '../harness/payouts.ts'
import { until } from '../harness/until.ts'

const service = await startWithBank()
const { app, bank, connection } = service
const shop = await service.merchant()
const data = mkdtempSync(join(tmpdir(), 'vezne-sim-pay-'))

/** The simulated bank for the command; `beforeStatement` runs before its statement is given. */
let beforeStatement = async (): Promise<void> => {}
const proxy = createServer((request, response) => {
  void (async () => {
    if (request.url?.startsWith('/api/statement')) await beforeStatement()
    const body = Buffer.concat(await request.toArray())
    const { authorization = '' } = request.headers
    const answer = await fetch(`${bank.baseUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': 'application/json' },
      ...(body.length > 0 && { body }),
    })
    response.writeHead(answer.status).end(await answer.text())
  })()
})
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
const bankUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
writeFileSync(join(data, 'sandbox.json'), JSON.stringify({ bankUrl, bankKey: bank.key }))
const { run, stop } = openCommandLine({
  VEZNE_DATA: data,
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(() => {
  stop()
  proxy.closeAllConnections()
  proxy.close()
  rmSync(data, { recursive: true, force: true })
})

/** The command looks whether lines are still to be judged. */
const isWaiting = async () =>
  (
    await app.db.query(sql`
      select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and query like '%from bank_lines l where l.state = ''new'' order by l.id desc limit%'`)
  ).length > 0

test('sim pay returns after the line is judged, also while another process is judging it', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  const other = new pg.Client({ connectionString: app.databaseUrl })
  await other.connect()
  try {
    beforeStatement = async () => {
      beforeStatement = async () => {}
      await fetchLines(app, connection)
      await other.query('begin')
      const { rowCount } = await other.query(`select 1 from bank_lines where state = 'new' for update`)
      assert.equal(rowCount, 1)
    }
    let done = false
    const paying = run(['sim', 'pay', deposit?.id ?? '']).finally(() => (done = true))
    await until(async () => done || (await isWaiting()), Boolean)
    await other.query('commit')
    assert.equal(await matchLines(app), 1)
    const { code, output, errors } = await paying
    assert.deepEqual([code, output, errors], [0, 'Sent. The deposit is completed.\n', ''])
  } finally {
    await other.end()
  }
})

test('sim bank: a table of what is on and what has happened, which --off keeps', async () => {
  const show = async (...options: string[]) => (await run(['sim', 'bank', ...options])).output
  assert.equal(await show(), 'plan  off\n')
  const on = await show('--fault', 'find_error', 'slow', '--rate', '1', '--delay', '5')
  assert.equal(
    on,
    'plan  100 % of calls, seed 0, delay 5 ms\n\nfault       on   happened\nslow        yes  0\nfind_error  yes  0\n',
  )
  await assert.rejects(service.call('GET', 'transfers/unknown'), /500/)
  const off = 'plan  off\n\nfault       on  happened\nfind_error  no  1\n'
  assert.deepEqual([await show('--off'), await show()], [off, off])
  const { kinds, counts } = JSON.parse(await show('--json')) as { kinds: string[]; counts: Record<string, number> }
  assert.deepEqual([kinds, counts['find_error']], [[], 1])
})

test('sim bank: a fault that does not exist is refused with those that do', async () => {
  assert.deepEqual(FAULT_KINDS, KINDS_OF_BANK)
  const { code, errors } = await run(['sim', 'bank', '--fault', 'reset'])
  assert.equal(code, 2)
  assert.ok(errors.includes(FAULT_KINDS.join(', ')), errors)
})

test('sim pay says when the money is in suspense instead of on its deposit', async () => {
  const [cancelled, unnamed] = await someDeposits(app, shop.merchantId, 2)
  await cancelDeposit(app, merchantActor(shop.merchantId), cancelled?.id ?? '')
  const where = 'See: npx vezne line list --state suspense'
  assert.equal(
    (await run(['sim', 'pay', cancelled?.id ?? ''])).output,
    `Sent. The deposit is cancelled. The money is in suspense (deposit_cancelled). ${where}\n`,
  )
  assert.equal(
    (await run(['sim', 'pay', unnamed?.id ?? '', '--reference', 'kira'])).output,
    `Sent. The deposit is pending. The money is in suspense (no_reference). ${where}\n`,
  )
})

test('the id of the other kind of transaction is named as such; an empty list says what it lists', async () => {
  const empty = await run(['withdrawal', 'list'])
  assert.match(empty.output, /^No withdrawals in the state awaiting_approval\. Other states: --state queued, sending, /)
  const rich = await service.merchantWithMoney(100_000n)
  const withdrawal = accepted(await rich.post('/v1/withdraw', withdrawBody({ amount: 1000 })), 201).transactionId
  for (const command of [
    ['deposit', 'show'],
    ['sim', 'pay'],
  ]) {
    const { code, errors } = await run([...command, withdrawal])
    assert.equal(code, 1)
    assert.equal(errors, `${withdrawal} is a withdrawal, not a deposit. See: npx vezne withdrawal show ${withdrawal}\n`)
  }
  const [deposit] = await someDeposits(app, shop.merchantId, 1)
  assert.equal(
    (await run(['withdrawal', 'show', deposit?.id ?? ''])).errors,
    `${deposit?.id} is a deposit, not a withdrawal. See: npx vezne deposit show ${deposit?.id}\n`,
  )
})

test('a processId in place of an id: the transactions that have it are named', async () => {
  const rich = await service.merchantWithMoney(100_000n)
  const processId = 'order-77'
  const deposit = accepted(await rich.post('/v1/deposit', depositBody({ processId })), 201).transactionId
  const withdrawal = accepted(await rich.post('/v1/withdraw', withdrawBody({ processId, amount: 1000 })), 201)
  const words = [
    `${processId} is the processId of:`,
    `  deposit ${deposit}: npx vezne deposit show ${deposit}`,
    `  withdrawal ${withdrawal.transactionId}: npx vezne withdrawal show ${withdrawal.transactionId}`,
    '',
  ].join('\n')
  for (const command of ['deposit show', 'withdrawal show']) {
    const { code, errors } = await run([...command.split(' '), processId])
    assert.deepEqual([code, errors], [1, words])
  }
  const paid = await run(['sim', 'pay', processId])
  assert.deepEqual([paid.code, paid.errors], [1, words.replace('vezne deposit show', 'vezne sim pay')])
  assert.equal((await run(['deposit', 'show', 'order-78'])).errors, 'There is no deposit order-78.\n')
})

test('withdrawal show: an hour only while it is scheduled', async () => {
  const rich = await service.merchantWithMoney(100_000n)
  const { transactionId } = accepted(await rich.post('/v1/withdraw', withdrawBody({ amount: 1000 })), 201)
  assert.doesNotMatch((await run(['withdrawal', 'show', transactionId])).output, /scheduled/)
})

test('withdrawal show: the line of the recipient that every payout has is not mentioned', async () => {
  const rich = await service.merchantWithMoney(100_000n)
  const { transactionId } = accepted(await rich.post('/v1/withdraw', withdrawBody({ amount: 1000 })), 201)
  await service.work()
  await service.readStatement()
  assert.match((await run(['find', transactionId])).output, /the other side of one of our payouts/, 'it is there')
  const { output } = await run(['withdrawal', 'show', transactionId])
  assert.match(output, /status +completed/)
  assert.doesNotMatch(output, /on a statement|names it/)
})

test('sim pay: what the deposit became in words; an amount in lira is refused with an example in kuruş', async () => {
  const [twice, short] = await someDeposits(app, shop.merchantId, 2)
  const paidTwice = (await run(['sim', 'pay', twice?.id ?? '', '--twice'])).output
  assert.match(paidTwice, /^Sent\. The deposit is completed: it was paid more than once\./)
  assert.match(
    (await run(['sim', 'pay', short?.id ?? '', '--amount', '100'])).output,
    /^Sent\. The deposit is processing: less than its amount has come/,
  )
  const { code, errors } = await run(['sim', 'pay', short?.id ?? '', '--amount', '12,50'])
  assert.deepEqual([code, errors], [2, '--amount is in whole kuruş, 1250 for 12,50 TL; not "12,50".\n'])
})

test('--version', async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  assert.deepEqual(await run(['--version']), { code: 0, output: `${version}\n`, errors: '' })
})
