import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { runCallbacksOnce } from '../harness/callbacks.ts'
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
after(() => service.app.outbound.close())
const shop = await service.merchant({ funds: 1_000_000n })
const response = await fetch(`${service.baseUrl}/docs/postman.json`)
const collection = (await response.json()) as Collection

const variables = new Map(collection.variable.map(({ key, value }) => [key, value]))

async function run({ request }: Item) {
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
  const [before = '', afterwards = ''] = collection.event.map(({ script }) => script.exec.join('\n'))
  runInNewContext(before, { pm, require: () => ({ HmacSHA256, enc: { Hex: {} } }) })
  const body = request.body ? replaceIn(request.body.raw) : null
  const answer = await fetch(replaceIn(request.url), { method: request.method, headers, body })
  const text = await answer.text()
  runInNewContext(afterwards, { pm: { ...pm, response: { json: () => JSON.parse(text) as unknown } } })
  return { status: answer.status, text }
}

test('every request of the collection is signed rightly and succeeds, except of what is not paid or not received', async () => {
  const items = collection.item.flatMap(({ item }) => item)
  assert.ok(items.length >= 12)
  for (const item of items) {
    await runCallbacksOnce(service.app)
    const { status, text } = await run(item)
    const expected = /\/refund$|\{eventId\}\}\/resend/.test(item.request.url) ? [409] : [200, 201, 202]
    assert.ok(expected.includes(status), `${item.name}: ${status} ${text}`)
  }
})
