import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { DEPOSIT_STATUSES } from '../../packages/server/src/domain/deposits/index.ts'
import { EVENT_TYPES } from '@vezne/contract'
import { WITHDRAWAL_STATUSES } from '../../packages/server/src/domain/withdrawals/withdrawal.ts'
import { asSent } from '../../packages/server/src/edges/cli/developer/webhook/rewritten-bodies.ts'
import type { ExampleEvent } from '../harness/example-events.ts'
import { exampleEvents } from '../harness/example-events.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/callbacks.md'), 'utf8')
const blocks = [...text.matchAll(/^```json\n(.+?)^```/gms)].map(
  ([, json]) => JSON.parse(json as string) as ExampleEvent,
)
const examples = blocks.filter(({ type }) => type !== undefined)
const made = await exampleEvents()

/** Every status but the first is reached by a change, and a change is an event; so is one that keeps the status. */
const TYPES = [
  ...DEPOSIT_STATUSES.map((status) => `deposit.${status}`),
  ...WITHDRAWAL_STATUSES.map((status) => `withdrawal.${status}`),
  'deposit.updated',
  'withdrawal.returned',
  'withdrawal.updated',
  'endpoint.test',
].filter((type) => !type.endsWith('.pending'))

test('EVENT_TYPES has them all', () => {
  assert.deepEqual(EVENT_TYPES.toSorted(), TYPES.toSorted())
})

test('docs/callbacks.md: every type of event has its row and one example, and there is no other', () => {
  const rows = [...text.matchAll(/^\| `((?:deposit|withdrawal|endpoint)\.\w+)` \|/gm)].map(([, type]) => type as string)
  assert.deepEqual(rows.toSorted(), TYPES.toSorted())
  assert.deepEqual(examples.map(({ type }) => type).toSorted(), TYPES.toSorted())
})

for (const event of made) {
  test(`docs/callbacks.md: the example of ${event.type} is what the code makes, key by key and in order`, () => {
    const written = examples.find(({ type }) => type === event.type)
    assert.deepEqual(written, event)
    assert.equal(JSON.stringify(written), JSON.stringify(event))
  })
}

test('vezne verify knows the order of the keys: turned round, every example is put right', () => {
  for (const event of made) assert.equal(asSent(JSON.stringify(turned(event))), JSON.stringify(event))
})

function turned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, part]) => [key, turned(part)] as const)
  return Object.fromEntries(entries.toReversed())
}
