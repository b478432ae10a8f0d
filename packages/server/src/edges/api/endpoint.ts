import type { DataOf, EndpointContract, RequestOf } from '@vezne/contract'
import type { FastifyRequest } from 'fastify'
import type { MerchantActor } from '../../kernel/actor.ts'
import type { BankDirectory } from '../../domain/banks/index.ts'
import type { CheckoutKeys, Deposit, NewDeposit } from '../../domain/deposits/index.ts'
import type { NewWithdrawal, Withdrawal } from '../../domain/withdrawals/index.ts'
import type { Caller, CallingMerchant, RefusedRequest } from '../../domain/merchants/index.ts'
import type { Connection } from '../../domain/connections/index.ts'
import type { BusinessClock } from '../../platform/time/business-clock.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Network } from '../../platform/http/ip.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Refusal } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import type { AddressRule } from './authenticate.ts'
import type { Views } from './views/open-views.ts'

/** What the API needs to answer. */
export type Api = {
  db: Db
  clock: BusinessClock
  realClock: Clock
  ids: Ids
  vault: Vault
  checkoutKeys: CheckoutKeys
  log: Log
  metrics: Metrics
  banks: BankDirectory
  views: Views
  connections: Connection[]
  currencies: string[]
  sandbox: boolean
  teaching: boolean
  trustedProxies: Network[]
  maxConnections: number
  maxConnectionsPerAddress: number
  authFailuresPerMinute: number
  logAddresses: 'masked' | 'full'
  /** Metrics are elsewhere then. */
  ops: object | null
  publicUrl: () => string
  /** It still serves, and wants no more connections. */
  isStopping: () => boolean
  findCaller: (apiKey: string) => Promise<Caller | null>
  createDeposit: (request: NewDeposit) => Promise<Deposit>
  createWithdrawal: (request: NewWithdrawal) => Promise<Withdrawal>
  recordRefusal: (request: RefusedRequest) => Promise<{ refusal: Refusal }>
}

/** What a handler receives: a merchant whose signature held, and input that its schema accepted. */
type Call<Contract extends EndpointContract> = RequestOf<Contract> & {
  merchant: CallingMerchant
  actor: MerchantActor
  /** X-Signature: it identifies these bytes with this timestamp. */
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
  /** The processId protects it against running twice. Every other POST runs once per signature. */
  guardedByProcessId?: true
  /** It reads pages of rows: few at once per merchant. */
  isList?: true
}

export type Endpoint = EndpointContract & Rules & { handle: Handle<never> }

/** One endpoint, one file: its contract, its rules and its handler. Mounting it (app.ts) brings the authentication along. */
export function endpoint<Contract extends EndpointContract>(
  contract: Contract,
  rules: Rules & { handle: Handle<Contract> },
): Endpoint {
  return { ...contract, ...rules }
}
