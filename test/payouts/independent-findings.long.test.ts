import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { bankApiConnection } from '../../packages/server/src/domain/connections/index.ts'
import { logIn } from '../../packages/server/src/domain/identity/index.ts'
import {
  decideDoubt,
  decideEnded,
  dispatchWithdrawals,
  submitPayouts,
  withdrawOpinion,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, DECIDING, setRoles } from '../../packages/server/src/domain/people/index.ts'
import { forgetLogin, writeLogin } from '../../packages/server/src/edges/cli/core/login-file.ts'
import { UNATTRIBUTED, operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { cheap } from '../harness/cheap-passwords.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { laterBy } from '../harness/crash.ts'
import { withdrawBody } from '../harness/examples.ts'
import { giveLogin, PASSWORD } from '../harness/operator-console.ts'
import { startPlainBank } from '../harness/plain-bank.ts'
import { startService } from '../harness/service.ts'

// Two people end a payout in doubt only if neither could copy the other.
const service = await startService()
const { app } = service
const bank = await startPlainBank()
const byBank = { ...app, connections: [bankApiConnection(bank.connection)] }
const shop = await service.merchant({ funds: 5_000_000n })
const [ADA, BORA, CEM] = ['ada.aksoy', 'bora.boz', 'cem.can'] as const
for (const name of [ADA, BORA, CEM]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const data = mkdtempSync(join(tmpdir(), 'vezne-findings-'))
const commands = openCommandLine({
  VEZNE_DATA: data,
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(() => {
  commands.stop()
  rmSync(data, { recursive: true, force: true })
})

const DAY = 86_400

/** Sent to a bank that never says what became of it. */
async function unknown(): Promise<string> {
  bank.behave({ submit: () => 'reset', find: () => ({ status: 500, body: {} }) })
  const { transactionId: id } = (await shop.post('/v1/withdraw', withdrawBody())).body.data
  while ((await dispatchWithdrawals(byBank)) + (await submitPayouts(byBank)) > 0);
  return id
}

const found = (operator: string, id: string, evidence: string) =>
  decideDoubt(app, operatorActor(operator), id, { verdict: 'found', evidence })

test('who has seen what another found and says the same ends nothing with that person', async () => {
  const id = await unknown()
  const takeBack = (name: string) => withdrawOpinion(app, operatorActor(name), id, 'only to read')
  await found(ADA, id, 'FT-SECRET-777')
  assert.equal(await found(BORA, id, '0'), 'opinions differ')
  assert.equal(await found(BORA, id, 'FT-SECRET-777'), 'waiting for a third person')
  await takeBack(BORA)
  assert.equal(await found(BORA, id, 'FT-SECRET-777'), 'waiting for a third person', 'taken back after reading')
  await takeBack(ADA)
  assert.equal(await found(ADA, id, 'FT-SECRET-777'), 'waiting for a third person', 'nor if the first says it again')
  const third = {
    code: 'INVALID_STATE',
    said: { why: 'opinion_given_already', facts: { person: ADA, needs: 'third' } },
  }
  await found(BORA, id, 'FT-OTHER')
  await found(BORA, id, 'FT-SECRET-777')
  await assert.rejects(found(ADA, id, 'FT-SECRET-777'), third)
  const { output } = await commands.run(['withdrawal', 'show', id, '--as', BORA])
  assert.match(output, /third person +One of two who said the same could see the other by then/)
  const { output: told } = await commands.run(['withdrawal', 'resolve', id, '--as', CEM, '--take-back', 'nothing yet'])
  assert.doesNotMatch(told, /FT-SECRET/)
  assert.equal(await found(CEM, id, 'FT-SECRET-777'), 'sent')
})

test('who is logged in on the command line sees what others found after reporting', async () => {
  const id = await unknown()
  await found(ADA, id, 'FT-SECRET-777')
  await giveLogin({ app }, BORA, ADA)
  const visitor = { address: null, userAgent: null, host: hostname() }
  const { token } = await logIn(cheap(app), { audience: 'operator', name: BORA, password: PASSWORD }, visitor)
  writeLogin({ dataFolder: data }, { name: BORA, token })
  for (const more of [[], ['--json']]) {
    const { output } = await commands.run(['withdrawal', 'show', id, ...more])
    assert.doesNotMatch(output, /FT-SECRET/)
  }
  assert.match(
    (await commands.run(['withdrawal', 'show', id])).output,
    /stated +1 person has reported; shown after your own report/,
  )
  const audit = async () => (await commands.run(['audit', 'list', '--subject', `withdrawal:${id}`, '--json'])).output
  assert.doesNotMatch(await audit(), /"verdict"/)
  await found(BORA, id, '0')
  assert.match((await commands.run(['withdrawal', 'show', id])).output, /FT-SECRET/)
  assert.equal((await audit()).match(/"verdict": ?"found"/g)?.length, 2)
  forgetLogin({ dataFolder: data })
  await found(CEM, id, '0')
})

test('without a login, or named by --as in a sandbox, the command line shows an open finding to who has reported', async () => {
  const id = await unknown()
  await found(ADA, id, 'FT-SECRET-778')
  const show = async (...more: string[]) => (await commands.run(['withdrawal', 'show', id, ...more])).output
  for (const who of [[], ['--as', BORA], ['--as', 'no.one']]) {
    assert.match(await show(...who), /stated +1 person has reported; shown after your own report/)
    assert.doesNotMatch(await show(...who, '--json'), /FT-SECRET|"verdict"/)
  }
  assert.match(await show('--as', ADA), /FT-SECRET/)
  await addOperator(app, UNATTRIBUTED, 'deniz.dal', ['auditor'])
  assert.match(await show('--as', 'deniz.dal'), /FT-SECRET/)
  const { entries } = JSON.parse(
    (await commands.run(['audit', 'list', '--subject', `withdrawal:${id}`, '--json'])).output,
  )
  const entry = entries.find(({ actor }: { actor: string }) => actor === ADA)
  assert.deepEqual([entry.before, entry.after], [null, null])
  const shown = await commands.run(['audit', 'show', String(entry.number)])
  assert.doesNotMatch(shown.output, /found/)
  assert.match(shown.output, /why +1 person has reported; shown after your own report/)
  await found(BORA, id, 'FT-SECRET-778')
  assert.match(await show(), /FT-SECRET/)
  assert.match((await commands.run(['audit', 'show', String(entry.number)])).output, /"verdict":"found"/)
})

test('a third person who is wrong: no one is left who has seen nothing, and the one who said it first confirms', async () => {
  const id = await unknown()
  await found(ADA, id, 'FT-1')
  await found(BORA, id, 'FT-2')
  assert.equal(await found(CEM, id, 'FT-3'), 'opinions differ')
  assert.equal(await found(BORA, id, 'FT-1'), 'waiting for the other to confirm')
  await assert.rejects(found(BORA, id, 'FT-1'), {
    said: { why: 'opinion_given_already', facts: { person: BORA, needs: 'first' } },
  })
  assert.equal(await found(ADA, id, 'FT-1'), 'sent')
})

test('only two people may decide: the one who said it first confirms what the other changed to', async () => {
  await setRoles(app, operatorActor(ADA), CEM, ['viewer'])
  const [open, ended] = [await unknown(), await unknown()]
  await found(ADA, open, 'FT-1')
  await found(BORA, open, 'FT-2')
  assert.equal(await found(BORA, open, 'FT-1'), 'waiting for the other to confirm')
  assert.equal(await found(ADA, open, 'FT-1'), 'sent')

  for (const name of [ADA, BORA]) await found(name, ended, 'FT-3')
  const later = laterBy(app, 7 * DAY)
  const say = (name: string, verdict: 'never_paid' | 'paid') =>
    decideEnded(later, operatorActor(name), ended, { verdict, evidence: 'the bank says so' })
  assert.equal(await say(ADA, 'never_paid'), 'waiting for a second person')
  assert.equal(await say(BORA, 'paid'), 'opinions differ')
  assert.equal(await say(BORA, 'never_paid'), 'waiting for the other to confirm')
  assert.equal(await say(ADA, 'never_paid'), 'returned')
  await setRoles(app, operatorActor(ADA), CEM, ['cashier', 'approver', 'admin'])
})

test('two agreed while one of them had no right: who has it again says the same once more', async () => {
  const id = await unknown()
  await found(BORA, id, 'FT-1')
  await setRoles(app, operatorActor(ADA), BORA, ['viewer'])
  assert.equal(await found(ADA, id, 'FT-1'), 'waiting for a second person')
  await setRoles(app, operatorActor(ADA), BORA, ['cashier', 'approver', 'admin'])
  assert.equal(await found(ADA, id, 'FT-1'), 'sent')
})
