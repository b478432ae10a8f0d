import { fileNote } from '../../../../kernel/refusals/files.ts'
import { note } from '../../../../kernel/refusals/note.ts'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Order, OrdersProfile } from '@vezne/bank-formats'
import { ordersProblem, OrdersProfileError, readOrdersProfile } from '@vezne/bank-formats'
import type { Marks } from '../../../../platform/crypto/marks.ts'
import type { Vault } from '../../../../platform/crypto/vault.ts'
import type { Db } from '../../../../platform/postgres/db.ts'
import type { CollectingAccount } from '../../../banks/index.ts'
import { accountsInForce, isRecorded } from '../../../banks/index.ts'
import { listFileExchanges } from '../../../connections/index.ts'
import type { Payout } from '../payout.ts'
import { selectPayoutsById } from '../store.ts'
import type { Batch } from './batch.ts'
import { heldUp } from './misplaced-files.ts'
import { selectItems } from './store.ts'

type Deps = { db: Db; vault: Vault; marks: Marks }

/** The bank returns the end-to-end id in reports, and the text on statements; both have the withdrawal's id. */
export function orderOf(payout: Payout): Order {
  const { withdrawalId, amount, currency, iban, accountName, description, purposeCode, rail } = payout
  return {
    ...{ endToEndId: withdrawalId, amount, currency, iban, name: accountName, text: description },
    ...{ purpose: purposeCode, rail },
  }
}

export const debtorOf = ({ title, iban }: CollectingAccount) => ({ name: title, iban })

/** The file in staging/ must say what its payouts say, whoever has written into the database, its profile or the folder since. */
export async function mustReadBack(app: Deps, batch: Batch): Promise<void> {
  const { db } = app
  const items = await selectItems(db, batch.id)
  const payouts = new Map(
    (
      await selectPayoutsById(
        db,
        items.map(({ withdrawalId }) => withdrawalId),
      )
    ).map((one) => [one.withdrawalId, one]),
  )
  const orders = items.flatMap(({ withdrawalId }) => payouts.get(withdrawalId) ?? []).map(orderOf)
  const account = (await accountsInForce(app)).find(({ id }) => id === batch.sourceAccountId)
  if (!account || !isRecorded(account)) throw heldUp(batch, note('order_account_unknown'))
  const bytes = await readFile(join(batch.folder, 'staging', batch.stagedName ?? ''))
  const found = await ordersProblem(bytes, { debtor: debtorOf(account), orders }, await profileOf(app, batch))
  if (found === null) return
  throw heldUp(batch, note('order_file_differs', { difference: fileNote(found) }))
}

/** A pain.001 is read without a profile. A table is read as the profile says now: if that has changed since, a person cancels the batch. */
async function profileOf(app: Deps, batch: Batch): Promise<OrdersProfile> {
  if (batch.format.startsWith('pain.')) return readOrdersProfile({ format: batch.format })
  const exchange = (await listFileExchanges(app)).find(({ name }) => name === batch.connection)
  try {
    return readOrdersProfile(exchange?.orders ?? {})
  } catch (error) {
    if (!(error instanceof OrdersProfileError)) throw error
    throw heldUp(batch, note('order_layout_wrong', { problems: error.problems.map(fileNote) }))
  }
}
