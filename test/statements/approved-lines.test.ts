import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { readMapping } from '@vezne/bank-formats'
import type { App } from '../../packages/server/src/compose.ts'
import { approveProposal, proposeImport } from '../../packages/server/src/domain/proposals/index.ts'
import { undoFile } from '../../packages/server/src/domain/books/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import type { FileContent } from '../../packages/server/src/domain/statements/index.ts'
import {
  findBySha,
  forgedFiles,
  importKept,
  listFiles,
  previewFile,
  resumeImports,
  selectUnfinished,
  showFile,
} from '../../packages/server/src/domain/statements/index.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { money } from '../../packages/server/src/kernel/refusals/facts.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { addPerson, visitor } from '../harness/operator-console.ts'
import { visibleText } from '../harness/page-text.ts'
import { startService } from '../harness/service.ts'
import { camt, contentOf, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { travelTo } from '../harness/until.ts'

// As in live; the sandbox's clock can be moved.
const service = await startService()
const app: App = { ...service.app, sandbox: false }
for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(service.app, UNATTRIBUTED, name, DECIDING)
const [ada, bora] = [operatorActor('ada.aksoy'), operatorActor('bora.boz')]
await addPerson(service, 'kasa.bir', ['cashier'], 'ada.aksoy')
const person = visitor(service)
await person.logIn('kasa.bir')

const DAY = '2026-03-10'
const KNOWN = { number: '4711', amount: 5000, sender: 'AYSE YILMAZ', text: 'kira' }
const NEW = { number: '4712', amount: 700, sender: 'CAN DEMIR', text: 'aidat' }

async function propose(content: FileContent) {
  const asked = await proposeImport(app, ada, content, PLAIN)
  return asked.state === 'open' ? asked.proposal : assert.fail(asked.state)
}

async function byTwo(content: FileContent) {
  const { id, seenSha256 } = await propose(content)
  return (await approveProposal(app, bora, id, seenSha256)).result as { id: string; sha256: string }
}

test('what two people approved is what is booked: a line that was known then and is new now stops the import', async () => {
  const { iban, lines } = await openFileAccount(service.app)
  const first = await byTwo(contentOf('a.xml', camt('054', { iban, day: DAY, bookings: [KNOWN] })))
  const other = { ...KNOWN, iban: 'TR330006100519786457841326' }
  const second = contentOf('b.xml', camt('053', { iban, day: DAY, opening: 0, bookings: [NEW, other] }))
  const { counts, sha256 } = await previewFile(app, second, PLAIN)
  assert.deepEqual([counts.new, counts.known], [1, 1])
  const request = await propose(second)
  // After the approval is committed, before a line is booked.
  let isUndone = false
  const holidays = async () => {
    if (!isUndone && (await findBySha(app.db, sha256))?.state === 'importing') {
      isUndone = true
      await undoFile(app, ada, first.id, 'the wrong day')
    }
    return app.banks.holidays()
  }
  const racing = { ...app, banks: { ...app.banks, holidays } }
  const STOPPED = (error: Refusal) =>
    error.why === 'import_stopped' && error.said?.facts['line'] === '2026-03-10 +50,00 TL 4711'
  await assert.rejects(approveProposal(racing, bora, request.id, request.seenSha256), STOPPED)
  assert.equal(isUndone, true)
  const file = (await findBySha(app.db, sha256)) ?? assert.fail('no file')
  assert.deepEqual(
    (await lines()).filter(({ reason }) => reason !== 'import_undone').map(({ amount }) => amount),
    [],
  )
  await travelTo(service.app, 3600)
  assert.equal(await resumeImports(app), 0)
  await travelTo(service.app, 0)
  const unfinished = async () => (await selectUnfinished(app.db, new Date(0), 5)).map(({ id }) => id)
  assert.deepEqual(await unfinished(), [file.id])
  await assert.rejects(importKept(app, file), STOPPED)
  await assert.rejects(proposeImport(app, ada, second, PLAIN), STOPPED)
  const page = await person.request(`/statements/${file.id}`)
  assert.match(
    visibleText(page.text),
    /durdu[^]*Aktarma durdu: iki kişi onaylarken yeni olmayan bir satır[^]*\+50,00 TL/,
  )
  assert.match(page.text, new RegExp(`/statements/${file.id}/undo"`))
  assert.equal((await person.request(`/statements/${file.id}/undo`)).status, 200)
  await undoFile(app, ada, file.id, 'to be proposed again')
  assert.deepEqual(await unfinished(), [])
  await byTwo(second)
  const booked = (await lines()).filter(({ reason }) => reason !== 'import_undone')
  assert.deepEqual(new Set(booked.map(({ amount }) => amount)), new Set([5000n, 700n]))
})

test('an import that breaks off goes on with what was approved; changed hashes are refused', async () => {
  const { iban, lines } = await openFileAccount(service.app)
  const content = contentOf('c.xml', camt('054', { iban, day: DAY, id: 'C', bookings: [KNOWN, NEW] }))
  const { id, seenSha256 } = await propose(content)
  const broken = { ...app, banks: { ...app.banks, holidays: app.banks.holidays } }
  const { sha256 } = await previewFile(app, content, PLAIN)
  broken.banks.holidays = async () => {
    if ((await findBySha(app.db, sha256))?.state === 'importing') throw new Error('the process ended')
    return app.banks.holidays()
  }
  await assert.rejects(approveProposal(broken, bora, id, seenSha256), /the process ended/)
  const file = (await findBySha(app.db, sha256)) ?? assert.fail('no file')
  assert.equal((await lines()).length, 0)
  const set = (keys: Buffer | null) =>
    app.db.query(sql`update statement_files set approved_lines = ${keys} where id = ${file.id}`)
  const [row] = await app.db.query<{ keys: Buffer }>(
    sql`select approved_lines as keys from statement_files where id = ${file.id}`,
  )
  for (const keys of [null, Buffer.alloc(24)]) {
    await set(keys)
    await assert.rejects(importKept(app, file), /approved lines of file \w+ were changed/)
  }
  await app.db.query(sql`update statement_files set approved_sha256 = null where id = ${file.id}`)
  await assert.rejects(importKept(app, { ...file, approvedSha256: null }), {
    said: { why: 'file_forged', facts: { file: file.id, person: 'bora.boz' } },
  })
  await app.db.query(sql`update statement_files set approved_sha256 = ${file.approvedSha256} where id = ${file.id}`)
  await set(row?.keys ?? null)
  await travelTo(service.app, 3600)
  assert.equal(await resumeImports(app), 1)
  assert.equal((await lines()).length, 2)
  await travelTo(service.app, 0)
})

test('a file that was written in SQL in the name of a person: nothing is booked, page and doctor say so', async () => {
  const { iban, lines } = await openFileAccount(service.app)
  const text = camt('054', { iban, day: DAY, id: 'planted', bookings: [{ ...NEW, number: '4713' }] })
  const sha256 = createHash('sha256').update(text).digest('hex')
  const id = app.ids.next()
  const [, model] = await listFiles(app.db, 2)
  await app.db.query(sql`
    insert into statement_files (id, connection, name, sha256, size, format, state, checks, accepted_why, created_by, created_at)
    values (${id}, ${model?.connection ?? ''}, 'garanti-ekstre.xml', ${sha256}, ${text.length}, 'camt.054', 'importing', '[]',
      'the bank sent it so', 'kasa.bir', '2026-03-10')`)
  await app.db.query(sql`
    insert into statement_file_parts (file_id, number, data) values (${id}, 0, ${gzipSync(text)})`)
  assert.equal(await resumeImports(app), 0)
  assert.deepEqual(await lines(), [])
  assert.deepEqual(await forgedFiles(app, 1000), [id])
  assert.equal((await showFile(app, id)).isOfPerson, false)
  const list = visibleText((await person.request('/statements')).text)
  assert.match(list, /garanti-ekstre\.xml[^]*Vezne’de kaydı yok/)
  assert.match(visibleText((await person.request(`/statements/${id}`)).text), /kasa\.bir adlı kişinin aktardığına dair/)
  await undoFile(app, ada, id, 'planted')
  const real = (await listFiles(app.db, 10)).find((one) => one.id !== id)
  await app.db.query(sql`update statement_files set created_by = 'kasa.bir' where id = ${real?.id}`)
  assert.deepEqual(new Set(await forgedFiles(app, 1000)), new Set([id, real?.id]))
})

test("a person's own column mapping is proposed with its columns and how they are read", async () => {
  const { iban } = await openFileAccount(service.app)
  const columns = { date: 'Gün', description: 'Detay', amount: 'Miktar', mark: 'Yön' }
  const profile = readMapping({ id: 'own', name: 'DenizBank', amounts: 'marked', columns })
  const content = contentOf('t.csv', 'Gün;Detay;Miktar;Yön\n10.03.2026;GELEN;100,00;A\n')
  const options = { ...PLAIN, account: iban, profile, acceptProblems: 'no balances there' }
  const asked = await proposeImport(app, ada, content, options)
  const rows = asked.state === 'open' ? asked.proposal.rows : assert.fail(asked.state)
  const shown = rows.find(({ field }) => field === 'columns')?.after as string[]
  for (const told of ['date: Gün', 'amount: Miktar', 'mark: Yön', 'amounts: marked', 'decimals: turkish'])
    assert.ok(shown.includes(told), `${told} in ${shown.join(', ')}`)
})

test('a copy of a line on another page, which no preview shows, is not booked, also where the balances fit', async () => {
  const { iban, lines } = await openFileAccount(service.app)
  const page = (number: number, opening: number, bookings: (typeof KNOWN)[]) =>
    contentOf(
      `page-${number}.xml`,
      camt('053', { iban, day: DAY, id: 'P', opening, bookings }).replace(
        '<Acct>',
        `<StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${number === 2}</LastPgInd></StmtPgntn><Acct>`,
      ),
    )
  await byTwo(page(1, 0, [KNOWN]))
  const second = page(2, 5000, [KNOWN])
  assert.equal((await previewFile(app, second, PLAIN)).counts.new, 0)
  const { id } = await byTwo(second)
  assert.deepEqual(
    (await lines()).map(({ amount }) => amount),
    [5000n],
  )
  const { state, checks } = await showFile(app, id)
  assert.equal(state, 'imported')
  const repeats = [note('finding_repeat', { number: '4711', amount: money(5000n), pages: [1, 2] })]
  const told = checks.find(({ what }) => what.why === 'finding_repeats')?.what.facts
  assert.deepEqual([told?.['repeats'], told?.['fate']], [repeats, 'not_seen'])
})
