import type { ChangeDeps } from '../../domain/changes/index.ts'
import type { AccountPool, DepositViews } from '../../domain/deposits/index.ts'
import type { WithdrawalViews } from '../../domain/withdrawals/index.ts'
import type { ConsoleDeps } from '../web/console/site.ts'

export type OperatorDeps = ConsoleDeps &
  ChangeDeps & {
    pool: AccountPool
    views: DepositViews & WithdrawalViews
    currencies: string[]
    config: { bankApi: { baseUrl: string; key: string } | null }
  }
