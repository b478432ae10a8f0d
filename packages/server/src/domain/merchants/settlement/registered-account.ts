import type { Marks } from '../../../platform/crypto/marks.ts'
import { partByMark } from '../../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { ownerOf } from '../../../platform/postgres/sealed-rows.ts'
import type { Registered, SettlementAccount } from './store.ts'
import { insertSettlementAccount, newestAccounts } from './store.ts'

type Deps = { db: Queryable; marks: Marks }

const nameOf = ({ merchantId, number }: Registered) => ownerOf('settlement_accounts', [merchantId, String(number)])

const saidOf = ({ iban, title, proposedBy, confirmedBy, confirmedAt }: Registered) => ({
  ...{ iban, title },
  ...{ proposedBy, confirmedBy, confirmedAt },
})

/** The newest, if the service has written it. None else: one that was replaced must not come back. */
async function byMark({ db, marks }: Deps, ids: string[] | null) {
  const rows = await newestAccounts(db, ids)
  return partByMark(marks, rows, (row) => ({ name: nameOf(row), says: saidOf(row), mark: row.mark }))
}

export async function findSettlementAccount(app: Deps, merchantId: string): Promise<SettlementAccount | null> {
  const [found] = (await byMark(app, [merchantId])).genuine
  return found ? { iban: found.iban, title: found.title } : null
}

/** Each in force, as merchant id and IBAN in one text. */
export async function settlementIbans(app: Deps, merchantIds: string[]): Promise<Set<string>> {
  const { genuine } = await byMark(app, merchantIds)
  return new Set(genuine.map(({ merchantId, iban }) => merchantId + iban))
}

/** Newest accounts that someone else has written: nothing is sent to them. */
export async function forgedSettlementAccounts(app: Deps): Promise<string[]> {
  const { forged } = await byMark(app, null)
  return forged.map(({ merchantId, iban }) => `${iban} of ${merchantId}`)
}

type New = Omit<Registered, 'number'>

/** The caller has locked the merchant. */
export async function registerAccount({ marks }: Pick<Deps, 'marks'>, tx: Tx, given: New): Promise<void> {
  const [newest] = await newestAccounts(tx, [given.merchantId])
  const row = { ...given, number: (newest?.number ?? 0) + 1 }
  await insertSettlementAccount(tx, { ...row, mark: await marks.of(nameOf(row), saidOf(row)) })
}
