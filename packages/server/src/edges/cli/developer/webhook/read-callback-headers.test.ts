import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCallbackHeaders } from './read-callback-headers.ts'

const WANTED = {
  'webhook-id': '6af95a29428d9b71948dc42f',
  'webhook-timestamp': '1794726000',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4= v1,AAAA',
}
const lines = (write: (name: string, value: string) => string, end = '\n') =>
  Object.entries(WANTED)
    .map(([name, value]) => write(name, value))
    .join(end)

const SAVED: Record<string, string> = {
  plain: lines((name, value) => `${name}: ${value}`),
  'a saved request with its body': `POST /callbacks HTTP/1.1\r\nHost: shop.example\r\n${lines((name, value) => `${name}: ${value}`, '\r\n')}\r\n\r\n{"webhook-id": "another"}\nwebhook-id: another`,
  'other capitals': lines((name, value) => `${name.toUpperCase()}:${value}`),
  'curl -v': `> POST / HTTP/1.1\n${lines((name, value) => `> ${name}: ${value}`)}\n>\n> webhook-id: another`,
  'variables of a server': lines((name, value) => `HTTP_${name.toUpperCase().replaceAll('-', '_')}=${value}`),
  JSON: JSON.stringify(WANTED),
  'JSON with lists, indented': JSON.stringify(
    { ...WANTED, 'webhook-signature': WANTED['webhook-signature'].split(' ') },
    null,
    2,
  ),
}

for (const [name, text] of Object.entries(SAVED)) {
  test(`headers are read: ${name}`, () => {
    const found = readCallbackHeaders(text)
    assert.deepEqual(Object.fromEntries(Object.keys(WANTED).map((header) => [header, found.get(header)])), WANTED)
  })
}

test('nothing that looks like a header: none', () => {
  for (const text of ['', '\n\n', 'null', '[1]', 'hello']) assert.equal(readCallbackHeaders(text).size, 0)
})
