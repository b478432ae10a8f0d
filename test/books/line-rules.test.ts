import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import type { RuleTerms } from '../../packages/server/src/domain/books/index.ts'
import {
  applyRules,
  findEntry,
  findRule,
  forgedRules,
  listRules,
  stopRule,
  tryRule,
} from '../../packages/server/src/domain/books/index.ts'
import { decisionsOf } from '../../packages/server/src/domain/matching/index.ts'
import { approveProposal, findProposal, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { listAside } from '../../packages/server/src/domain/set-aside/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { candidatesInWords as candidatesFor } from '../harness/candidates.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { AYSE, MEHMET, openJournal } from '../harness/journal.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'

// Line rules: two people say once what such lines are, and the service books them from then on.

const service = await startWithBank()
const { app, readStatement } = service
const shop = await service.merchantWithMoney(1_000_000n)
const { sent, lineAbout } = openPayoutLines(service, shop)
const journal = await openJournal(app)
const { arrives, stateOf, of } = journal
const { run, stop } = openCommandLine({
  DATABASE_URL: service.databaseUrl,
  VEZNE_MASTER_KEY: app.config.masterKey.toString('hex'),
})
after(stop)
afterEach(() => journal.assertSound())

const FEE: RuleTerms = {
  ...({ kind: 'bank_charge', direction: 'debit', accountId: null } as const),
  ...{ words: 'FAST MASRAFI', maxAmount: 1_000n, books: true },
}
const REASON = { reason: 'price list of the bank' }

async function twoSay(kind: 'rule.set' | 'rule.undo', terms: object) {
  const asked = await makeProposal(app, AYSE, kind, terms as never, REASON)
  const { id } = asked.state === 'open' ? asked.proposal : assert.fail(asked.state)
  return (await approveProposal(app, MEHMET, id, (await findProposal(app.db, id))?.seenSha256 ?? '')).result
}

async function made(changes: Partial<RuleTerms> & { replaces?: string | null } = {}): Promise<string> {
  return ((await twoSay('rule.set', { ...FEE, replaces: null, ...changes })) as { id: string }).id
}

const ended = (id: string) => stopRule(app, AYSE, id, 'ended', 'end of the test')
const fee = (narrative = `FAST MASRAFI ${app.ids.next().slice(0, 6)}`, amount = 640n) =>
  arrives('debit', amount, { narrative, senderName: '' })

async function whatItIs(lineId: string): Promise<unknown[]> {
  return (await stateOf(lineId)).slice(0, 2)
}

test('two people say it once: lines that wait and lines that come are booked, each names the rule and both people', async () => {
  const before = await of('bank_charges')
  const waited = await fee()
  const id = await made()
  assert.equal(await applyRules(app), 1)
  const came = await fee('Fast Masrafı 0042')
  assert.equal(await applyRules(app), 1)
  assert.equal(await of('bank_charges'), before - 1_280n)
  for (const lineId of [waited, came]) {
    assert.deepEqual(await whatItIs(lineId), ['matched', 'bank_charge'])
    const entry = await findEntry(app.db, (await findLine(app.db, lineId))?.journalId ?? '')
    assert.deepEqual([entry?.ruleId, entry?.proposedBy, entry?.approvedBy], [id, 'ayse.yilmaz', 'mehmet.kaya'])
    const decision = (await decisionsOf(app.db, [lineId])).at(-1)
    assert.equal(decision?.decidedBy, 'rules')
    assert.ok(JSON.stringify(decision?.reasons).includes(id))
  }
  assert.equal(await applyRules(app), 0)
  await ended(id)
  assert.deepEqual(await stateOf(await fee()), ['needs_review', 'outgoing', null, null, true])
  assert.equal(await applyRules(app), 0)
})

test('never: more than its amount, another account, incoming, a line with a name of ours, a proposal, a suspected repeat', async () => {
  const elsewhere = journal.there.id
  const rules = [await made({ words: 'MASRAF DENEME' }), await made({ words: 'SUBE MASRAF', accountId: elsewhere })]
  const [deposit] = [app.ids.next()]
  const lines = [
    await arrives('debit', 640n, { narrative: 'MASRAF DENEME', senderName: 'Veli', senderIban: makeIban('0046', '7') }),
    await fee('MASRAF DENEME', 1_001n),
    await fee('SUBE MASRAF'),
    await fee(`MASRAF DENEME ${deposit}`),
    await fee('MASRAFDENEME'),
    await arrives('credit', 640n, { narrative: 'MASRAF DENEME' }),
  ]
  const proposed = await fee('MASRAF DENEME teklif')
  await journal.propose('bank_tax', { lineIds: [proposed] })
  assert.equal(await applyRules(app), 0)
  for (const line of [...lines, proposed]) assert.notEqual((await whatItIs(line))[0], 'matched')
  for (const rule of rules) await ended(rule)
})

test('a debit that may be a payout’s is not for a rule, whatever its text says', async () => {
  const id = await sent()
  const rule = await made({ words: 'GIDEN MASRAFI', maxAmount: BigInt(AMOUNT) })
  const line = await arrives('debit', 0n, await lineAbout(id, { narrative: 'GIDEN MASRAFI', senderName: '' }))
  assert.equal(await applyRules(app), 0)
  assert.equal((await whatItIs(line))[0], 'needs_review')
  const said = (await candidatesFor(app, (await findLine(app.db, line)) ?? assert.fail('no line'))).map(
    ({ next }) => next,
  )
  assert.ok(said.length > 0, id)
  await ended(rule)
  await readStatement()
})

test('what the bank calls a tax is for no rule of another kind, however exact its words', async () => {
  const charge = await made({ words: 'HESAP ISLETIM UCRETI' })
  const line = await fee('BSMV HESAP ISLETIM UCRETI', 32n)
  assert.equal(await applyRules(app), 0)
  const tax = await made({ words: 'BSMV', kind: 'bank_tax' })
  assert.equal(await applyRules(app), 1)
  assert.deepEqual((await whatItIs(line)).slice(0, 2), ['matched', 'bank_tax'])
  for (const rule of [charge, tax]) await ended(rule)
})

test('two rules fit: neither books, and the line names both; one that only suggests is a candidate', async () => {
  const [charge, tax] = [await made({ words: 'ISLEM GIDERI' }), await made({ words: 'GIDERI DONEM', kind: 'interest' })]
  const line = await fee('ISLEM GIDERI DONEM')
  assert.equal(await applyRules(app), 0)
  const named = async () => {
    const stored = (await findLine(app.db, line)) ?? assert.fail('no line')
    return (await candidatesFor(app, stored))
      .flatMap(({ reasons }) => reasons)
      .filter((one) => one.includes('line rule'))
  }
  assert.deepEqual(await named(), [`line rule ${charge} says so`, `line rule ${tax} says so`])
  await ended(tax)
  const soft = await made({ words: 'ISLEM GIDERI', books: false, replaces: charge })
  assert.equal((await findRule(app, charge))?.state, 'ended')
  assert.equal(await applyRules(app), 0)
  assert.deepEqual(await named(), [`line rule ${soft} says so`])
  await ended(soft)
})

test('a rule whose words contain those of another is the more exact one', async () => {
  const rules = [await made({ words: 'SWIFT MASRAFI' }), await made({ words: 'BSMV SWIFT MASRAFI', kind: 'bank_tax' })]
  const lines = [await fee('SWIFT MASRAFI 7'), await fee('BSMV SWIFT MASRAFI 7', 32n)]
  assert.equal(await applyRules(app), 2)
  for (const [place, kind] of ['bank_charge', 'bank_tax'].entries())
    assert.deepEqual(await whatItIs(lines[place] ?? ''), ['matched', kind])
  for (const rule of rules) await ended(rule)
})

test('what people took back is theirs: the rule does not book it again, nor income that shows a sender', async () => {
  const rules = [
    await made({ words: 'EKSTRE UCRETI' }),
    await made({ words: 'FAIZ', kind: 'interest', direction: 'credit' }),
  ]
  const line = await fee('EKSTRE UCRETI')
  assert.equal(await applyRules(app), 1)
  await journal.post('reversal', {}, (await findLine(app.db, line))?.journalId ?? '')
  const ofCustomer = await arrives('credit', 640n, { narrative: 'faiz borcu', senderName: 'Veli Can' })
  const ofBank = await arrives('credit', 640n, { narrative: 'MEVDUAT FAİZİ', senderName: '' })
  assert.equal(await applyRules(app), 0)
  assert.deepEqual(
    [await whatItIs(line), await whatItIs(ofCustomer)],
    [
      ['needs_review', 'journal_reversal'],
      ['suspense', 'no_reference'],
    ],
  )
  const next = await made({ words: 'MEVDUAT FAIZI', kind: 'interest', direction: 'credit', replaces: rules[1] ?? '' })
  assert.equal(await applyRules(app), 1)
  assert.deepEqual(await whatItIs(ofBank), ['matched', 'interest'])
  for (const rule of [rules[0] ?? '', next]) await ended(rule)
})

test('a paused rule still speaks of its lines: another does not book them', async () => {
  const rules = [await made({ words: 'NOTER MASRAFI' }), await made({ words: 'BSMV NOTER MASRAFI', kind: 'bank_tax' })]
  await stopRule(app, AYSE, rules[1] ?? '', 'paused', 'the bank changed its texts')
  const line = await fee('BSMV NOTER MASRAFI')
  assert.equal(await applyRules(app), 0)
  assert.deepEqual(await whatItIs(line), ['needs_review', 'outgoing'])
  const started = sql`update line_rules set state = 'active' where id = ${rules[1]}`
  await assert.rejects(app.db.query(started), { code: '23001' })
  for (const rule of rules) await ended(rule)
})

test('one person pauses it; two start it again with another; one that has ended is not replaced', async () => {
  const id = await made({ words: 'AIDAT UCRETI' })
  await stopRule(app, AYSE, id, 'paused', 'the bank changed its texts')
  const line = await fee('AIDAT UCRETI')
  assert.equal(await applyRules(app), 0)
  const next = await made({ words: 'AIDAT UCRETI', replaces: id })
  assert.equal(await applyRules(app), 1)
  assert.deepEqual(await whatItIs(line), ['matched', 'bank_charge'])
  await assert.rejects(made({ words: 'AIDAT UCRETI', replaces: id }), { why: 'rule_ended' })
  await ended(next)
  await assert.rejects(ended(next), { why: 'rule_ended' })
})

test('a wrong rule: two people end it and take back all that it booked, once', async () => {
  const before = await of('bank_charges')
  const id = await made({ words: 'KREDI TAKSIDI' })
  const lines = [await fee('KREDI TAKSIDI 1'), await fee('KREDI TAKSIDI 2'), await fee('KREDI TAKSIDI 3')]
  assert.equal(await applyRules(app), 3)
  await twoSay('rule.undo', { ruleId: id })
  assert.equal(await applyRules(app), 3)
  await assert.rejects(twoSay('rule.undo', { ruleId: id }), { why: 'rule_undone' })
  for (const line of lines) assert.deepEqual(await whatItIs(line), ['needs_review', 'journal_reversal'])
  await journal.bookAll()
  assert.deepEqual([await of('bank_charges'), (await findRule(app, id))?.state], [before, 'ended'])
  assert.equal(await applyRules(app), 0)
})

test('a rule that someone wrote or changed in SQL books nothing, and doctor names it', async () => {
  const id = await made({ words: 'SAHTE KURAL' })
  const line = await fee('SAHTE KURAL')
  await app.db.transaction(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`)
    await tx.query(sql`update line_rules set max_amount = 999999 where id = ${id}`)
  })
  assert.equal(await applyRules(app), 0)
  assert.equal((await whatItIs(line))[0], 'needs_review')
  assert.deepEqual(await forgedRules(app), [id])
  assert.ok(!(await listRules(app)).some((one) => one.id === id))
  await app.db.transaction(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`)
    await tx.query(sql`update line_rules set max_amount = 1000 where id = ${id}`)
  })
  await ended(id)
})

