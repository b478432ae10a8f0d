import assert from 'node:assert/strict'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { balanceOf } from '../../packages/server/src/domain/ledger/index.ts'
import type { Connection } from '../../packages/server/src/domain/connections/index.ts'
import { dispatchWithdrawals, findPayout } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { RestoreCheck } from '../../packages/server/src/domain/restores/index.ts'
import { markRestored, releaseRestored } from '../../packages/server/src/domain/restores/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import { accepted } from '../harness/envelope.ts'
import { withdrawBody } from '../harness/examples.ts'
import { startWithBank } from '../harness/payouts.ts'
import { mustFind } from '../harness/history.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'

// What a restored database sees is a bank that knows more than it: here, transfers that the test sends by itself.

export const service = await startWithBank()
export const { app, connection } = service
export const shop = await service.merchantWithMoney(5_000_000n)
export const [ADA, BORA] = [operatorActor('ada.aksoy'), operatorActor('bora.boz')]
for (const name of ['ada.aksoy', 'bora.boz']) await addOperator(app, UNATTRIBUTED, name, DECIDING)

export async function ask(amount = 10_000): Promise<string> {
  return accepted(await shop.post('/v1/withdraw', withdrawBody({ amount })), 201).transactionId as string
}

/** A payout that is written down and not yet sent. */
export async function intent(): Promise<string> {
  const id = await ask()
  await dispatchWithdrawals(app)
  return id
}

/** The one account that has money. */
const source = await app.banks.account((await findPayout(app.db, await intent()))?.sourceAccountId ?? '')
await service.work()

/** As the service did it after the moment that the database was restored to. */
export async function sentBefore(
  id: string,
  { toIban = 'TR620006200029500006291296', amount = 10_000n, says = 'accepted' } = {},
): Promise<void> {
  const { outcome } = await connection.submit({
    reference: id,
    fromIban: source?.iban ?? '',
    toIban,
    toName: 'Ayşe Yılmaz',
    amount,
    currency: 'TRY',
    rail: 'fast',
    description: `Para cekme ${id}`,
    purposeCode: '06',
  })
  assert.equal(outcome, says)
}

/** Where a person says that one left from. */
export const from = { connection: connection.name, accountId: source?.id ?? '' }

/** A minute ago: the bank's clock is not ours. */
export const mark = () => markRestored(app, ADA, new Date(app.clock.now().getTime() - 60_000))
export const release = (check: RestoreCheck, checked: string | null = null) => releaseRestored(app, ADA, check, checked)
export const sentTimes = async (id: string) =>
  (await service.witness()).filter(({ reference }) => reference === id).length
export const cancel = (id: string) => shop.post(`/v1/transactions/${id}/cancel`, undefined)
export const available = async () => (await balanceOf(app.db, shop.merchantId, 'TRY')).available
/** By withdrawal: what the bank says, and what a release does. */
export const openOf = ({ open }: RestoreCheck) =>
  Object.fromEntries(open.map((one) => [one.withdrawalId, [one.said, one.next]]))
export const statesOf = (...ids: string[]) => Promise.all(ids.map(async (id) => (await mustFind(app, id)).state))
/** A bank whose statement cannot be read; one that also says nothing about a reference; one that shows no lines. */
export const unreadable: Connection = {
  ...connection,
  statement: () => Promise.resolve({ outcome: 'unreachable', why: note('answer_late') }),
}
export const silent: Connection = {
  ...unreadable,
  find: () => Promise.resolve({ outcome: 'unknown', why: note('answer_late') }),
}
export const noLines: Connection = {
  ...connection,
  statement: (cursor) =>
    Promise.resolve({ outcome: 'read', lines: [], unread: [], cursor: cursor ?? '0', more: false }),
}
