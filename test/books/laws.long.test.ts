import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JournalKind, Terms } from '../../packages/server/src/domain/books/index.ts'
import { entriesBefore, returnRefunds } from '../../packages/server/src/domain/books/index.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { listLines } from '../../packages/server/src/domain/statements/index.ts'
import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import { openJournal } from '../harness/journal.ts'
import { ingest, lineFor, matchAll, someDeposits } from '../harness/payments.ts'
import { startService } from '../harness/service.ts'

const service = await startService()
const { app } = service
const journal = await openJournal(app)
const shops = [await service.merchant({ depositFee: { bps: 250 } }), await service.merchant()]

/** Numbers that look random and are the same in every run. */
function seeded(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

type Attempt = [kind: JournalKind, terms: Partial<Terms>, reverses?: string]

for (const seed of [1, 2, 3]) {
  test(`after any sequence of entries (seed ${seed}) the ledger sums to zero, nothing drifts, and cash is what the lines say`, async () => {
    const below = seeded(seed)
    const pick = <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)]
    const deposits: string[] = []

    async function newLines(): Promise<void> {
      const amount = BigInt(1000 * (1 + below(3)))
      const [deposit] = await someDeposits(app, pick(shops)?.merchantId ?? '', 1, amount)
      if (!deposit) throw new Error('no deposit')
      deposits.push(deposit.id)
      if (below(2) === 0) {
        await ingest(app, [await lineFor(app, deposit)])
        await matchAll(app)
      }
      const accountIban = below(2) === 0 ? journal.here.iban : journal.there.iban
      await journal.arrives(below(2) === 0 ? 'credit' : 'debit', amount, { accountIban })
    }

    async function attempt(): Promise<Attempt> {
      const debit = pick((await listLines(app.db, 'needs_review', 50)).map(({ id }) => id)) ?? ''
      const free = (await listLines(app.db, 'suspense', 50)).filter((line) => line.depositId === null)
      const credit = pick(free)
      const lineIds = [credit?.id ?? '']
      const posted = pick((await entriesBefore(app.db, null, 50)).map(({ id }) => id))
      const half = (credit?.amount ?? 0n) / 2n
      const two = [pick(deposits), pick(deposits)].map((depositId) => ({ depositId: depositId ?? '', amount: half }))
      const all: Attempt[] = [
        ['bank_charge', { lineIds: [debit] }],
        ['bank_tax', { lineIds: [debit] }],
        ['interest', { lineIds: below(2) === 0 ? [debit] : lineIds }],
        ['receivable', { lineIds: [debit] }],
        ['receivable', { lineIds, settles: posted ?? '' }],
        ['own_transfer', { lineIds: [debit, ...lineIds] }],
        ['fee_withdrawal', { lineIds: [debit] }],
        ['storno', { lineIds: [debit, ...lineIds] }],
        ['unmatch', { depositId: pick(deposits) ?? '', to: below(2) === 0 ? 'failed' : 'processing' }],
        ['deposit_payment', { lineIds, parts: two }],
        [
          'deposit_payment',
          { lineIds, parts: two.map((part) => ({ ...part, amount: half / 2n })), rest: { amount: half } },
        ],
        ['deposit_payment', { lineIds, depositId: pick(deposits) ?? '' }],
        ['refund_unexplained', { lineIds, iban: makeIban('0062', '12345678') }],
        ['reversal', {}, posted ?? ''],
      ]
      return all[below(all.length)] as Attempt
    }

    let done = 0
    for (let step = 0; step < 60; step++) {
      if (step % 3 === 0) await newLines()
      const [kind, terms, reverses] = await attempt()
      // Most fit nothing: refused, with nothing changed.
      await journal.post(kind, terms, reverses).then(
        () => done++,
        (error: unknown) => assert.ok(error instanceof Refusal, String(error)),
      )
      if (step % 20 === 19) await journal.assertSound()
    }
    assert.ok(done > 0, 'nothing was posted')
    assert.equal(await returnRefunds(app), 0)
    await journal.assertSound()
  })
}
