import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { approveProposal, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { dispatchWithdrawals, findOpenRestore } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { RestoreCheck } from '../../packages/server/src/domain/restores/index.ts'
import { checkRestored, recordPaidPairs, releaseRestored } from '../../packages/server/src/domain/restores/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { checkHistory } from '../harness/history.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { ADA, app, ask, BORA, from, mark, openOf, sentBefore, sentTimes, service, statesOf } from './restored-scope.ts'

const live = { ...app, sandbox: false }
/** Not one of our accounts: the source of this file is any of those. */
const OTHER_IBAN = makeIban('0046', '77')
const idsOf = ({ pairs }: RestoreCheck) => pairs.map(({ withdrawalId, line }) => ({ withdrawalId, lineId: line.id }))
const release = (actor: typeof ADA, check: RestoreCheck, checked: string) =>
  makeProposal(
    { ...live, releasing: { check, checked } },
    actor,
    'restore.release',
    { number: check.restore.number },
    { reason: checked },
  )

test('retries of lost withdrawals that the bank has paid: release is refused until two people record them as sent', async () => {
  for (const amount of [3_300n, 4_400n, 4_400n]) await sentBefore(app.ids.next(), { amount })
  await sentBefore(app.ids.next(), { amount: 5_500n, toIban: OTHER_IBAN })
  const written = await ask(3_300)
  await dispatchWithdrawals(app)
  await mark()
  const [retry, again, third] = [await ask(4_400), await ask(4_400), await ask(4_400)]
  const elsewhere = await ask(5_500)

  const check = await checkRestored(app, ADA)
  assert.deepEqual(
    check.pairs.map(({ withdrawalId, line }) => [withdrawalId, line.amount]),
    [
      [written, 3_300n],
      [retry, 4_400n],
      [again, 4_400n],
    ],
  )
  assert.equal(new Set(idsOf(check).map(({ lineId }) => lineId)).size, 3, 'each debit is in one pair')
  assert.deepEqual(
    check.debits.map(({ amount }) => amount),
    [5_500n],
  )
  assert.deepEqual(openOf(check)[retry], ['never_seen', 'probably paid already'])
  assert.deepEqual(openOf(check)[third], ['never_seen', 'is sent'])
  await assert.rejects(releaseRestored(app, ADA, check, 'read it all'), { why: 'restore_pairs_open' })
  const forgotten = { ...check, pairs: [] }
  await assert.rejects(releaseRestored(app, ADA, forgotten, 'read it all'), { why: 'restore_pairs_open' })
  await assert.rejects(release(ADA, check, 'read it all'), { why: 'restore_pairs_open' })

  const terms = { number: check.restore.number, pairs: idsOf(check) }
  await assert.rejects(recordPaidPairs(live, ADA, terms), { why: 'two_people_needed' })
  assert.equal((await makeProposal(live, ADA, 'restore.pairs', terms)).state, 'open')
  assert.deepEqual(await statesOf(retry), ['queued'])
  assert.equal((await makeProposal(live, BORA, 'restore.pairs', terms)).state, 'applied')
  assert.deepEqual(await statesOf(written, retry, again), ['sent', 'sent', 'sent'])
  assert.deepEqual(await checkHistory(app, retry), ['processing', 'completed'])

  const ready = await checkRestored(app, ADA)
  assert.deepEqual(ready.pairs, [])
  await assert.rejects(releaseRestored(live, ADA, ready, 'compared it all'), { why: 'two_people_needed' })
  const asked = await release(ADA, ready, 'compared it all')
  if (asked.state !== 'open') return assert.fail(asked.state)
  assert.equal((await release(ADA, ready, 'compared it all')).state, 'open', 'one person twice is one person')
  const { id, seenSha256 } = asked.proposal
  await assert.rejects(approveProposal(live, BORA, id, seenSha256), { why: 'restore_check_missing' })
  assert.ok(await findOpenRestore(app.db))
  assert.equal((await release(BORA, await checkRestored(app, BORA), 'the same')).state, 'applied')
  await service.work()
  assert.deepEqual(await Promise.all([written, retry, again, third, elsewhere].map(sentTimes)), [0, 0, 0, 1, 1])
  assert.deepEqual(await findDrift(app.db), [])
})

const data = mkdtempSync(join(tmpdir(), 'vezne-pairs-'))
const { run, stop } = openCommandLine({
  VEZNE_DATA: data,
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
  VEZNE_BANK_API_URL: service.bank.baseUrl,
  VEZNE_BANK_API_KEY: service.bank.key,
})
after(() => {
  stop()
  rmSync(data, { recursive: true, force: true })
})

test('restore-check lists the pairs, records one by --sent and the others by --sent-pairs, without the whole report', async () => {
  for (const amount of [6_100n, 6_200n, 6_300n]) await sentBefore(app.ids.next(), { amount })
  await mark()
  const [one, two, three] = [await ask(6_100), await ask(6_200), await ask(6_300)]
  const report = await run(['restore-check', '--as', 'ada.aksoy'])
  assert.match(report.output, /Probably paid already[^\n]*: 3\n/)
  assert.match(report.output, new RegExp(`^${one} .* 61,00 TL `, 'm'))
  assert.match(report.output, /Not ready: .*--sent-pairs/)
  const refused = await run(['restore-check', '--release', '--checked', 'read it', '--as', 'ada.aksoy'])
  assert.match(refused.errors, /probably been paid already/)

  const single = await run(['restore-check', '--sent', one, '--as', 'ada.aksoy'])
  assert.deepEqual([single.code, single.output.trim().split('\n').length], [0, 2], single.errors)
  assert.deepEqual(await statesOf(one, two, three), ['sent', 'queued', 'queued'])
  const rest = await run(['restore-check', '--sent-pairs', '--as', 'ada.aksoy'])
  assert.match(rest.output, /^Recorded as sent: 2\n/, rest.errors)
  assert.deepEqual(await statesOf(two, three), ['sent', 'sent'])
  assert.match((await run(['restore-check', '--sent-pairs', '--as', 'ada.aksoy'])).errors, /no withdrawal .* pair/i)

  const other = await ask(6_400)
  const unknown = await run(['restore-check', '--sent', other, '--as', 'ada.aksoy'])
  assert.match(unknown.errors, /--from/)
  const account = (await app.banks.accounts()).find(({ id }) => id === from.accountId)
  const named = await run([
    'restore-check',
    '--sent',
    other,
    '--from',
    `…${account?.iban.slice(-4)}`,
    '--as',
    'ada.aksoy',
  ])
  assert.deepEqual([named.code, await statesOf(other)], [0, ['sending']], named.errors)
  const released = await run(['restore-check', '--release', '--checked', 'read it', '--as', 'ada.aksoy'])
  assert.match(released.output, /Released/, released.errors)
})
