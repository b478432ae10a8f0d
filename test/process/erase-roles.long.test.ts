import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { run } from '../harness/child-process.ts'
import { testConfig } from '../harness/database.ts'
import type { RoleName } from '../harness/roles.ts'
import { runSql, startWithRoles } from '../harness/roles.ts'

// What the triggers and the rights let through, whatever the code does.

const { urlOf } = await startWithRoles()
const folder = mkdtempSync(join(tmpdir(), 'vezne-erase-roles-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const settings = (role: RoleName) => ({
  VEZNE_DATA: folder,
  DATABASE_URL: urlOf(role),
  VEZNE_MASTER_KEY: testConfig().masterKey.toString('hex'),
  VEZNE_MIGRATE: 'off',
})
const { code, errors } = await run(['migrate'], settings('vezne_owner'))
assert.equal(code, 0, errors)

const PERMISSION_DENIED = '42501'
const REFUSED_BY_TRIGGER = '23001'

/** The error code that PostgreSQL refuses with, or null. */
async function refusal(role: RoleName, statement: string): Promise<string | null> {
  try {
    await runSql(urlOf(role), `begin; ${statement}; rollback`)
    return null
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('the app erases what a record names, only by the marker, and alters nothing else', async () => {
  await runSql(
    urlOf('vezne_owner'),
    `insert into withdrawals (merchant_id, id, process_id, amount, fee, currency, status, state, iban, account_name, user_id, user_name, name, created_at, updated_at)
       select 'm', id, id, 100, 0, 'TRY', 'completed', 'sent', 'TR620006200029500006291296', 'Ayşe', 'u', 'u', 'Ayşe', now(), now()
       from unnest(array['named', 'other']) as id;
     insert into payout_calls (merchant_id, withdrawal_id, number, kind, outcome, detail, called_at)
       select 'm', id, 1, 'person', 'found', '"Ayşe"', now() from unnest(array['named', 'other']) as id;
     insert into proposals (id, kind, target, payload, payload_sha256, description, seen_sha256, reason, proposed_by,
       proposed_at, state, decided_by, decided_at, note)
       select id, 'withdrawal.approve', 'withdrawal:' || id, '{}', '', '[]', '', 'Ayşe', 'ada', now(), 'applied', 'bora', now(), 'Ayşe'
       from unnest(array['named', 'other']) as id;
     insert into erasures (merchant_id, transaction_id, number, kind, asked_for, operator, reason, despite_retention, erased_at)
       values ('m', 'named', 1, 'withdrawal', 'transaction', 'ada', 'request 1', false, now())`,
  )
  const whole = `update withdrawals set iban = 'TR470000000000000000000000', account_name = '[erased]', name = '[erased]'`
  const cases: [statement: string, refusedWith: string | null][] = [
    [`${whole} where id = 'named'`, null],
    [`${whole} where id = 'other'`, REFUSED_BY_TRIGGER],
    [`${whole}, amount = 99 where id = 'named'`, REFUSED_BY_TRIGGER],
    [
      `${whole}, status = 'failed', state = 'failed', failure_reason = 'not_sent' where id = 'named'`,
      REFUSED_BY_TRIGGER,
    ],
    [`update withdrawals set account_name = 'Mallory' where id = 'named'`, REFUSED_BY_TRIGGER],
    [`update withdrawals set iban = 'TR330006100519786457841326' where id = 'named'`, REFUSED_BY_TRIGGER],
    [`update withdrawals set iban = '[erased]', user_name = 'Mallory' where id = 'named'`, REFUSED_BY_TRIGGER],
    [`update payout_calls set detail = '"[erased]"' where withdrawal_id = 'named'`, null],
    [`update payout_calls set detail = '"[erased]"' where withdrawal_id = 'other'`, REFUSED_BY_TRIGGER],
    [`update payout_calls set detail = '"never sent"' where withdrawal_id = 'named'`, REFUSED_BY_TRIGGER],
    [`update payout_calls set outcome = 'not_found' where withdrawal_id = 'named'`, PERMISSION_DENIED],
    [`update proposals set reason = '[erased]', note = '[erased]' where id = 'named'`, null],
    [`update proposals set reason = '[erased]' where id = 'other'`, REFUSED_BY_TRIGGER],
    [`update proposals set note = 'another' where id = 'named'`, REFUSED_BY_TRIGGER],
    [`update proposals set note = '[erased]', decided_by = 'cem' where id = 'named'`, REFUSED_BY_TRIGGER],
    [`update proposals set note = '[erased]', payload = '[erased]' where id = 'named'`, REFUSED_BY_TRIGGER],
    [`update erasures set reason = 'another' where transaction_id = 'named'`, PERMISSION_DENIED],
    [`delete from erasures`, PERMISSION_DENIED],
    [`update transfers set amount = 1`, PERMISSION_DENIED],
  ]
  for (const [statement, refusedWith] of cases)
    assert.equal(await refusal('vezne_app', statement), refusedWith, statement)
  const byOwner: [statement: string, refusedWith: string][] = [
    [
      `update payout_calls set outcome = 'not_found', detail = '"[erased]"' where withdrawal_id = 'named'`,
      REFUSED_BY_TRIGGER,
    ],
    [`delete from payout_calls where withdrawal_id = 'named'`, REFUSED_BY_TRIGGER],
    [`update erasures set reason = 'another'`, REFUSED_BY_TRIGGER],
    [`delete from erasures`, REFUSED_BY_TRIGGER],
    [`truncate erasures, erased_rows`, REFUSED_BY_TRIGGER],
  ]
  for (const [statement, refusedWith] of byOwner)
    assert.equal(await refusal('vezne_owner', statement), refusedWith, statement)
})

test('`vezne erase` runs with the role of the app', async () => {
  await runSql(
    urlOf('vezne_owner'),
    `insert into merchants (id, name, requests_per_second, created_at) values ('m', 'Dükkân', 10, now()) on conflict do nothing`,
  )
  const options = ['--transaction', 'other', '--despite-retention', '--reason', 'request 2', '--json']
  const erased = await run(['erase', ...options], settings('vezne_app'))
  assert.equal(erased.code, 0, erased.errors)
  assert.deepEqual(JSON.parse(erased.output).rows, { withdrawals: 1, payout_calls: 1, proposals: 1 })
  const [row] = await runSql(
    urlOf('vezne_owner'),
    `select iban, account_name, amount from withdrawals where id = 'other'`,
  )
  assert.deepEqual(row, { iban: 'TR470000000000000000000000', account_name: '[erased]', amount: 100n })
})
