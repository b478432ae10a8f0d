import pg from 'pg'
import type { App } from '../../packages/server/src/compose.ts'
import { compose, prepare } from '../../packages/server/src/compose.ts'
import { findDrift, findMixedEntries } from '../../packages/server/src/domain/ledger/index.ts'
import { createMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { testConfig } from '../../test/harness/database.ts'
import { cheap, merchantUser, operatorWithLogin } from '../../test/harness/logins.ts'
import type { Run } from '../creation.ts'
import { makeEmptyDatabase } from '../databases.ts'
import { AUDIT } from './audit.ts'
import { loadInBulk } from '../bulk-load.ts'
import { NUMBERS, OWNERS } from './numbers.ts'
import { ROWS, SUMS } from './rows.ts'

/** Rows of one turn: progress is shown after each. */
const TURN = 100_000
const PEOPLE = ['ayse', 'mehmet'] as const
export const LOGINS = { operator: PEOPLE[0], merchant: 'owner@shop.example', smallMerchant: 'owner@small.example' }

export type Seeded = { app: App; url: string; merchantId: string; db: pg.Client }

/** A database with so many transactions of so many merchants, and what they leave in every table. */
export async function seed(
  { serverUrl, say, stops }: Run,
  name: string,
  { transactions, merchants }: { transactions: number; merchants: number },
): Promise<Seeded> {
  const start = performance.now()
  const progress = (what: string) =>
    say(`  ${name}: ${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s  ${what}`)
  const url = await makeEmptyDatabase(serverUrl, name)
  const app = compose(testConfig(), url)
  stops.push(() => app.db.end())
  await prepare(app)
  const merchantIds = await addMerchants(app, merchants)
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  stops.push(() => db.end())
  await db.query(`set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set synchronous_commit = off`)
  await db.query(`
    insert into accounts (id, merchant_id, kind, currency, subject)
    select substr(md5(kind || c.id), 1, 24), repeat('0', 24), kind, c.currency, c.id
    from collecting_accounts c, unnest(array['bank_cash', 'suspense']) as kind on conflict do nothing`)
  const restore = await loadInBulk(url, db, progress)
  await writeRows(db, { merchantIds, transactions, until: app.clock.now() }, progress)
  await restore()
  progress('statistics')
  await db.query('vacuum analyze')
  await mustHold(app, db)
  progress('done')
  return { app, url, merchantId: merchantIds[0] ?? '', db }
}

/** With the people who look at the pages. */
async function addMerchants(app: App, count: number): Promise<string[]> {
  for (const person of PEOPLE) await operatorWithLogin(cheap(app), person)
  const ids: string[] = []
  for (let number = 1; number <= count; number++) {
    const shop = { name: `Shop ${number}`, callbackUrl: 'http://127.0.0.1:9/callbacks' }
    const created = await createMerchant(app, UNATTRIBUTED, { ...shop, allowedNetworks: ['127.0.0.1'] })
    ids.push(created.merchantId)
  }
  await merchantUser(cheap(app), ids[0] ?? '', LOGINS.merchant)
  await merchantUser(cheap(app), ids[6] ?? '', LOGINS.smallMerchant)
  return ids
}

type History = { merchantIds: string[]; transactions: number; until: Date }

async function writeRows(
  db: pg.Client,
  { merchantIds, transactions, until }: History,
  progress: (what: string) => void,
) {
  const [owners = '', sources = ''] = OWNERS
  await db.query(owners, [merchantIds])
  await db.query(sources)
  const second = Math.floor(until.getTime() / 1000)
  for (let from = 1; from <= transactions; from += TURN) {
    const to = Math.min(from + TURN - 1, transactions)
    await db.query(NUMBERS, [from, to, transactions, second, merchantIds.length])
    for (const statement of [...ROWS, AUDIT]) await db.query(statement)
    await db.query('drop table numbers')
    progress(`${to} of ${transactions} transactions`)
  }
  const today = istanbul(until).day
  for (const { what, text, values } of SUMS) {
    progress(what)
    await db.query(text, values === 'closing' ? [today, PEOPLE] : [])
  }
  await db.query(`update ledger_state set closed_until = $1::date - 1`, [today])
  await db.query('update event_positions set last = $1', [transactions])
}

/** What triggers and workers ensure of each row. */
async function mustHold(app: App, db: pg.Client): Promise<void> {
  const { report } = app.db.withStatementLimit(60_000)
  const drift = await findDrift(report)
  const mixed = await findMixedEntries(report)
  const { rows } = await db.query<{ id: string }>(`
    select l.id from bank_lines l
    left join (select line_id, sum(amount) as amount from line_parts group by line_id) as p on p.line_id = l.id
    where (l.state = 'matched') <> (p.amount is not null) or p.amount <> l.amount limit 5`)
  if (drift.length + mixed.length + rows.length > 0)
    throw new Error(
      `The seed is wrong: ${drift.length} balances, ${mixed.length} entries, lines ${rows.map(({ id }) => id).join()}`,
    )
}
