import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCamt } from './camt.ts'
import { readAll } from '../test/bytes-of.ts'
import { camtFile, details, entry, statement } from '../test/camt-file.ts'

test('a batch with more text than is kept in memory stays one line', async () => {
  const long = Array.from({ length: 40 }, (_, at) => `<Ustrd>${`${at}`.repeat(1000)}</Ustrd>`).join('')
  const paid = `<Amt Ccy="TRY">1</Amt><RmtInf>${long}</RmtInf>`
  const file = camtFile([
    statement(entry({ amount: '1700', more: details(...Array.from({ length: 1700 }, () => paid)) })),
  ])
  const [found] = await readAll(readCamt, file, 60_000)
  assert.deepEqual([found?.lines, found?.credits, found?.entries[0]?.narrative.length], [1, 1700_00n, 10_000])
})
