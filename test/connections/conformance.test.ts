import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { PayoutOrder } from '../../packages/server/src/domain/connections/index.ts'
import { checkConformance } from '../../packages/server/src/domain/connections/index.ts'

type Reply = { status: number; body: unknown }
type Asked = { since: number; limit: number; reads: number }

const ok = (body: unknown): Reply => ({ status: 200, body })
const order: PayoutOrder = {
  reference: 'a'.repeat(24),
  fromIban: 'TR270004600000000001000040',
  toIban: 'TR620006200029500006291296',
  toName: 'Ayşe',
  amount: 100n,
  currency: 'TRY',
  rail: 'fast',
  description: `test ${'a'.repeat(24)}`,
  purposeCode: '06',
}

function line(number: number, changes: object = {}): object {
  const facts = { account: order.fromIban, amount: 500, direction: 'credit', senderName: 'Ayşe', narrative: 'n' }
  return { ...facts, reference: `B${number}`, valueDate: '2026-11-16', bookedAt: '2026-11-16T09:00:00Z', ...changes }
}

/** A bank that keeps every rule, except those that are replaced. */
class FakeBank {
  lines: object[] = [1, 2, 3, 4, 5].map((number) => line(number))
  paid: string[] = []
  page({ since, limit }: Asked): Reply {
    const end = Math.min(since + limit, this.lines.length)
    return ok({ lines: this.lines.slice(since, end), cursor: String(end), more: end < this.lines.length })
  }
  pay(): void {
    const { amount, reference } = order
    this.paid.push(reference)
    this.lines.push(
      line(100 + this.paid.length, { amount: Number(amount), direction: 'debit', narrative: `x ${reference}` }),
    )
  }
  submit(): Reply {
    if (this.paid.length === 0) this.pay()
    return ok({ status: 'accepted', bankReference: 'T-1' })
  }
  find(reference: string): Reply {
    return this.paid.includes(reference)
      ? ok({ status: 'accepted', bankReference: 'T-1' })
      : { status: 404, body: { error: 'never_seen' } }
  }
  refuse(_path: string): Reply | null {
    return { status: 401, body: { error: 'unauthorized' } }
  }
}

