import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  compareFields,
  effectOf,
  findCandidates,
  previewEntry,
  showEntry,
} from '../../packages/server/src/domain/books/index.ts'
import { countWaiting, entryIn, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import type { NextStep } from '../../packages/server/src/domain/books/index.ts'
import { matchByHand, suspendByHand } from '../../packages/server/src/domain/matching/index.ts'
import { addEndpoint } from '../../packages/server/src/domain/merchants/index.ts'
import { findLine, listOpenLines } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { AYSE, MEHMET, openJournal, proposeEntry } from '../harness/journal.ts'
import { reloadDeposit, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'
import { refusal } from '../harness/refusals.ts'

// Next steps as data, and what they would do: what a page shows before a person decides.

const service = await startService()
const { app } = service
const journal = await openJournal(app)
const { arrives } = journal
const shop = await service.merchant()

const lineOf = async (id: string) => (await findLine(app.db, id)) ?? assert.fail('no line')
const ibanOf = async (id: string | null) => (await app.banks.account(id ?? ''))?.iban ?? ''

async function codeless(amount: bigint, changes: object = {}) {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, amount)
  if (!deposit) return assert.fail('no deposit')
  const accountIban = await ibanOf(deposit.collectingAccountId)
  return { deposit, line: await arrives('credit', amount, { accountIban, senderName: 'AYSE YILMAZ', ...changes }) }
}

async function stepOf(lineId: string, id: string): Promise<NextStep> {
  const found = await findCandidates(app, await lineOf(lineId))
  return found.find((one) => one.id === id)?.next ?? assert.fail('no candidate')
}

test('a step is data: what to do, with ids, and what a person must still say', async () => {
  const { deposit, line } = await codeless(4_001n)
  assert.deepEqual(await stepOf(line, deposit.id), { do: 'match', lineId: line, depositId: deposit.id })
  const debit = await arrives('debit', 4_002n)
  const other = await arrives('credit', 4_002n, { accountIban: journal.there.iban, senderIban: journal.here.iban })
  const step = await stepOf(debit, other)
  assert.deepEqual(step, { do: 'propose', kind: 'own_transfer', terms: { lineIds: [debit, other] }, missing: [] })
})

test('line and candidate are compared field by field; what one does not say is unknown', async () => {
  const senderIban = makeIban('0062', '12345678')
  const { deposit, line } = await codeless(4_003n, { senderName: 'Bambaşka Biri', senderIban })
  const stored = await lineOf(line)
  const found = (await findCandidates(app, stored)).find(({ id }) => id === deposit.id)
  const verdicts = compareFields(stored, found ?? assert.fail()).map(({ field, verdict }) => [field, verdict])
  assert.deepEqual(Object.fromEntries(verdicts), {
    ...{ amount: 'same', name: 'other', iban: 'unknown', code: 'unknown', time: 'same', account: 'same' },
  })
})

test('the effect of a match is what the match does, with the fee and the callback', async () => {
  const { deposit, line } = await codeless(100_000n)
  const step = await stepOf(line, deposit.id)
  const before = await effectOf(app, await lineOf(line), step)
  assert.equal(before.does === 'credit' && before.callback, false, 'no endpoint is told')
  await addEndpoint(app, UNATTRIBUTED, shop.merchantId, { url: 'https://shop.example/hook' })
  const effect = await effectOf(app, await lineOf(line), step)
  if (effect.does !== 'credit') return assert.fail(effect.does)
  assert.equal(effect.callback, true)
  assert.equal((await reloadDeposit(app, deposit)).status, 'pending', 'a preview changes nothing')
  const { status, receivedAmount, fee, flags } = await matchByHand(
    app,
    AYSE,
    line,
    deposit.id,
    'the customer confirmed it',
  )
  const { deposit: said, credited } = effect
  assert.deepEqual([said.status, said.receivedAmount, said.fee, said.flags], [status, receivedAmount, fee, flags])
  assert.equal(credited, receivedAmount - fee)
})

test('the effect of freeing a line: a deposit that has nothing else fails', async () => {
  const [deposit] = await someDeposits(app, shop.merchantId, 1, 5_000n)
  if (!deposit) return assert.fail('no deposit')
  const written = { accountIban: await ibanOf(deposit.collectingAccountId), narrative: deposit.referenceCode }
  const line = await arrives('credit', 4_000n, { ...written, senderName: 'Ayşe Yılmaz' })
  const effect = await effectOf(app, await lineOf(line), { do: 'suspend', lineId: line })
  assert.ok(effect.does === 'free' && effect.fails && effect.callback)
  await suspendByHand(app, AYSE, line)
  assert.equal((await reloadDeposit(app, deposit)).status, 'failed')
})

test('a preview is what is proposed, refuses as the proposal does, and stores nothing', async () => {
  const line = await arrives('debit', 1_250n)
  const said = { kind: 'bank_charge' as const, terms: { lineIds: [line] } }
  const preview = await previewEntry(app, app.db, said)
  assert.equal(await countWaiting(app), 0)
  const entry = await proposeEntry(app, AYSE, { ...said, reason: 'EFT ücreti' })
  const again = await previewEntry(app, app.db, entryIn(entry) ?? assert.fail())
  assert.equal(again.hash, preview.hash, 'equal as long as nothing changes')
  await journal.approve(entry.id)
  const posted = await showEntry(app.db, entry.id)
  assert.deepEqual(preview.details.seen.lines, posted.details.seen.lines)
  assert.deepEqual(
    preview.accounts.map(({ account, change }) => [account, change]),
    posted.accounts.map(({ account, change }) => [account, change]),
  )
  await assert.rejects(previewEntry(app, app.db, said), { why: 'line_not_open' })
})

test('a line has one open proposal; who proposes exactly what another person has proposed approves it', async () => {
  const terms = { lineIds: [await arrives('debit', 990n)] }
  const said = { kind: 'bank_charge' as const, terms, reason: 'EFT ücreti' }
  const twice = await Promise.all([1, 2].map(() => proposeEntry(app, AYSE, said)))
  assert.equal(twice[0]?.id, twice[1]?.id, 'a form that is sent twice')
  const taken = refusal('proposal_open', { subject: `line:${terms.lineIds[0]}`, proposedBy: 'ayse.yilmaz' })
  await assert.rejects(proposeEntry(app, MEHMET, { ...said, kind: 'bank_tax' }), taken)
  const { reason, ...proposed } = said
  const agreed = await makeProposal(app, MEHMET, 'journal.entry', proposed, { reason })
  assert.equal(agreed.state, 'applied')
  assert.equal((await findLine(app.db, terms.lineIds[0] ?? ''))?.journalId, twice[0]?.id)
})

test('open lines: by kind, direction, account and amount, in pages', async () => {
  const any = { kind: null, direction: null, accountId: null, amount: null, after: '' }
  const idsOf = async (filter: Partial<Parameters<typeof listOpenLines>[1]>, limit = 100) =>
    (await listOpenLines(app.db, { ...any, ...filter }, limit)).map(({ id }) => id)
  const credit = await arrives('credit', 6_661n, { accountIban: journal.there.iban })
  const debit = await arrives('debit', 6_662n)
  const all = await idsOf({})
  assert.deepEqual(all, all.toSorted(), 'what came first is on top')
  assert.deepEqual(await idsOf({ amount: 6_661n }), [credit])
  assert.deepEqual(await idsOf({ kind: 'debits', amount: 6_661n }), [])
  assert.ok((await idsOf({ kind: 'suspense' })).includes(credit))
  assert.ok(!(await idsOf({ direction: 'credit' })).includes(debit))
  assert.ok((await idsOf({ direction: 'debit', accountId: journal.here.id })).includes(debit))
  const pages: string[] = []
  for (let page = await idsOf({}, 2); page.length > 0; page = await idsOf({ after: page.at(-1) ?? '' }, 2))
    pages.push(...page)
  assert.deepEqual(pages, all)
})
