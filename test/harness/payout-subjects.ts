import { readOrdersProfile } from '@vezne/bank-formats'
import type { App } from '../../packages/server/src/compose.ts'
import type { Connection } from '../../packages/server/src/domain/connections/index.ts'
import { manualConnection } from '../../packages/server/src/domain/connections/index.ts'
import { fundMerchant } from '../../packages/server/src/domain/matching/index.ts'
import { createMerchant, findMerchant } from '../../packages/server/src/domain/merchants/index.ts'
import {
  cutBatches,
  dispatchWithdrawals,
  findLiveBatch,
  importOrderReport,
  submitPayouts,
  createWithdrawals,
} from '../../packages/server/src/domain/withdrawals/index.ts'
import { merchantActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import { note } from '../../packages/server/src/kernel/refusals/note.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { notRefused } from '../../packages/server/src/platform/refusal.ts'
import { laterBy } from './crash.ts'
import { reportOf } from './order-reports.ts'

const never = () => Promise.reject(new Error('a bank that takes files is not called'))
const byFile: Connection = { kind: 'http_api', name: 'files', statement: never, submit: never, find: never }

/** The same deployment with all accounts over this connection. */
export function over(app: App, connection: Connection): App {
  const accounts = async () =>
    (await app.banks.accounts()).map((account) => ({ ...account, connection: connection.name }))
  return { ...app, connections: [connection], banks: { ...app.banks, accounts } }
}

/**
 * One payout that a person has to send, and one in an order file that is held up and about which the bank has reported.
 * `text` is where people and banks write.
 */
export async function payoutSubjects(app: App, text: string): Promise<{ manualId: string; batchId: string }> {
  const { merchantId } = await createMerchant(app, UNATTRIBUTED, { name: 'Dosya', allowedNetworks: ['127.0.0.1'] })
  await fundMerchant(app, await findMerchant(app, merchantId), 100_000n, 'TRY')
  const manualId = await withdraw(app, merchantId, text)
  const byHand = over(app, manualConnection)
  while ((await dispatchWithdrawals(byHand)) + (await submitPayouts(byHand)) > 0);
  const orderId = await withdraw(app, merchantId, 'Ayşe Yılmaz')
  while ((await dispatchWithdrawals(over(app, byFile))) > 0);
  const profile = readOrdersProfile({ format: 'pain.001.001.09' })
  while ((await cutBatches(laterBy(app, 300), [{ name: 'files', folder: '/nonexistent', profile }])) > 0);
  const batch = await findLiveBatch(app.db, orderId)
  if (!batch) throw new Error(`Payout ${orderId} is in no order file.`)
  const said = [
    reportOf(batch, { transactions: [{ id: orderId, status: 'ACSP' }] }),
    reportOf({ id: 'none' }, { group: 'ACTC' }),
  ]
  for (const bytes of said) await importOrderReport(app, { connection: 'files', name: text, bytes })
  const problem = JSON.stringify(note('order_failed', { error: text }))
  await app.db.query(sql`update payout_batches set problem = ${problem}::jsonb where id = ${batch.id}`)
  return { manualId, batchId: batch.id }
}

async function withdraw(app: App, merchantId: string, accountName: string): Promise<string> {
  const { fees } = await findMerchant(app, merchantId)
  const [created] = notRefused(
    await createWithdrawals(app, [
      {
        ...{ actor: merchantActor(merchantId), processId: app.ids.next(), amount: 10_000n, currency: 'TRY' },
        ...{ bankId: null, iban: 'TR620006200029500006291296', accountName, feeTerms: fees },
        ...{ userId: 'u-1', userName: 'ayse', name: 'Ayşe Yılmaz' },
      },
    ]),
  )
  return created?.id ?? ''
}
