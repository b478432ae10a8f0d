import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Cell } from './table-cells.ts'
import { streamTable } from './table-stream.ts'

const KIND = { format: 'csv' as const, title: 'x', columns: [{ name: 'text', kind: 'text' as const }] }
const rows = (count: number): Cell[][] => Array.from({ length: count }, (_, at) => [`row ${at} ${'x'.repeat(100)}`])

function ends() {
  const all: unknown[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  return { all, ended: promise, onEnd: (error: unknown) => (all.push(error), resolve()) }
}

test('all rows come, and no faster than they are read', async () => {
  const { all, onEnd } = ends()
  let written = 0
  const stream = await streamTable(
    KIND,
    async (write) => {
      for (let at = 0; at < 50; at++) {
        await write(rows(100))
        written++
      }
    },
    { onEnd },
  )
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (chunks.length === 0) assert.ok(written < 25, `${written} of 50 pages were written before one was read`)
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString()
  assert.equal(text.trimEnd().split('\r\n').length, 5001)
  assert.deepEqual(all, [null])
})

test('what fails before the first row is thrown; nothing is left unhandled', async () => {
  const { all, onEnd } = ends()
  await assert.rejects(
    streamTable(KIND, () => Promise.reject(new Error('no such period')), { onEnd }),
    /no such period/,
  )
  assert.match(String(all), /no such period/)
})

test('what fails later breaks the stream off', async () => {
  const { all, onEnd } = ends()
  const fill = async (write: (some: Cell[][]) => Promise<void>) => {
    await write(rows(1000))
    throw new Error('the database went away')
  }
  const stream = await streamTable(KIND, fill, { onEnd })
  await assert.rejects(Array.fromAsync(stream as AsyncIterable<Buffer>), /the database went away/)
  assert.match(String(all), /the database went away/)
})

test('a reader who leaves ends the reading of rows, without an error', async () => {
  const { all, ended, onEnd } = ends()
  let isDone = false
  const fill = async (write: (some: Cell[][]) => Promise<void>) => {
    while (!isDone) await write(rows(1000))
  }
  const stream = await streamTable(KIND, fill, { onEnd })
  await once(stream, 'readable')
  stream.destroy()
  await ended
  isDone = true
  assert.deepEqual(all, [null])
})
