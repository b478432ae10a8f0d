import type { BankDirectory } from '../../../domain/banks/index.ts'
import type { Deposit } from '../../../domain/deposits/index.ts'
import { depositView } from './deposit-view.ts'
import { eraseView } from './erase-view.ts'
import { withdrawalView } from './withdrawal-view.ts'

export type Views = ReturnType<typeof openViews>

/** What merchants see of transactions. The domain receives this, because an event is written in the transaction of its change. */
export function openViews({ banks }: { banks: BankDirectory }) {
  return {
    deposit: (deposit: Deposit) => depositView(banks, deposit),
    withdrawal: withdrawalView,
    erased: eraseView,
  }
}
