import assert from 'node:assert/strict'
import type { RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { note } from '../../kernel/refusals/note.ts'
import { bankApiConnection } from './bank-api.ts'

const MB = 2 ** 20
const PAGE = JSON.stringify({ lines: [], cursor: '7', more: false })

async function bankThat(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return bankApiConnection({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'k' })
}

const padded = (bytes: number) => PAGE + ' '.repeat(bytes - PAGE.length)

test('an answer of 16 MB is read; one byte more is not, in a gzip too', async () => {
  let body: string | Buffer = padded(16 * MB)
  let headers = {}
  const bank = await bankThat((_request, response) => void response.writeHead(200, headers).end(body))
  assert.equal((await bank.statement('')).outcome, 'read')
  const tooLarge = { outcome: 'unreachable', why: note('answer_too_large', { megabytes: 16 }) }
  body = padded(16 * MB + 1)
  assert.deepEqual(await bank.statement(''), tooLarge)
  headers = { 'content-encoding': 'gzip' }
  body = gzipSync(padded(16 * MB + 1))
  assert.ok(body.length < MB)
  assert.deepEqual(await bank.statement(''), tooLarge)
})

test('the rest of an answer that is too large is not received', async () => {
  let sent = 0
  const chunk = Buffer.alloc(64 * 1024, ' ')
  const pour = (response: ServerResponse) => {
    while (!response.destroyed && !response.writableNeedDrain) {
      sent += chunk.length
      response.write(chunk)
    }
  }
  const bank = await bankThat((_request, response) => {
    response.on('drain', () => pour(response))
    pour(response)
  })
  const page = await bank.statement('')
  assert.equal(page.outcome, 'unreachable')
  // Allows for the buffers of both ends.
  assert.ok(sent < 64 * MB, `${sent / MB} MB were sent`)
})

test('a transfer with an answer that is too large has an unknown outcome, also as a refusal', async () => {
  let status = 200
  const bank = await bankThat((_request, response) => void response.writeHead(status).end(padded(17 * MB)))
  const order = { reference: 'r', amount: 100n } as Parameters<typeof bank.submit>[0]
  const unknown = { outcome: 'unknown', why: note('answer_too_large', { megabytes: 16 }) }
  for (status of [200, 400, 500]) assert.deepEqual(await bank.submit(order), unknown, String(status))
  for (status of [200, 404]) assert.deepEqual(await bank.find(order), unknown, String(status))
})

test('a byte order mark before the JSON, and no body at all', async () => {
  let body = `\uFEFF${PAGE}`
  const bank = await bankThat((_request, response) => void response.end(body))
  assert.equal((await bank.statement('')).outcome, 'read')
  body = ''
  assert.equal((await bank.statement('')).outcome, 'unreachable')
})
