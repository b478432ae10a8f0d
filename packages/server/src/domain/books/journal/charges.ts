import { sumOf } from '../../../kernel/money.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { AccountRef, NewEntry } from '../../ledger/index.ts'
import type { JournalEntry } from './journal-entry.ts'
import { lockEntry, selectReceivables } from './store.ts'

/** What a merchant was charged for a debit of the bank, by one entry. */
export type Charge = {
  entryId: string
  /** The receivable that it settled. */
  settles: string
  withdrawalId: string | null
  depositId: string | null
  /** The merchant's balance. */
  account: AccountRef
  /** Of all charges about the same withdrawal or deposit: what the bank has not given back. */
  left: bigint
}

/** Those of which something is not given back, oldest first. */
export async function openCharges(db: Queryable): Promise<Charge[]> {
  return chargesOf(await selectReceivables(db)).filter(({ left }) => left > 0n)
}

/** Locked with all others about its withdrawal or deposit, so that its money is given back once. */
export async function lockCharge(tx: Tx, { entryId, ...charge }: Charge): Promise<Charge | undefined> {
  const same = chargesOf(await selectReceivables(tx)).filter((one) => isSameMatter(one, charge))
  for (const id of same.map((one) => one.entryId).toSorted()) await lockEntry(tx, id)
  return (await openCharges(tx)).find((one) => one.entryId === entryId)
}

/** What a merchant is charged at the moment, and the first of the entries. */
export async function chargedBefore(tx: Tx, isAbout: (charge: Charge) => boolean) {
  const first = (await openCharges(tx)).find(isAbout)
  return { charged: first?.left ?? 0n, first: first?.entryId }
}

/** The entry that gave back something of this charge, or of one about the same matter. */
export async function givenBackOf(db: Queryable, id: string): Promise<JournalEntry | undefined> {
  const entries = await selectReceivables(db)
  const all = chargesOf(entries)
  const charge = all.find(({ entryId }) => entryId === id)
  const same = new Set(all.filter((one) => charge && isSameMatter(one, charge)).map(({ entryId }) => entryId))
  return entries.find(({ details }) => same.has(details.terms.settles ?? ''))
}

type Matter = Pick<Charge, 'withdrawalId' | 'depositId'>
const isSameMatter = (a: Matter, b: Matter) => a.withdrawalId === b.withdrawalId && a.depositId === b.depositId

function chargesOf(entries: JournalEntry[]): Charge[] {
  const all = entries.flatMap(({ id: entryId, details: { terms, seen } }) => {
    const [account] = partsFrom(seen.entries, 'merchant_available').map(({ from }) => from)
    const { settles, withdrawalId = null, depositId = null } = terms
    if (!account || settles === undefined) return []
    const charged = sumOf(partsFrom(seen.entries, 'merchant_available'))
    const given = entries.filter(({ details }) => details.terms.settles === entryId)
    const back = sumOf(given.flatMap(({ details }) => partsTo(details.seen.entries, 'merchant_available')))
    return [{ entryId, settles, withdrawalId, depositId, account, left: charged - back }]
  })
  return all.map((one) => {
    const same = all.filter((other) => isSameMatter(one, other))
    return { ...one, left: same.reduce((sum, { left }) => sum + left, 0n) }
  })
}

export const partsFrom = (entries: NewEntry[], kind: AccountRef['kind']) =>
  entries.flatMap(({ transfers }) => transfers.filter(({ from }) => from.kind === kind))

export const partsTo = (entries: NewEntry[], kind: AccountRef['kind']) =>
  entries.flatMap(({ transfers }) => transfers.filter(({ to }) => to.kind === kind))