test('a line that the database refuses is set aside; those after it are booked, and it is tried again', async () => {
  const rule = await made({ words: 'BOZUK MASRAF' })
  const [bad, good] = [await fee('BOZUK MASRAF 1', 777n), await fee('BOZUK MASRAF 2')]
  await app.db.query(sql`alter table transfers add constraint no_777 check (amount <> 777) not valid`)
  assert.equal(await applyRules(app), 1)
  assert.deepEqual(
    [await whatItIs(bad), await whatItIs(good)],
    [
      ['needs_review', 'outgoing'],
      ['matched', 'bank_charge'],
    ],
  )
  assert.deepEqual(
    (await listAside(app.db, 10)).map(({ what, id }) => [what, id]),
    [['line', bad]],
  )
  await app.db.query(sql`alter table transfers drop constraint no_777`)
  assert.equal(await applyRules(app), 0)
  await app.db.query(sql`update set_aside set retry_at = now() - interval '1 hour'`)
  assert.equal(await applyRules(app), 1)
  await ended(rule)
})

test('what it would have done to the last 90 days; words and amounts that say nothing are refused', async () => {
  const [waits, same, other] = [
    await fee('DENEME UCRETI 1'),
    await fee('DENEME UCRETI 2'),
    await fee('DENEME UCRETI 3'),
  ]
  await fee(`DENEME UCRETI ${app.ids.next()}`)
  await journal.post('bank_charge', { lineIds: [same] })
  await journal.post('bank_tax', { lineIds: [other] })
  const trial = await tryRule(app, { ...FEE, words: 'DENEME UCRETI' })
  const count = (groups: { lines: number }[]) => groups.map(({ lines }) => lines)
  assert.deepEqual([trial.waiting, trial.same, trial.other, trial.named].map(count), [[1], [1], [1], [1]])
  assert.deepEqual(
    trial.others.map(({ id, reason }) => [id, reason]),
    [[other, 'bank_tax']],
  )
  for (const changes of [{ words: 'fee' }, { words: '12345' }, { words: ' ' }])
    await assert.rejects(made(changes), { why: 'rule_words_wrong' })
  await assert.rejects(made({ maxAmount: 0n }), { why: 'term_not_above_zero' })
  await assert.rejects(made({ accountId: 'f'.repeat(24) }), { why: 'account_unknown' })
  assert.equal((await stateOf(waits))[0], 'needs_review')
})

