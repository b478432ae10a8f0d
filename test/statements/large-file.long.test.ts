import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importFile } from '../../packages/server/src/domain/statements/index.ts'
import { UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { camt, openFileAccount, PLAIN } from '../harness/statement-files.ts'
import { startService } from '../harness/service.ts'

const { app } = await startService()
/** A million takes many minutes: `STATEMENT_LINES=1000000 npm test -- test/statements/large-file.long.test.ts`. */
const LINES = Number(process.env['STATEMENT_LINES'] ?? 30_000)

test(`a camt.053 of ${LINES} lines is imported; says how fast and with how much memory`, async (t) => {
  const { iban } = await openFileAccount(app)
  const bookings = [{ number: 'NUMBER', amount: 123_400, sender: 'Ayşe Yılmaz', text: 'ODEME NUMBER' }]
  const [before, entry, after] = camt('053', { iban, day: '2026-03-10', bookings }).split(/(<Ntry>.*<\/Ntry>)/s)
  async function* open() {
    yield Buffer.from(before ?? '')
    for (let at = 0; at < LINES; at += 100) {
      const entries = Array.from({ length: 100 }, (_, n) => entry?.replaceAll('NUMBER', `R${at + n}`))
      yield Buffer.from(entries.join('\n'))
    }
    yield Buffer.from(after ?? '')
  }
  let peak = 0
  const started = performance.now()
  const result = await importFile(app, UNATTRIBUTED, { name: 'buyuk.xml', open }, PLAIN, () => {
    peak = Math.max(peak, process.memoryUsage.rss())
  })
  const seconds = (performance.now() - started) / 1000
  t.diagnostic(`${Math.round(LINES / seconds)} lines/s, at most ${Math.round(peak / 1024 / 1024)} MB`)
  assert.equal(result.new, LINES)
})