async function failuresOf(bank: FakeBank, { sends = false } = {}): Promise<string[]> {
  let reads = 0
  const reply = (method: string, url: URL, isKey: boolean): Reply => {
    const refused = isKey ? null : bank.refuse(url.pathname)
    if (refused) return refused
    if (method === 'POST') return bank.submit()
    if (!url.pathname.endsWith('/statement')) return bank.find(url.pathname.split('/').at(-1) ?? '')
    const number = (name: string) => Number(url.searchParams.get(name))
    return bank.page({ since: number('since'), limit: number('limit'), reads: ++reads })
  }
  const server = createServer((request, response) => {
    const isKey = request.headers.authorization === 'Bearer k'
    const { status, body } = reply(request.method ?? '', new URL(request.url ?? '', 'http://bank'), isKey)
    request.resume().on('end', () => response.writeHead(status).end(JSON.stringify(body)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sending = sends ? { order, cursor: '5', waitSeconds: 0 } : undefined
  const checks = await checkConformance({ url, key: 'k' }, { unusedReference: 'f'.repeat(24), sending })
  for (const { ok: passed, found, expected } of checks) assert.ok(passed || (found !== '' && expected !== ''))
  return checks.flatMap(({ check, ok: passed }) => (passed ? [] : check))
}

const broken = (changes: Partial<FakeBank>) => Object.assign(new FakeBank(), changes)
const correct = (asked: Asked) => new FakeBank().page(asked)
const pageOf = (asked: Asked) => correct(asked).body as { lines: object[]; cursor: string; more: boolean }

test('a bank that keeps every rule passes, also without any line', async () => {
  assert.deepEqual(await failuresOf(new FakeBank()), [])
  assert.deepEqual(await failuresOf(broken({ lines: [] })), [])
  const bank = new FakeBank()
  assert.deepEqual(await failuresOf(bank, { sends: true }), [])
  assert.deepEqual(bank.paid, [order.reference])
})

const READING: [what: string, bank: FakeBank, named: string[]][] = [
  ['an error instead of a page', broken({ page: () => ({ status: 500, body: {} }) }), ['statement page']],
  ['no cursor', broken({ page: () => ok({ lines: [], more: false }) }), ['statement page']],
  ['more as a text', broken({ page: () => ok({ lines: [], cursor: '0', more: 'no' }) }), ['statement page']],
  ['an amount as text', broken({ lines: [line(1, { amount: '5,00' })] }), ['statement fields']],
  ['a time without its zone', broken({ lines: [line(1, { bookedAt: '2026-11-16T09:00:00' })] }), ['statement fields']],
  ['no number of the bank', broken({ lines: [line(1, { reference: undefined })] }), ['statement fields']],
  ['no limit', broken({ page: (asked) => correct({ ...asked, limit: 500 }) }), ['statement limit']],
  ['more is always false', broken({ page: (asked) => ok({ ...pageOf(asked), more: false }) }), ['statement limit']],
  [
    'another order each time',
    broken({
      page: (asked) =>
        ok({ ...pageOf(asked), lines: asked.reads === 3 ? pageOf(asked).lines.toReversed() : pageOf(asked).lines }),
    }),
    ['statement is stable'],
  ],
  [
    'a cursor that stays',
    broken({
      page: (asked) => (asked.limit === 2 ? ok({ ...pageOf({ ...asked, since: 0 }), cursor: '0' }) : correct(asked)),
    }),
    ['statement cursor progresses'],
  ],
  [
    'pages that overlap',
    broken({
      page: (asked) => correct({ ...asked, since: asked.limit === 2 ? Math.max(0, asked.since - 1) : asked.since }),
    }),
    ['statement pages fit'],
  ],
  [
    'the last line again',
    broken({ page: (asked) => (asked.since === 5 ? correct({ ...asked, since: 4 }) : correct(asked)) }),
    ['statement end'],
  ],
  ['pending for what it never saw', broken({ find: () => ok({ status: 'pending' }) }), ['unknown reference']],
  ['404 without a word', broken({ find: () => ({ status: 404, body: {} }) }), ['unknown reference']],
  ['any key', broken({ refuse: () => null }), ['wrong key on statement', 'wrong key on transfers']],
  [
    'any key for transfers',
    broken({ refuse: (path) => (path.endsWith('/statement') ? { status: 403, body: {} } : null) }),
    ['wrong key on transfers'],
  ],
]

for (const [what, bank, named] of READING) {
  test(`a bank with ${what} fails: ${named.join(', ')}`, async () => {
    assert.deepEqual(await failuresOf(bank), named)
    assert.deepEqual(bank.paid, [], 'nothing is sent')
  })
}

class PaysTwice extends FakeBank {
  override submit(): Reply {
    this.pay()
    return ok({ status: 'accepted', bankReference: `T-${this.paid.length}` })
  }
}

class RefusesSecond extends FakeBank {
  override submit(): Reply {
    return this.paid.length > 0 ? { status: 409, body: { error: 'duplicate' } } : super.submit()
  }
}

class ForgetsReference extends FakeBank {
  override pay(): void {
    this.paid.push(order.reference)
    this.lines.push(line(101, { amount: Number(order.amount), direction: 'debit', narrative: 'Giden FAST' }))
  }
}

const SENDING: [what: string, bank: FakeBank, named: string[]][] = [
  ['a second payment', new PaysTwice(), ['submit again', 'on the statement']],
  ['a refusal of the second order', new RefusesSecond(), ['submit again']],
  ['never_seen for what it paid', broken({ find: () => ({ status: 404, body: { error: 'never_seen' } }) }), ['find']],
  ['no reference on the statement', new ForgetsReference(), ['on the statement']],
  [
    'no number for what it paid',
    broken({ submit: () => ok({ status: 'accepted' }) }),
    ['submit', 'submit again', 'find', 'on the statement'],
  ],
]

for (const [what, bank, named] of SENDING) {
  test(`sending to a bank with ${what} fails: ${named.join(', ')}`, async () => {
    assert.deepEqual(await failuresOf(bank, { sends: true }), named)
  })
}