test('the commands: tried, proposed with what it would do, listed, ended', async () => {
  const line = await fee('KART AIDATI')
  const words = ['bank_charge', '--words', 'kart aidatı', '--max', '1000', '--account', journal.here.iban]
  const who = ['--why', 'price list of the bank', '--as', 'ayse.yilmaz']
  const tried = await run(['rule', 'try', ...words])
  assert.match(tried.output, /1 lines, 6,40 TL: wait, and would be booked now/)
  const asked = await run(['rule', 'propose', ...words, ...who])
  const [, id = ''] = /proposal show (\w{24})/.exec(asked.output) ?? assert.fail(asked.output)
  await approveProposal(app, MEHMET, id, (await findProposal(app.db, id))?.seenSha256 ?? '')
  assert.equal(await applyRules(app), 1)
  assert.deepEqual(await whatItIs(line), ['matched', 'bank_charge'])
  const listed = await run(['rule', 'list'])
  const [rule = ''] = /^\w{24}(?=  active)/m.exec(listed.output) ?? assert.fail(listed.output)
  assert.match(listed.output, /KART AIDATI +10,00 TL +books +1/)
  assert.match((await run(['rule', 'usual'])).output, /HESAP ISLETIM UCRETI/)
  assert.match((await run(['rule', 'end', rule, ...who])).output, /is ended/)
})
