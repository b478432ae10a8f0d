import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openCommandLineOf } from '../harness/command-line.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const run = openCommandLineOf(service)
const folder = mkdtempSync(join(tmpdir(), 'vezne-files-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const DAY = '2026-03-10'

function write(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('statement import: preview, --yes, again, show, list --files, undo', async () => {
  const { iban } = await openFileAccount(service.app)
  const bookings = [{ number: 'N1', amount: 10_000, sender: 'Ayşe Yılmaz', text: 'ABC' }]
  const path = write('ekstre.xml', camt('053', { iban, day: DAY, opening: 500, bookings }))
  const seen = await run(['statement', 'import', path, '--preview'])
  assert.match(seen.output, /camt\.053[\s\S]*1: 1 new[\s\S]*5,00 TL +105,00 TL[\s\S]*note: the first statement of/)
  const unasked = await run(['statement', 'import', path])
  assert.deepEqual([unasked.code, /To import without being asked: --yes/.test(unasked.errors)], [2, true])
  const taken = await run(['statement', 'import', path, '--yes'])
  const id = /Imported as file (\w+): 1 new, 0 known/.exec(taken.output)?.[1] ?? ''
  assert.match((await run(['statement', 'import', path, '--yes'])).output, /was imported on .* by operator/)
  assert.match((await run(['statement', 'show', id])).output, /new +1 +100,00 TL/)
  assert.match(
    (await run(['statement', 'list', '--files'])).output,
    new RegExp(`${id} +ekstre.xml +camt.053 +manual +imported`),
  )
  assert.match(
    (await run(['statement', 'undo', id, '--why', 'wrong period'])).output,
    /1 line\(s\) are out of the books/,
  )
  assert.match((await run(['statement', 'show', id])).output, /undone on .* by operator: wrong period/)
})

test('a table without account needs --account; a wrong one says where', async () => {
  const { iban, lines } = await openFileAccount(service.app)
  const rows = ['Tarih;Açıklama;Borç;Alacak;Bakiye;Dekont No', '10.03.2026;GELEN;;100,00;100,00;77']
  const path = write('tablo.csv', rows.join('\n'))
  assert.match((await run(['statement', 'import', path, '--yes'])).errors, /names no account.*--account IBAN/s)
  const taken = await run(['statement', 'import', path, '--yes', '--account', iban, '--profile', 'ziraat'])
  assert.match(taken.output, /1 new/, taken.errors)
  assert.equal((await lines()).length, 1)
  const wrong = write('yanlis.csv', [...rows, '11.03.2026;GELEN;;x;200,00;78'].join('\n'))
  const failed = await run(['statement', 'import', wrong, '--yes', '--account', iban])
  assert.match(failed.errors, /yanlis\.csv .*line 3.*Nothing of this file was imported/)
})
