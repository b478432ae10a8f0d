import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sql } from 'sql-template-tag'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { decisionsOf, matchLines, retryAll, retryLine } from '../../packages/server/src/domain/matching/index.ts'
import { balanceOf, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { openMissingAccounts } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import type { Connection } from '../../packages/server/src/domain/connections/index.ts'
import { fetchLines } from '../../packages/server/src/domain/connections/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { decideLines, findLine, listLines, listUnread } from '../../packages/server/src/domain/statements/index.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { reloadDeposit, lineFor, matchAll, someDeposits, ingest } from '../harness/payments.ts'
import { startSecondProcess, startService } from '../harness/service.ts'

// Only a fault of the line itself sets it aside; whatever passes leaves it where it was.

const service = await startService()
const { app, merchant } = service
await addOperator(app, UNATTRIBUTED, 'ayse', DECIDING)

async function paid(count: number) {
  const shop = await merchant()
  const deposits = await someDeposits(app, shop.merchantId, count)
  const lines = await Promise.all(deposits.map((deposit) => lineFor(app, deposit)))
  return { shop, deposits, lines }
}

/** Every write to the ledger fails with this state, or only a share of them. */
async function failWith(sqlState: string, share = 1): Promise<() => Promise<void>> {
  await app.db.transaction(async (tx) => {
    await tx.query(sql`
      create or replace function fail_for_test() returns trigger language plpgsql as $$
      begin
        if random() < coalesce(nullif(tg_argv[1], ''), '1')::float8 then
          raise exception 'made to fail' using errcode = tg_argv[0];
        end if;
        return new;
      end $$`)
    const arguments_ = `'${sqlState}', '${share}'`
    const text = `create trigger fail_for_test before insert on transfers for each row execute function fail_for_test(${arguments_})`
    await tx.query(new Sql([text], []))
  })
  return async () => void (await app.db.query(sql`drop trigger fail_for_test on transfers`))
}

test('a full disk (53100) while lines are matched: none is set aside, all are credited afterwards', async () => {
  const { shop, deposits, lines } = await paid(5)
  await ingest(app, lines)
  const mend = await failWith('53100')
  for (let tries = 0; tries < 3; tries++) await assert.rejects(matchLines(app), /disk is full\. Nothing was saved/)
  assert.deepEqual(await listLines(app.db, 'needs_review', 10), [])
  await mend()
  await matchAll(app)
  for (const deposit of deposits) assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, 5n * 125_000n)
})

test('three processes and a disk that is full now and then: every line is credited once, none is set aside', async () => {
  const processes = [app, await startSecondProcess(service), await startSecondProcess(service)]
  const { shop, deposits, lines } = await paid(60)
  const mend = await failWith('53100', 0.05)
  for (const line of lines) {
    await ingest(app, [line])
    await Promise.allSettled(processes.map((process) => matchLines(process)))
  }
  await mend()
  await matchAll(app)
  assert.deepEqual(await listLines(app.db, 'needs_review', 10), [])
  for (const deposit of deposits) assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  assert.equal((await balanceOf(app.db, shop.merchantId, 'TRY')).available, 60n * 125_000n)
  assert.deepEqual(await findDrift(app.db), [])
})

test('a line that was credited meanwhile cannot be moved to needs_review', async () => {
  const { deposits, lines } = await paid(1)
  await ingest(app, lines)
  await matchAll(app)
  const credited = (await listLines(app.db, 'matched', 1000)).find(({ depositId }) => depositId === deposits[0]?.id)
  const id = credited?.id ?? ''
  const late = {
    id,
    from: 'new',
    state: 'needs_review',
    reason: 'outgoing',
    deposit: null,
  } as const
  await assert.rejects(
    app.db.transaction((tx) => decideLines(tx, [late], app.clock.now())),
    { why: 'line_decided_meanwhile' },
  )
  assert.equal((await findLine(app.db, id))?.depositId, deposits[0]?.id)
})

