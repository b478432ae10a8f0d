import type { BankDirectory } from '../../../domain/banks/index.ts'
import type { Deposit } from '../../../domain/deposits/index.ts'
import { depositView } from './deposit-view.ts'
import { eraseView } from './erase-view.ts'
import { withdrawalView } from './withdrawal-view.ts'

export type Views = ReturnType<typeof openViews>

/** How merchants see transactions. Passed into the domain because an event is written in the same database transaction as its change. */
export function openViews({ banks }: { banks: BankDirectory }) {
  return {
    deposit: (deposit: Deposit) => depositView(banks, deposit),
    withdrawal: withdrawalView,
    erased: eraseView,
  }
}
