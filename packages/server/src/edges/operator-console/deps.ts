import type { BankDirectory } from '../../domain/banks/index.ts'
import type { Connection } from '../../domain/connections/index.ts'
import type { AccountPool, DepositViews } from '../../domain/deposits/index.ts'
import type { WithdrawalViews } from '../../domain/withdrawals/index.ts'
import type { ConsoleDeps } from '../web/console/site.ts'

export type OperatorDeps = ConsoleDeps & {
  banks: BankDirectory
  pool: AccountPool
  views: DepositViews & WithdrawalViews
  connections: Connection[]
}