test('a line that cannot be booked is set aside with the reason, and goes back to the matcher once that is mended', async () => {
  const { deposits, lines } = await paid(2)
  const mend = await failWith('23514')
  await ingest(app, lines)
  await matchAll(app)
  const stuck = await listLines(app.db, 'needs_review', 10)
  assert.deepEqual(
    stuck.map(({ reason }) => reason),
    ['cannot_be_booked', 'cannot_be_booked'],
  )
  const [decision] = await decisionsOf(app.db, [stuck[0]?.id ?? ''])
  assert.match(JSON.stringify(decision?.reasons), /made to fail/)
  await mend()
  await retryLine(app, operatorActor('ayse'), stuck[0]?.id ?? '')
  assert.equal(await retryAll(app, operatorActor('ayse')), 1)
  await matchAll(app)
  for (const deposit of deposits) assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
  await assert.rejects(retryLine(app, operatorActor('ayse'), stuck[0]?.id ?? ''), { why: 'line_not_in_state' })
})

test('an error of our own that every line meets sets five of them aside, not all; mended, all are credited', async () => {
  const { shop, deposits, lines } = await paid(12)
  await app.db.query(sql`delete from accounts where merchant_id = ${shop.merchantId}`)
  await ingest(app, lines)
  await assert.rejects(matchLines(app), /is not open or was not locked/)
  const theirs = async (state: string) =>
    (await listLines(app.db, state, 100)).filter(({ narrative }) =>
      deposits.some(({ referenceCode }) => narrative.includes(referenceCode)),
    )
  assert.deepEqual(
    (await theirs('needs_review')).map(({ reason }) => reason),
    Array.from({ length: 5 }, () => 'cannot_be_booked'),
  )
  assert.equal((await theirs('new')).length, 7)
  await openMissingAccounts(app)
  assert.equal(await retryAll(app, operatorActor('ayse')), 5)
  await matchAll(app)
  for (const deposit of deposits) assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
})

test('a line about payouts that cannot be booked is set aside; those behind it are decided', async () => {
  const { lines } = await paid(2)
  const [first, second] = lines as [BankLine, BankLine]
  const text = 'FAST IADE 6920f0aa17c3e5b2d4968f01'
  await app.db.query(
    sql`alter table bank_lines add constraint made_to_fail check (narrative <> 'bozuk' or state in ('new', 'needs_review') and reason is distinct from 'outgoing')`,
  )
  await ingest(app, [
    { ...first, direction: 'debit', narrative: 'bozuk' },
    { ...second, direction: 'debit', narrative: text },
  ])
  await matchAll(app)
  await app.db.query(sql`alter table bank_lines drop constraint made_to_fail`)
  const queued = (await listLines(app.db, 'needs_review', 10)).filter(({ direction }) => direction === 'debit')
  assert.deepEqual(queued.map(({ narrative, reason }) => `${narrative}: ${reason}`).toSorted(), [
    `${text}: outgoing`,
    'bozuk: cannot_be_booked',
  ])
  const stuck = queued.find(({ narrative }) => narrative === 'bozuk')
  await retryLine(app, operatorActor('ayse'), stuck?.id ?? '')
  await matchAll(app)
  assert.equal((await findLine(app.db, stuck?.id ?? ''))?.reason, 'outgoing')
})

test('a page with a line that the database refuses: that one is kept, the others come in, reading goes on', async () => {
  const { deposits, lines } = await paid(3)
  const bad: BankLine = { ...(lines[1] as BankLine), valueDate: '2026-02-30' }
  const pages = [[lines[0], bad] as BankLine[], [lines[2]] as BankLine[]]
  const connection: Connection = {
    kind: 'http_api',
    name: 'careless',
    statement: (cursor) => {
      const at = Number(cursor ?? 0)
      const next = String(Math.min(at + 1, pages.length))
      return Promise.resolve({ outcome: 'read', lines: pages[at] ?? [], unread: [], cursor: next, more: false })
    },
    submit: () => Promise.resolve({ outcome: 'pending' }),
    find: () => Promise.resolve({ outcome: 'pending' }),
  }
  for (let turn = 0; turn < 4; turn++) await fetchLines(app, connection)
  await matchAll(app)
  const statuses = await Promise.all(deposits.map(async (deposit) => (await reloadDeposit(app, deposit)).status))
  assert.deepEqual(statuses, ['completed', 'pending', 'completed'])
  const kept = (await listUnread(app.db)).filter(({ source }) => source === 'careless')
  assert.equal(kept.length, 1)
  assert.match(kept[0]?.raw ?? '', /2026-02-30/)
})
