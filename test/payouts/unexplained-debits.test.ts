import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankCash, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { dispatchWithdrawals } from '../../packages/server/src/domain/withdrawals/index.ts'
import { matchAll, ingest } from '../harness/payments.ts'
import { AMOUNT, openPayoutLines } from '../harness/payout-lines.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind } from '../harness/history.ts'
import { travelTo } from '../harness/until.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

const service = await startWithBank()
const { app } = service
const shop = await service.merchantWithMoney(100_000n)
const { ask } = openPayoutLines(service, shop)
const [funded] = await bankCash(app.db)
const accounts = await app.banks.accounts()
const full = accounts.find(({ id }) => id === funded?.collectingAccountId) ?? assert.fail()
const empty = accounts.find(({ id, currency }) => id !== full.id && currency === 'TRY') ?? assert.fail()

async function arrives(accountIban: string, direction: BankLine['direction'], amount: bigint, narrative: string) {
  const now = app.clock.now()
  const day = { valueDate: istanbul(now).day, bookedAt: now }
  const sender = { bankReference: app.ids.next(), senderName: '', senderIban: null }
  await ingest(app, [{ accountIban, direction, amount, narrative, ...sender, ...day }])
  await matchAll(app)
}

async function routed(id: string) {
  while ((await dispatchWithdrawals(app)) > 0);
  const { state, stateReason, sourceAccountId } = await mustFind(app, id)
  return [state, stateReason, sourceAccountId]
}

test('unexplained debits have left just enough: the account sends', async () => {
  await arrives(full.iban, 'debit', 100_000n - BigInt(AMOUNT), 'VIRMAN')
  assert.deepEqual(await routed(await ask()), ['sending', null, full.id])
})

test('an account that unexplained debits have emptied sends nothing; the payout leaves from another one', async () => {
  const id = await ask({ amount: 1 })
  assert.deepEqual(await routed(id), ['queued', 'no_funds', null])
  await arrives(full.iban, 'debit', 5n, 'MASRAF')
  await arrives(empty.iban, 'credit', 1n, 'kime ait belli degil')
  await travelTo(app, 120)
  assert.deepEqual(await routed(id), ['sending', null, empty.id])
  assert.deepEqual(await findDrift(app.db), [])
})
