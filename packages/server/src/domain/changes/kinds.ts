import { createHash } from 'node:crypto'
import { readCanonical, writeCanonical } from '../../platform/json/canonical-json.ts'
import { MERCHANT_RIGHTS } from '../people/index.ts'
import type { ChangeKind, ChangeRequest, Difference } from './change.ts'
import { FEES, MATCHING, NETWORKS, OPEN_DEPOSITS, PAYOUT_RULES, REFUNDS, SETTLEMENT_ACCOUNT } from './merchant-kinds.ts'
import { OPERATOR_ADD, OPERATOR_RESET, OPERATOR_ROLES } from './people-kinds.ts'
import { STATEMENT_IMPORT } from './statement-import.ts'
import {
  ACCOUNT_CONNECT,
  ACCOUNT_LIMITS,
  ACCOUNT_OPEN,
  BANK_LIMITS,
  ENDPOINT_ADD,
  ENDPOINT_CHANGE,
  LINE_MATCH,
} from './other-kinds.ts'

/** Every change that takes two people. Stored requests have these names. */
export const KINDS = {
  'merchant.networks': NETWORKS,
  'merchant.fees': FEES,
  'merchant.refunds': REFUNDS,
  'merchant.open_deposits': OPEN_DEPOSITS,
  'merchant.payout_rules': PAYOUT_RULES,
  'merchant.matching': MATCHING,
  'merchant.settlement_account': SETTLEMENT_ACCOUNT,
  'endpoint.add': ENDPOINT_ADD,
  'endpoint.change': ENDPOINT_CHANGE,
  'bank.limits': BANK_LIMITS,
  'account.open': ACCOUNT_OPEN,
  'account.limits': ACCOUNT_LIMITS,
  'account.connect': ACCOUNT_CONNECT,
  'line.match': LINE_MATCH,
  'statement.import': STATEMENT_IMPORT,
  'operator.add': OPERATOR_ADD,
  'operator.roles': OPERATOR_ROLES,
  'operator.reset': OPERATOR_RESET,
} as const

export type KindName = keyof typeof KINDS
export type TermsOf<Name extends KindName> =
  (typeof KINDS)[Name] extends ChangeKind<infer Terms, infer _Result> ? Terms : never
export type ResultOf<Name extends KindName> = Awaited<ReturnType<(typeof KINDS)[Name]['apply']>>

/** The kind of a stored request, with its terms, whose type only the kind knows. */
export function kindOf({ kind, payload, payloadSha256 }: Pick<ChangeRequest, 'kind' | 'payload' | 'payloadSha256'>) {
  if (sha256(payload) !== payloadSha256) throw new Error('The payload of a change request is not what was proposed.')
  const known = (KINDS as unknown as Record<string, ChangeKind<unknown, unknown> | undefined>)[kind]
  if (!known) throw new Error(`The change request is of a kind that is not known: ${kind}.`)
  return { kind: known, terms: readCanonical(payload) }
}

/** Users of the merchant decide about it if they may decide such things at all. */
export function usersOf({ action }: Pick<ChangeKind<unknown, unknown>, 'action'>, merchantId: string | null) {
  return merchantId !== null && MERCHANT_RIGHTS[action] ? { usersOf: merchantId } : {}
}

/** Of what a person approves: the kind, what it is about, what was asked for, and every value before and after. */
export function seenHash(kind: string, target: string, payload: string, rows: Difference[]): string {
  return sha256(writeCanonical({ kind, target, payload, rows }))
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
