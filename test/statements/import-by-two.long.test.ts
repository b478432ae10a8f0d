import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { App } from '../../packages/server/src/compose.ts'
import { approveProposal, rejectProposal, proposeImport } from '../../packages/server/src/domain/proposals/index.ts'
import { setSourceOfRecord } from '../../packages/server/src/domain/connections/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { importFile, listLines, notShownLines, previewFile } from '../../packages/server/src/domain/statements/index.ts'
import { pruneUploads } from '../../packages/server/src/domain/uploads/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'
import { openCommandLine } from '../harness/command-line.ts'
import { liveConsole, PUBLIC } from '../harness/live-console.ts'
import { formWith } from '../harness/operator-console.ts'
import { hiddenIn, visibleText } from '../harness/page-text.ts'
import { ingest, matchAll, reloadDeposit, someDeposits } from '../harness/payments.ts'
import { setMode } from '../harness/roles.ts'
import { startService } from '../harness/service.ts'
import { camt, contentOf, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { travelTo } from '../harness/until.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

// As in live; the sandbox's clock can be moved.
const service = await startService()
const bank = { kind: 'http_api', name: 'ornek-banka' } as App['connections'][number]
const app: App = { ...service.app, sandbox: false, connections: [bank] }
for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(service.app, UNATTRIBUTED, name, DECIDING)
const [ada, bora] = [operatorActor('ada.aksoy'), operatorActor('bora.boz')]
const { merchantId } = await service.merchant()

const refusal = { why: 'two_people_needed' }
let number = 0
const forged = (iban: string, text: string, amount = 777_700) =>
  camt('054', {
    ...{ iban, day: istanbul(app.clock.now()).day, id: `N${++number}` },
    bookings: [{ number: `98765${number}`, amount, sender: 'AYSE YILMAZ', text }],
  })

async function pendingDeposit() {
  const [deposit] = await someDeposits(app, merchantId, 1, 777_700n)
  if (!deposit) return assert.fail('no deposit')
  const account = await app.banks.account(deposit.collectingAccountId ?? '')
  const iban = account?.iban ?? ''
  const named = { ...service.app, connections: [bank] }
  if (account?.connection !== bank.name) await setSourceOfRecord(named, UNATTRIBUTED, [iban], bank.name)
  return { deposit, iban }
}

test('a file that one person wrote does not complete a deposit: another person approves exactly these bytes', async () => {
  const { deposit, iban } = await pendingDeposit()
  const content = contentOf('f.xml', forged(iban, deposit.referenceCode))
  const seen = await previewFile(app, content, PLAIN)
  assert.deepEqual(
    seen.findings.flatMap(({ check, what }) => (check === 'proof' ? what : [])),
    [note('finding_lines_come_alone', { account: iban, connection: 'ornek-banka' }), note('finding_no_balances')],
  )
  await assert.rejects(importFile(app, ada, content, PLAIN), refusal)
  const asked = await proposeImport(app, ada, content, PLAIN)
  if (asked.state !== 'open') return assert.fail(asked.state)
  const again = await proposeImport(app, ada, content, PLAIN)
  assert.equal(again.state, 'open', 'the same person again approves nothing')
  await matchAll(app)
  assert.equal((await reloadDeposit(app, deposit)).status, 'pending')
  const { id, seenSha256, rows } = asked.proposal
  assert.deepEqual(
    rows.slice(0, 5).map(({ field, after: value }) => [field, value]),
    [
      ['file', 'f.xml'],
      ['iban', iban],
      ['period', istanbul(app.clock.now()).day],
      ['newCredits', '1: 7.777,00 TL'],
      ['newDebits', '0: 0,00 TL'],
    ],
  )
  await assert.rejects(approveProposal(app, ada, id, seenSha256), { why: 'proposal_own' })
  await travelTo(service.app, 6 * 86_400)
  await pruneUploads(app)
  await travelTo(service.app, 0)
  await approveProposal(app, bora, id, seenSha256)
  await matchAll(app)
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
})

test('the second person uploads the same file under another name: that is the approval; another file is not', async () => {
  const { deposit, iban } = await pendingDeposit()
  const text = forged(iban, deposit.referenceCode)
  assert.equal((await proposeImport(app, ada, contentOf('a.xml', text), PLAIN)).state, 'open')
  const other = await proposeImport(app, bora, contentOf('a.xml', `${text}\n`), PLAIN)
  if (other.state !== 'open') return assert.fail(other.state)
  await rejectProposal(app, bora, other.proposal.id, 'not the same file')
  assert.equal((await proposeImport(app, bora, contentOf('b.xml', text), PLAIN)).state, 'applied')
  await matchAll(app)
  assert.equal((await reloadDeposit(app, deposit)).status, 'completed')
})

test('what the file would bring has changed since it was proposed: nothing is imported', async () => {
  const { iban } = await pendingDeposit()
  const asked = await proposeImport(app, ada, contentOf('f.xml', forged(iban, 'kira', 5000)), PLAIN)
  if (asked.state !== 'open') return assert.fail(asked.state)
  const same = { number: `98765${number}`, amount: 5000, sender: 'AYSE YILMAZ', text: 'kira' }
  const day = istanbul(app.clock.now()).day
  const first = await proposeImport(app, ada, contentOf('g.xml', camt('054', { iban, day, bookings: [same] })), PLAIN)
  if (first.state !== 'open') return assert.fail(first.state)
  await approveProposal(app, bora, first.proposal.id, first.proposal.seenSha256)
  await assert.rejects(approveProposal(app, bora, asked.proposal.id, asked.proposal.seenSha256), {
    why: 'proposed_file_differs',
  })
})

test('an account that is read by files: new lines and new balances take two people', async () => {
  const { iban, lines } = await openFileAccount(service.app)
  const statement = (day: string, opening: number, more = {}) =>
    contentOf(day, camt('053', { iban, day, opening, id: day, bookings: [{ number: day, amount: 100 }], ...more }))
  const byTwo = async (content: ReturnType<typeof statement>) => {
    await assert.rejects(importFile(app, ada, content, PLAIN), refusal)
    assert.equal((await proposeImport(app, ada, content, PLAIN)).state, 'open')
    assert.equal((await proposeImport(app, bora, content, PLAIN)).state, 'applied')
  }
  await byTwo(statement('2026-03-10', 0))
  await byTwo(statement('2026-03-11', 100))
  assert.equal((await lines()).length, 2)
  await byTwo(statement('2026-03-12', 200, { bookings: [] }))
  const again = statement('2026-03-11', 100, { id: 'again' })
  await assert.rejects(importFile(app, ada, again, PLAIN), { why: 'file_brings_nothing' })
})

test('a pipe that gives other bytes at each read imports nothing, whichever read is the harmless one', async () => {
  const { iban, lines } = await openFileAccount(service.app)
  const text = forged(iban, 'kira')
  for (let from = 0; from < 8; from++)
    for (let to = from + 1; to <= 8; to++) {
      const harmless = camt('053', { iban, day: '2026-03-10', opening: 0, bookings: [], id: `${from}-${to}` })
      let reads = 0
      const open = () => {
        reads++
        return contentOf('f.xml', reads > from && reads <= to ? harmless : text).open()
      }
      await importFile(app, ada, { name: 'f.xml', open }, PLAIN).catch(() => undefined)
      assert.deepEqual(await lines(), [], `reads ${from + 1} to ${to}`)
    }
})

test('doctor: lines of files that the connection of the account has not shown within a day', async () => {
  const { iban } = await pendingDeposit()
  const text = forged(iban, 'kira', 4242)
  await proposeImport(app, ada, contentOf('f.xml', text), PLAIN)
  await proposeImport(app, bora, contentOf('f.xml', text), PLAIN)
  const line = (await listLines(app.db, undefined, 100)).find(({ amount }) => amount === 4242n)
  const isFound = async () => (await notShownLines(app)).some(({ id }) => id === line?.id)
  assert.equal(await isFound(), false)
  await travelTo(service.app, 86_400 + 60)
  assert.equal(await isFound(), true)
  const { amount, direction, valueDate, bookedAt, senderName, senderIban, narrative, bankReference } =
    line ?? assert.fail()
  const shown = { amount, direction, valueDate, bookedAt, senderName, senderIban, narrative, bankReference }
  await ingest(app, [{ ...shown, accountIban: iban, wholeDay: true }], bank.name)
  assert.equal(await isFound(), false)
  await travelTo(service.app, 0)
})

test('live, in the console: one person proposes, the other sees file, account and sums, and approves', async () => {
  const { iban, lines, one, two } = await liveConsole()
  const text = forged(iban, 'kira')
  const sent = await one.request('/statements/upload', formWith({ csrf: one.csrf }, 'f.xml', text))
  const at = sent.location?.replace(/^.*\/operator/, '') ?? ''
  const page = await one.request(at)
  assert.match(visibleText(page.text), /dosyada bakiye yok; dosya doğrulanamadı/)
  assert.match(visibleText(page.text), /iki kişi aktarır[^]*1 yeni satırı onaya gönder/)
  const fields = Object.fromEntries(hiddenIn(page.text, `/operator${at}/import`))
  const proposed = await one.request(`${at}/import`, { ...fields, csrf: one.csrf })
  assert.match(proposed.location ?? '', /approvals\?said=proposalMade/, visibleText(proposed.text))
  assert.deepEqual(await lines(), [])
  const card = await two.request('/approvals')
  assert.match(visibleText(card.text), /Ekstre dosyası[^]*f\.xml[^]*1: 7\.777,00 TL[^]*kasa\.bir/)
  const [, path = ''] = /action="[^"]*(\/proposals\/\w+\/approve)"/.exec(card.text) ?? []
  const seen = Object.fromEntries(hiddenIn(card.text, `/operator${path}`))
  const own = await one.request(path, { ...seen, csrf: one.csrf })
  assert.equal(own.status, 409)
  const done = await two.request(path, { ...seen, csrf: two.csrf })
  assert.match(done.location ?? '', /said=proposalApplied/, visibleText(done.text))
  assert.equal((await lines()).length, 1)
})

