import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import type { Made } from './simulator.ts'
import { balances, CLIENT, clientOf, KEY, OTHER, start, statement, temporaryFolder } from './simulator.ts'

const payment = { toIban: CLIENT, amount: 125_000, description: 'K7XM2Q9R' }

test('after a restart the bank knows what it knew, and a torn last line never happened', async (t) => {
  const folder = temporaryFolder(t)
  const before = await start(t, folder)
  await before.api('POST', '/payments', payment)
  const { body } = await before.api<{ payments: Made[] }>('POST', '/payments', { ...payment, hold: true })
  const transfer = { reference: 'payout-1', fromIban: CLIENT, toIban: CLIENT.replace('33', '34'), toName: 'X' }
  const rejected = await before.api('POST', '/transfers', { ...transfer, amount: 1, description: '' })
  const known = { lines: await statement(before), balances: await balances(before) }
  await before.stop()
  appendFileSync(join(folder, 'bank.jsonl'), '{"kind":"moved","bankReference":"1234567890","amou')
  const after = await start(t, folder)
  assert.deepEqual({ lines: await statement(after), balances: await balances(after) }, known)
  assert.deepEqual((await after.api('GET', '/transfers/payout-1')).body, rejected.body)
  const released = await after.api<Made>('POST', `/payments/${body.payments[0]?.reference}/release`)
  assert.equal(released.body.status, 'accepted')
  await after.stop()
  assert.equal((await statement(await start(t, folder))).length, 2, 'what follows a torn line is whole')
})

test('a damaged line in the middle is not passed over', async (t) => {
  const folder = temporaryFolder(t)
  const bank = await start(t, folder)
  await bank.api('POST', '/payments', payment)
  await bank.stop()
  const path = join(folder, 'bank.jsonl')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"kind":"customer"', '"kind":"customer'))
  await assert.rejects(start(t, folder), /Line 1 of the journal is damaged/)
})

async function startProcess(t: TestContext, env: Record<string, string>) {
  const child = fork(join(import.meta.dirname, '../src/main.ts'), [], {
    env: { ...process.env, SIMULATOR_DATA: temporaryFolder(t), PORT: '0', ...env },
    silent: true,
  })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  const ready = async () => {
    while (!output.endsWith('\n')) await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), exited])
    return output
  }
  return { child, exited, ready }
}

for (const how of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
  test(`the program says where it is and ends cleanly at ${how}`, async (t) => {
    const { child, exited, ready } = await startProcess(t, { SIMULATOR_KEY: KEY })
    const [, url] = /^ready (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(await ready()) ?? []
    assert.equal((await fetch(`${url}/`)).status, 200)
    if (how === 'disconnect') child.disconnect()
    else child.kill(how)
    assert.deepEqual(await exited, [0, null])
  })
}

test('what a call has ended with outlives a kill at that moment', async (t) => {
  const folder = temporaryFolder(t)
  const { child, exited, ready } = await startProcess(t, { SIMULATOR_KEY: KEY, SIMULATOR_DATA: folder })
  const bank = clientOf((await ready()).slice('ready '.length, -1))
  await bank.api('POST', `/accounts/${CLIENT}/fund`, { amount: 1_000 })
  await bank.api('PUT', '/faults', { kinds: ['reset_after'] })
  const transfer = { fromIban: CLIENT, toIban: OTHER, toName: 'X', amount: 1, description: '' }
  const references = Array.from({ length: 50 }, (_, index) => `p${index}`)
  await Promise.allSettled(references.map((reference) => bank.api('POST', '/transfers', { reference, ...transfer })))
  child.kill('SIGKILL')
  await exited
  const after = await start(t, folder)
  const { body } = await after.api<{ transfers: Made[] }>('GET', '/ledger/transfers')
  assert.deepEqual(new Set(body.transfers.map(({ reference }) => reference)), new Set(references))
  assert.equal(body.transfers.length, references.length)
})

test('without a key it does not start, and says why', async (t) => {
  const { child, exited } = await startProcess(t, { SIMULATOR_KEY: '' })
  const complaint = await text(child.stderr as NodeJS.ReadableStream)
  assert.deepEqual(await exited, [1, null])
  assert.match(complaint, /^SIMULATOR_KEY is missing/)
})
