import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { compose, prepare } from '../../packages/server/src/compose.ts'
import { forgedAccounts } from '../../packages/server/src/domain/banks/index.ts'
import { SEALED_TABLES } from '../../packages/server/src/domain/doctor/index.ts'
import { findSession, logIn } from '../../packages/server/src/domain/identity/index.ts'
import { createMerchant, forgedSettings } from '../../packages/server/src/domain/merchants/index.ts'
import { addOperator, DECIDING, setRoles } from '../../packages/server/src/domain/people/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { resealRows } from '../../packages/server/src/platform/postgres/sealed-rows.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { cloneDatabase, testConfig } from '../harness/database.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { cheap, enter, HOME, operatorWithLogin, PASSWORD } from '../harness/logins.ts'

const OLD = testConfig().masterKey
const NEW = randomBytes(32)
const WRONG = { said: { why: 'login_wrong', facts: { audience: 'operator' } } }
const KEY_LOST = /has lost its row row-marks/
const log = (name: string) => ({ audience: 'operator', name, password: PASSWORD }) as const

function processOf(databaseUrl: string, changes: Parameters<typeof testConfig>[0] = {}) {
  const app = compose(testConfig(changes), databaseUrl)
  after(() => app.db.end())
  return app
}

async function database() {
  const { url, drop } = await cloneDatabase()
  after(drop)
  return url
}

/** The key is lost and no backup has it: what the runbook says, and no row has a mark. */
async function loseMarks(app: ReturnType<typeof processOf>): Promise<void> {
  await app.db.query(sql`alter table word_marks disable trigger user`)
  await app.db.query(sql`delete from word_marks`)
  await app.db.query(sql`alter table word_marks enable trigger user`)
  await app.db.query(sql`delete from deployment_secrets where name = 'row-marks'`)
  await app.db.query(sql`update operators set mark = null`)
  await app.db.query(sql`update logins set mark = null`)
  await app.db.query(sql`update sessions set mark = null`)
  await app.db.query(sql`update collecting_accounts set mark = ''`)
  await app.db.query(sql`update merchants set setting_marks = '{}'`)
}

test('a new key keeps passwords, ends sessions, and is made once', async () => {
  const url = await database()
  const first = cheap(processOf(url), false)
  await operatorWithLogin(first, 'ada.aksoy')
  const sandbox = { ...first, sandbox: true }
  await operatorWithLogin(sandbox, 'bora.boz', ['viewer'])
  const { token } = await enter(sandbox, 'operator', 'bora.boz')
  await createMerchant({ ...first, sandbox: true }, UNATTRIBUTED, { name: 'Dükkân' })
  await loseMarks(processOf(url))

  const marked = processOf(url)
  await prepare(marked)
  assert.deepEqual([await forgedAccounts(marked), await forgedSettings(marked)], [[], []])
  const app = cheap(marked)
  assert.equal(await findSession(app, 'operator', token), null, 'sessions end')
  await enter(app, 'operator', 'bora.boz')
  await setRoles(app, operatorActor('ada.aksoy'), 'bora.boz', ['cashier'])

  // A login without a mark is refused from now on, also after a start.
  await app.db.query(sql`update logins set mark = null where name = 'bora.boz'`)
  await prepare(processOf(url))
  await assert.rejects(logIn(app, log('bora.boz'), HOME), WRONG)
})

test('a key that was deleted is not made anew: what was written meanwhile would count', async () => {
  const url = await database()
  const app = processOf(url)
  await addOperator(app, UNATTRIBUTED, 'ada.aksoy', DECIDING)
  await app.db.query(sql`delete from deployment_secrets where name = 'row-marks'`)
  await assert.rejects(prepare(processOf(url)), KEY_LOST)
  const commands = openCommandLine({ DATABASE_URL: url, VEZNE_MASTER_KEY: OLD.toString('hex') })
  after(() => commands.stop())
  const { errors, code } = await commands.run(['operator', 'add', 'bora.boz', '--role', 'admin'])
  assert.match(errors, /no key for the marks of rows\. .*The key of the marks is lost/)
  assert.doesNotMatch(errors, /\n {4}at /, 'no stack trace')
  assert.equal(code, 2)
  await assert.rejects(prepare(processOf(url)), { name: 'SettingsError' }, 'nor at a start')
  await app.db.query(sql`update operators set mark = null`)
  await assert.rejects(prepare(processOf(url)), KEY_LOST)
})

test('a rotation of the master key changes no mark: people stay logged in', async () => {
  const url = await database()
  const before = cheap(processOf(url, { masterKey: OLD }))
  await operatorWithLogin(before, 'ada.aksoy')
  const { token } = await enter(before, 'operator', 'ada.aksoy')
  const during = processOf(url, { masterKey: NEW, oldMasterKey: OLD })
  assert.ok(await findSession(cheap(during), 'operator', token))
  const { unopened } = await resealRows(during, SEALED_TABLES, () => undefined)
  assert.deepEqual(unopened, [])
  const app = cheap(processOf(url, { masterKey: NEW }))
  assert.ok(await findSession(app, 'operator', token))
  await enter(app, 'operator', 'ada.aksoy')
  await assert.rejects(enter(cheap(processOf(url, { masterKey: OLD })), 'operator', 'ada.aksoy'), /master key/)
})
