import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { startService } from '../harness/service.ts'

// The collection as Postman runs it: variables, then the script before the request, then the request.
type Item = {
  name: string
  request: { method: string; url: string; header: { key: string; value: string }[]; body?: { raw: string } }
}
type Collection = {
  variable: { key: string; value: string }[]
  event: { script: { exec: string[] } }[]
  item: { item: Item[] }[]
}

const service = await startService()
const shop = await service.merchant({ funds: 1_000_000n })
const response = await fetch(`${service.baseUrl}/docs/postman.json`)
const collection = (await response.json()) as Collection

async function run({ request }: Item) {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))
  variables.set('apiKey', shop.apiKey).set('apiSecret', shop.apiSecret)
  const replaceIn = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_all, key: string) => variables.get(key) ?? '')
  const headers = new Headers(request.header.map(({ key, value }) => [key, value]))
  const pm = {
    collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
    variables: { get: (key: string) => variables.get(key), replaceIn },
    request: {
      ...request,
      url: { toString: () => request.url },
      headers: { upsert: ({ key, value }: { key: string; value: string }) => headers.set(key, value) },
    },
  }
  const HmacSHA256 = (message: string, key: string) => ({
    toString: () => createHmac('sha256', key).update(message).digest('hex'),
  })
  runInNewContext(collection.event[0]?.script.exec.join('\n') ?? '', { pm, CryptoJS: { HmacSHA256, enc: { Hex: {} } } })
  const body = request.body ? replaceIn(request.body.raw) : null
  const answer = await fetch(replaceIn(request.url), { method: request.method, headers, body })
  return { status: answer.status, text: await answer.text() }
}

test('every request of the collection is signed rightly; those that name nothing of another merchant succeed', async () => {
  const items = collection.item.flatMap(({ item }) => item)
  assert.ok(items.length >= 12)
  for (const item of items) {
    const { status, text } = await run(item)
    const expected = /transactions\/|events\/6/.test(item.request.url) ? [404] : [200, 201]
    assert.ok(expected.includes(status), `${item.name}: ${status} ${text}`)
  }
})
