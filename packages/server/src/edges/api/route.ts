import type { DataOf, EndpointContract, RequestOf } from '@vezne/contract'
import type { FastifyRequest } from 'fastify'
import type { MerchantActor } from '../../kernel/actor.ts'
import type { BankDirectory } from '../../domain/banks/index.ts'
import type { CheckoutKeys, Deposit, NewDeposit } from '../../domain/deposits/index.ts'
import type { NewWithdrawal, Withdrawal } from '../../domain/withdrawals/index.ts'
import type { Caller, CallLog, CallingMerchant, RecordedRefusal, RefusedRequest } from '../../domain/merchants/index.ts'
import type { Connection } from '../../domain/connections/index.ts'
import type { BusinessClock } from '../../platform/time/business-clock.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Network } from '../../platform/http/ip.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import type { AddressRule } from './authenticate.ts'
import type { Views } from './views/open-views.ts'

/** Everything the API needs to serve requests. */
export type Api = {
  db: Db
  clock: BusinessClock
  realClock: Clock
  ids: Ids
  vault: Vault
  marks: Marks
  checkoutKeys: CheckoutKeys
  log: Log
  metrics: Metrics
  banks: BankDirectory
  views: Views
  connections: Connection[]
  currencies: string[]
  config: { dataFolder: string }
  sandbox: boolean
  trustedProxies: Network[]
  maxConnections: number
  maxConnectionsPerAddress: number
  authFailuresPerMinute: number
  logAddresses: 'masked' | 'full'
  /** If set, metrics are served on the ops port. */
  ops: object | null
  publicUrl: () => string
  /** The process still serves requests but should get no new connections. */
  isStopping: () => boolean
  findCaller: (apiKey: string) => Promise<Caller | null>
  createDeposit: (request: NewDeposit) => Promise<Deposit>
  createWithdrawal: (request: NewWithdrawal) => Promise<Withdrawal>
  /** Calls in the form in which the merchant's pages show them. */
  callLog: CallLog
  recordRefusal: (request: RefusedRequest) => Promise<RecordedRefusal>
}

/** What a handler receives: a merchant with a valid signature, and input that passed its schema. */
type Call<Contract extends EndpointContract> = RequestOf<Contract> & {
  merchant: CallingMerchant
  actor: MerchantActor
  /** X-Signature: identifies this exact request, timestamp included. */
  signature: string
}

type Answer<Data> = { data: Data; headers?: Record<string, string>; notModified?: boolean }

type Handle<Contract extends EndpointContract> = (
  api: Api,
  call: Call<Contract>,
  request: FastifyRequest,
) => Promise<Answer<DataOf<Contract>>>

type Rules = {
  addresses: AddressRule
  /** The processId prevents duplicate execution. Every other POST runs once per signature. */
  guardedByProcessId?: true
  /** Reads pages of rows, so concurrent calls per merchant are limited. */
  isList?: true
}

export type Route = EndpointContract & Rules & { handle: Handle<never> }

/** One file per endpoint: contract, rules and handler. Mounting it (mount-v1.ts) adds authentication. */
export function route<Contract extends EndpointContract>(
  contract: Contract,
  rules: Rules & { handle: Handle<Contract> },
): Route {
  return { ...contract, ...rules }
}
