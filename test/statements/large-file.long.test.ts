import assert from 'node:assert/strict'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, test } from 'node:test'
import { importByCommand } from '../harness/measured-import.ts'
import { camt, openFileAccount } from '../harness/statement-files.ts'
import { startService } from '../harness/service.ts'

const { app, databaseUrl } = await startService()
/** A million lines may take 300 MB, see `npm run bench -- --statements`; so few must take less, or garbage grows with the file. */
const LINES = 15_000
const MAX_RSS_MB = 230

const folder = mkdtempSync(join(tmpdir(), 'vezne-large-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test(`vezne statement import: a camt.053 of ${LINES} lines is imported within ${MAX_RSS_MB} MB`, async (t) => {
  const { iban } = await openFileAccount(app)
  const bookings = [{ number: 'NUMBER', amount: 123_400, sender: 'Ayşe Yılmaz', text: 'ODEME NUMBER' }]
  const [before, entry, end] = camt('053', { iban, day: '2026-03-10', bookings }).split(/(<Ntry>.*<\/Ntry>)/s)
  function* pieces() {
    yield before ?? ''
    for (let at = 0; at < LINES; at++) yield `${entry?.replaceAll('NUMBER', `R${at}`)}\n`
    yield end ?? ''
  }
  const file = join(folder, 'buyuk.xml')
  await pipeline(Readable.from(pieces()), createWriteStream(file))
  const { result, seconds, peakRssMb } = await importByCommand(databaseUrl, file)
  t.diagnostic(`${Math.round(LINES / seconds)} lines/s, at most ${Math.round(peakRssMb)} MB`)
  assert.equal(result.new, LINES)
  assert.ok(peakRssMb <= MAX_RSS_MB, `${peakRssMb} MB`)
})
