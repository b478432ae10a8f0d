import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
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
  connections: Connection[]
  currencies: string[]
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

type Schemas = { params?: TSchema; querystring?: TSchema; body?: TSchema }
type Of<S> = S extends TSchema ? Static<S> : undefined

/** What a handler receives: a merchant whose signature held, and input that its schema accepted. */
type Call<S extends Schemas> = {
  merchant: CallingMerchant
  /** X-Signature: it identifies these bytes with this timestamp. */
  signature: string
  params: Of<S['params']>
  query: Of<S['querystring']>
  body: Of<S['body']>
}

export type Answer = { data: object; headers?: Record<string, string>; notModified?: boolean }

export type Endpoint = {
  method: 'GET' | 'POST'
  path: string
  addresses: AddressRule
  status: 200 | 201
  /** The processId protects it against running twice. Every other POST runs once per signature. */
  guardedByProcessId?: true
  /** It reads pages of rows: few at once per merchant. */
  isList?: true
  schema: Schemas
  handle: (api: Api, call: Call<Schemas>, request: FastifyRequest) => Promise<Answer>
}

/** One endpoint, one file: schema, handler and view. Mounting it (app.ts) brings the authentication along. */
export function endpoint<S extends Schemas>(
  definition: Omit<Endpoint, 'schema' | 'handle'> & {
    schema: S
    handle: (api: Api, call: Call<S>, request: FastifyRequest) => Promise<Answer>
  },
): Endpoint {
  return definition
}