test('live, several files: one click proposes them all; they are approved from the oldest day on', async () => {
  const { iban, lines, one, two } = await liveConsole()
  const day = (of: string, opening: number) =>
    camt('053', { iban, day: of, opening, id: of, bookings: [{ number: of, amount: 100, text: 'kira' }] })
  const form = new FormData()
  form.append('csrf', one.csrf)
  for (const [of, opening] of [['2026-03-11', 100], ['2026-03-10', 0]] as const) form.append('file', new Blob([day(of, opening)]), `${of}.xml`) // prettier-ignore
  const sent = await one.request('/statements/upload', form)
  const at = sent.location?.replace(/^.*\/operator/, '') ?? ''
  const page = await one.request(at)
  assert.match(visibleText(page.text), /hazır, iki kişi aktarır[^]*2 dosyayı onaya gönder \(2 yeni satır\)/)
  const [, to = ''] = /action="\/operator(\/statements\/uploads\/import[^"]*)"/.exec(page.text) ?? []
  const fields = Object.fromEntries(hiddenIn(page.text, `/operator${to}`))
  const proposed = await one.request(to, { ...fields, csrf: one.csrf })
  assert.equal(proposed.status, 303, visibleText(proposed.text))
  const after = await one.request(proposed.location?.replace(/^.*\/operator/, '') ?? '')
  assert.match(visibleText(after.text), /onaya gönderildi[^]*onay bekliyor[^]*onay bekliyor/)
  const pages = [...after.text.matchAll(/href="\/operator(\/statements\/proposed\/\w+)">onay bekliyor/g)]
  assert.equal(pages.length, 2)
  const later = await two.request(pages[1]?.[1] ?? '')
  assert.match(visibleText(later.text), /Önce eski günlerin dosyalarını onaylayın/)
  assert.doesNotMatch(later.text, /\/approve"/)
  assert.doesNotMatch(visibleText(after.text), /dosyayı onaya gönder/)
  assert.deepEqual(await lines(), [])
  const cards = async () => {
    const { text } = await two.request('/approvals')
    const found = [...text.matchAll(/(2026-03-1\d)\.xml[^]*?action="[^"]*(\/proposals\/\w+\/approve)"/g)]
    return found.map(([, of, path = '']) => ({
      of,
      path,
      seen: Object.fromEntries(hiddenIn(text, `/operator${path}`)),
    }))
  }
  const approve = async (of: string) => {
    const { path, seen } = (await cards()).find((card) => card.of === of) ?? assert.fail(of)
    return two.request(path, { ...seen, csrf: two.csrf })
  }
  const tooEarly = await approve('2026-03-11')
  assert.match(visibleText(tooEarly.text), /Önce eski günlerin dosyalarını onaylayın/)
  for (const wanted of ['2026-03-10', '2026-03-11'])
    assert.match((await approve(wanted)).location ?? '', /said=proposalApplied/)
  assert.equal((await lines()).length, 2)
})

