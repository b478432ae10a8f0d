import type { AccountPool, DepositViews } from '../../domain/deposits/index.ts'
import type { DoctorApp, DoctorConfig } from '../../domain/doctor/index.ts'
import type { ProposalDeps } from '../../domain/proposals/index.ts'
import type { WithdrawalViews } from '../../domain/withdrawals/index.ts'
import type { SeenNumbers } from '../../platform/files/seen-numbers.ts'
import type { Asked as AnyAsked, Form as AnyForm, Section as AnySection } from '../web/console/routes.ts'
import type { ConsoleDeps } from '../web/console/site.ts'
import type { Words } from './words-tr.ts'

export type OperatorKind = { app: OperatorDeps; words: Words }
export type Asked = AnyAsked<OperatorKind>
export type Form = AnyForm<OperatorKind>
export type Section = AnySection<OperatorKind>

export type OperatorDeps = ConsoleDeps &
  ProposalDeps &
  DoctorApp & {
    pool: AccountPool
    seen: SeenNumbers
    views: DepositViews & WithdrawalViews
    currencies: string[]
    config: Omit<DoctorConfig, 'baseUrl' | 'isWorker'> & { bankApi: { baseUrl: string; key: string } | null }
  }
