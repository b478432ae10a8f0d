import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { decideCorrection } from '../../packages/server/src/domain/matching/index.ts'
import { openAsProposed, rejectProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { connectAccount } from '../harness/connect-account.ts'
import { approveLine, proposeLine } from '../harness/entered-lines.ts'
import { dismissLine, restoreLine } from '../harness/line-proposals.ts'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { addConnection } from '../../packages/server/src/domain/connections/index.ts'
import { bankCash, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import { decideDoubt, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import { addOperator, DECIDING, setRoles } from '../../packages/server/src/domain/people/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine, listLines } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { refusalForTerminal } from '../../packages/server/src/acts/refusals/say.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { ingest, matchAll } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

// A bank writes lines that are wrong. Each of them has a way out of the lists that a person reads.
const service = await startWithBank()
const { app } = service
for (const name of ['ayse', 'mehmet']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
const BOTH = ['ayse', 'mehmet'].map(operatorActor)
const shop = await service.merchantWithMoney(5_000_000n)
const { sent, lineAbout, faults } = openPayoutLines(service, shop)
const REFUSED = { iban: makeIban('0062', '90000001') }

afterEach(async () => {
  await service.call('DELETE', 'faults')
  assert.deepEqual(await findDrift(app.db), [])
})

/** The id of the last of these, after they were judged one by one. */
async function arrives(...lines: BankLine[]): Promise<string> {
  for (const line of lines) {
    await ingest(app, [line])
    await matchAll(app)
  }
  const { bankReference, bookedAt } = lines.at(-1) ?? {}
  const stored = await listLines(app.db, undefined, 100)
  const last = stored.find((one) => one.bankReference === bankReference && +one.bookedAt === Number(bookedAt))
  return last?.id ?? assert.fail('no line')
}

async function dismiss(id: string, notPayouts: string[] = []): Promise<void> {
  for (const actor of BOTH) await dismissLine(app, actor, id, 'the bank has corrected it', notPayouts)
}

const cash = async () => (await bankCash(app.db)).reduce((total, { amount }) => total + amount, 0n)
const reviewed = async () => (await listLines(app.db, 'needs_review', 100)).map(({ reason }) => reason ?? '').toSorted()

test('a debit with a wrong amount that the bank has corrected', async () => {
  const id = await sent()
  const before = await cash()
  const wrong = await arrives(await lineAbout(id, { amount: BigInt(AMOUNT) + 1n }))
  await arrives(await lineAbout(id, {}))
  assert.deepEqual(await reviewed(), ['payout_differs'])
  await dismiss(wrong)
  assert.deepEqual([await reviewed(), await cash()], [[], before])
})

test('to dismiss and to restore: the word of a person who has lost the role does not count', async () => {
  const [, mehmet] = BOTH as [Actor, Actor]
  const [first, third] = ['gul.ay', 'can.er'].map(operatorActor) as [Actor, Actor]
  for (const name of ['gul.ay', 'can.er']) await addOperator(app, UNATTRIBUTED, name, DECIDING)
  const line = await arrives({ ...(await lineAbout(await sent(), {})), narrative: 'MASRAF' })
  const say = (actor: Actor) => dismissLine(app, actor, line, 'the bank has corrected it')
  const rejects = async (said: Promise<unknown>) => {
    await assert.rejects(said, { why: 'proposer_without_right' })
    const open = (await openAsProposed(app, 100)).find(({ target }) => target === `line:${line}`)
    await rejectProposal(app, mehmet, open?.id ?? assert.fail('nothing waits'), 'has left')
  }
  const rolesOf = (...roles: string[]) => setRoles(app, UNATTRIBUTED, 'gul.ay', roles)
  await say(first)
  await rolesOf('admin')
  await rejects(say(mehmet))
  assert.equal((await say(mehmet)).state, 'needs_review')
  assert.equal((await say(third)).state, 'dismissed')
  await rolesOf('cashier')
  await restoreLine(app, first, line)
  await rolesOf('viewer')
  await rejects(restoreLine(app, mehmet, line))
  assert.equal((await restoreLine(app, mehmet, line)).state, 'dismissed')
  assert.equal((await restoreLine(app, third, line)).state, 'new')
  await matchAll(app)
  await dismiss(line)
})

test('an outgoing debit that the bank books under another date', async () => {
  const line = { ...(await lineAbout(await sent(), {})), narrative: 'MASRAF' }
  await arrives(line)
  const redated = await arrives({ ...line, bookedAt: new Date(line.bookedAt.getTime() - 86_400_000) })
  assert.deepEqual(await reviewed(), ['outgoing', 'outgoing'])
  await dismiss(redated)
  assert.deepEqual(await reviewed(), ['outgoing'])
  for (const actor of BOTH) await restoreLine(app, actor, redated)
  await matchAll(app)
  assert.deepEqual(await reviewed(), ['outgoing', 'outgoing'])
  for (const { id } of await listLines(app.db, 'needs_review', 100)) await dismiss(id)
})

test('the second debit and the second return of a refused payout', async () => {
  const id = await sent(REFUSED)
  const before = await cash()
  const debit = () => lineAbout(id, {})
  const back = () => lineAbout(id, { direction: 'credit', narrative: `IADE ${id}` })
  const second = await arrives(await debit(), await debit())
  assert.deepEqual(await reviewed(), ['payout_line_twice', 'payout_taken_back'])
  const secondReturn = await arrives(await back(), await back())
  await dismiss(second)
  await dismiss(secondReturn)
  assert.deepEqual([await reviewed(), await listLines(app.db, 'suspense', 10), await cash()], [[], [], before])
})

test('one debit for two payouts: refused while one of them is open, because the debit shows that it may have left', async () => {
  await faults('error_after')
  const ids = [await sent(), await sent()]
  const one = await lineAbout(ids[0] ?? '', { amount: BigInt(AMOUNT) * 2n, narrative: ids.join(' ') })
  const line = await arrives(one)
  assert.deepEqual(await reviewed(), ['payout_ambiguous'])
  const before = await cash()
  await assert.rejects(dismiss(line, ids), (error: Refusal) => {
    const shown = refusalForTerminal(error).join('\n')
    assert.match(shown, /is processing: its money may have left.*vezne withdrawal resolve/s)
    return true
  })
  for (const id of ids) {
    const found = { verdict: 'found' as const, evidence: 'TOPLU-0012' }
    for (const actor of BOTH) await decideDoubt(app, actor, id, found)
    assert.equal((await findPayout(app.db, id))?.state, 'sent')
  }
  await dismiss(line, ids)
  assert.deepEqual([await reviewed(), await cash()], [[], before - BigInt(AMOUNT) * 2n])
})

test('a debit that names an open payout is not set aside as the entered debit of another', async () => {
  await faults('error_after')
  const other = { amount: 7_700 }
  const [one, two] = [await sent(other), await sent(other)]
  const debit = await lineAbout(one, { senderName: 'Ali Veli', amount: 7_700n })
  const [ayse, mehmet] = BOTH as [Actor, Actor]
  const { accountIban, direction, amount, valueDate, senderName, senderIban, narrative } = debit
  const written = { accountIban, direction, amount, bookedOn: valueDate, senderName, senderIban, narrative }
  const proposed = await proposeLine(app, ayse, { ...written, besides: [] })
  await addConnection(app, ayse, 'manual-desk', { kind: 'manual' })
  await connectAccount(app, accountIban, 'manual-desk')
  await approveLine(app, mehmet, proposed)
  await matchAll(app)
  await ingest(app, [await lineAbout(two, { amount: 7_700n })], 'manual-desk')
  await matchAll(app)
  const line = (await listLines(app.db, 'needs_review', 100)).at(-1)?.id ?? assert.fail('no line')
  const { state, reason } = (await findLine(app.db, line)) ?? assert.fail('no line')
  assert.deepEqual([state, reason], ['needs_review', 'suspected_correction'])
  const others = ['gul.ay', 'can.er'].map(operatorActor) as [Actor, Actor]
  await setRoles(app, UNATTRIBUTED, 'gul.ay', ['cashier'])
  const same = (actor: Actor) => makeProposal(app, actor, 'line.same_money', { lineId: line })
  await assert.rejects(decideCorrection(app, ayse, line, 'same_money'), { why: 'two_people_needed' })
  await same(others[0])
  await assert.rejects(same(others[1]), {
    said: { why: 'line_names_open_withdrawal', facts: { line, withdrawal: two, status: 'processing' } },
  })
  assert.equal((await findLine(app.db, line))?.state, 'needs_review')
})