test('a sandbox imports at once, and its preview says that live takes two; live on the command line takes two', async () => {
  const other = await startService()
  for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(other.app, UNATTRIBUTED, name, DECIDING)
  const { iban, lines, take } = await openFileAccount(other.app)
  await take(forged(iban, 'sandbox'))
  assert.equal((await lines()).length, 1)
  const data = mkdtempSync(join(tmpdir(), 'vezne-two-'))
  const path = join(data, 'f.xml')
  writeFileSync(path, forged(iban, 'kira'))
  await setMode(other.databaseUrl, 'live')
  const { run, stop } = openCommandLine({
    ...{ VEZNE_DATA: data, DATABASE_URL: other.databaseUrl, VEZNE_MODE: 'live', VEZNE_PUBLIC_URL: PUBLIC },
    VEZNE_MASTER_KEY: other.app.config.masterKey.toString('hex'),
  })
  after(() => {
    stop()
    rmSync(data, { recursive: true, force: true })
  })
  assert.match((await run(['statement', 'import', path, '--preview'])).output, /In live this takes two people/)
  const first = await run(['statement', 'import', path, '--yes', '--as', 'ada.aksoy'])
  assert.match(first.output, /Proposed as \w+\. Nothing is changed until another person approves it/, first.errors)
  assert.equal((await lines()).length, 1)
  const [, change = ''] = /Proposed as (\w+)/.exec(first.output) ?? []
  const shown = await run(['proposal', 'show', change])
  assert.match(shown.output, /notes +the file has no balances, so nothing proves it\n/)
  assert.match(shown.output, /format +camt\.054\n[^]*connection +\S+\n/)
  const second = await run(['statement', 'import', path, '--yes', '--as', 'bora.boz'])
  assert.match(second.output, /f\.xml is approved and imported as file/, second.errors)
  assert.equal((await lines()).length, 2)
})
