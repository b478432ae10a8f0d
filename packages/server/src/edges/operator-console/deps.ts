import type { SeenNumbers } from '../../platform/files/seen-numbers.ts'
import type { ProposalDeps } from '../../domain/proposals/index.ts'
import type { AccountPool, DepositViews } from '../../domain/deposits/index.ts'
import type { DoctorApp, DoctorConfig } from '../../domain/doctor/index.ts'
import type { WithdrawalViews } from '../../domain/withdrawals/index.ts'
import type { ConsoleDeps } from '../web/console/site.ts'

export type OperatorDeps = ConsoleDeps &
  ProposalDeps &
  DoctorApp & {
    pool: AccountPool
    seen: SeenNumbers
    views: DepositViews & WithdrawalViews
    currencies: string[]
    config: Omit<DoctorConfig, 'baseUrl' | 'isWorker'> & { bankApi: { baseUrl: string; key: string } | null }
  }
