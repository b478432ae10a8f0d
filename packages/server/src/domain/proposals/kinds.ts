import { createHash } from 'node:crypto'
import type { Queryable } from '../../platform/postgres/db.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { readCanonical, writeCanonical } from '../../platform/json/canonical-json.ts'
import type { Proposal, Difference } from '../people/index.ts'
import { MERCHANT_RIGHTS, PERSONAL, RIGHTS } from '../people/index.ts'
import type { ProposalDeps, ProposalKind, Described } from './proposal-kind.ts'
import { CONNECTION_ADD, CONNECTION_CHANGE } from './connection-kinds.ts'
import { DAY_CLOSE, DAY_REOPEN } from './day-kinds.ts'
import { TRANSACTION_ERASE } from './erasure-kind.ts'
import { INSTRUCTION } from './instruction-kind.ts'
import {
  CALLBACK_NETWORKS,
  FEES,
  FREEZE,
  MATCHING,
  NETWORKS,
  OPEN_DEPOSITS,
  PAYOUT_RULES,
  REFUNDS,
  SETTLEMENT_ACCOUNT,
} from './merchant-kinds.ts'
import { LINE_ENTER } from './enter-line-kind.ts'
import { JOURNAL_ENTRY } from './entry-kind.ts'
import { LINE_DISMISS, LINE_MATCH, LINE_NEW_MONEY, LINE_RESTORE, LINE_SAME_MONEY } from './line-kinds.ts'
import { OPERATOR_ADD, OPERATOR_RESET, OPERATOR_ROLES } from './people-kinds.ts'
import { RESTORE_PAIRS, RESTORE_RELEASE } from './restore-kinds.ts'
import { RULE_SET, RULE_UNDO } from './rule-kinds.ts'
import { STATEMENT_IMPORT } from './statement-import.ts'
import { WITHDRAWAL_APPROVE } from './withdrawal-kind.ts'
import {
  ACCOUNT_CONNECT,
  ACCOUNT_LIMITS,
  ACCOUNT_OPEN,
  BANK_LIMITS,
  ENDPOINT_ADD,
  ENDPOINT_CHANGE,
} from './other-kinds.ts'

/** Every kind of proposal. Stored proposals have these names. */
export const KINDS = {
  'merchant.networks': NETWORKS,
  'merchant.fees': FEES,
  'merchant.freeze': FREEZE,
  'merchant.refunds': REFUNDS,
  'merchant.open_deposits': OPEN_DEPOSITS,
  'merchant.payout_rules': PAYOUT_RULES,
  'merchant.matching': MATCHING,
  'merchant.settlement_account': SETTLEMENT_ACCOUNT,
  'endpoint.add': ENDPOINT_ADD,
  'endpoint.change': ENDPOINT_CHANGE,
  'endpoint.networks': CALLBACK_NETWORKS,
  'bank.limits': BANK_LIMITS,
  'account.open': ACCOUNT_OPEN,
  'account.limits': ACCOUNT_LIMITS,
  'account.connect': ACCOUNT_CONNECT,
  'connection.add': CONNECTION_ADD,
  'connection.change': CONNECTION_CHANGE,
  'line.match': LINE_MATCH,
  'line.new_money': LINE_NEW_MONEY,
  'line.same_money': LINE_SAME_MONEY,
  'line.dismiss': LINE_DISMISS,
  'line.restore': LINE_RESTORE,
  'line.enter': LINE_ENTER,
  'journal.entry': JOURNAL_ENTRY,
  'rule.set': RULE_SET,
  'rule.undo': RULE_UNDO,
  'day.close': DAY_CLOSE,
  'day.reopen': DAY_REOPEN,
  'statement.import': STATEMENT_IMPORT,
  'restore.pairs': RESTORE_PAIRS,
  'restore.release': RESTORE_RELEASE,
  'operator.add': OPERATOR_ADD,
  'operator.roles': OPERATOR_ROLES,
  'operator.reset': OPERATOR_RESET,
  'transaction.erase': TRANSACTION_ERASE,
  instruction: INSTRUCTION,
  'withdrawal.approve': WITHDRAWAL_APPROVE,
} as const

export type KindName = keyof typeof KINDS
export type TermsOf<Name extends KindName> =
  (typeof KINDS)[Name] extends ProposalKind<infer Terms, infer _Result> ? Terms : never
export type ResultOf<Name extends KindName> = Awaited<ReturnType<(typeof KINDS)[Name]['apply']>>

/** Of which no operator has the right: the staff is not shown them. */
export const OF_MERCHANTS_ONLY = Object.entries(KINDS).flatMap(([name, { action }]) =>
  RIGHTS[action].length === 0 ? [name] : [],
)

/** What the audit says about a reason that it must not have. */
export const auditedReason = (
  kind: Pick<ProposalKind<unknown, unknown>, 'isReasonErased'> | null,
  reason: string | null,
) => (kind?.isReasonErased && reason !== null ? 'see proposals' : reason)

/** The rows of a proposal without what its kind forgets. */
export const withoutForgotten = ({ kind, rows }: Pick<Proposal, 'kind' | 'rows'>): Difference[] =>
  knownKind(kind)?.isForgotten ? rows.filter(({ as }) => !PERSONAL.includes(as)) : rows

/** The kind of a stored proposal, with its terms, whose type only the kind knows. */
export function kindOf({ kind, payload, payloadSha256 }: Pick<Proposal, 'kind' | 'payload' | 'payloadSha256'>) {
  const known = knownKind(kind)
  if (!known || sha256(payload) !== payloadSha256) throw notUnderstood()
  return { kind: known, terms: readTerms(payload) }
}

export const knownKind = (kind: string) =>
  Object.hasOwn(KINDS, kind) ? (KINDS[kind as KindName] as unknown as ProposalKind<unknown, unknown>) : null

/** A stored proposal as it is now. Another version of Vezne may have written other terms: then it can only be rejected. */
export async function describeStored(app: ProposalDeps, db: Queryable, proposal: Proposal): Promise<Described> {
  const { kind, terms } = kindOf(proposal)
  try {
    return await kind.describe(app, db, terms)
  } catch (error) {
    return explain(error)
  }
}

function readTerms(payload: string): unknown {
  try {
    return readCanonical(payload)
  } catch (error) {
    return explain(error)
  }
}

/** What the language throws where a value is not of the form that the code expects. A fault of the database is none of these. */
function explain(error: unknown): never {
  const isOfForm = [TypeError, RangeError, SyntaxError].some((kind) => error instanceof kind)
  throw isOfForm ? notUnderstood() : error
}

export const notUnderstood = () => refuse('proposal_not_understood')

/** The right that its second person needs. */
export const approvalRight = ({
  action,
  approve = action,
}: Pick<ProposalKind<unknown, unknown>, 'action' | 'approve'>) => approve

/** Users of the merchant decide about it if they may decide such things at all. */
export function usersOf({ action }: Pick<ProposalKind<unknown, unknown>, 'action'>, merchantId: string | null) {
  return merchantId !== null && MERCHANT_RIGHTS[action] ? { usersOf: merchantId } : {}
}

/** Of what a person approves: the kind, what it is about, what was asked for, and every value before and after. */
export function seenHash(kind: string, target: string, payload: string, rows: Difference[]): string {
  return sha256(writeCanonical({ kind, target, payload, rows }))
}

/** Both what it is now, `rows`, and what is shown of it are what was proposed. */
export const isAsProposed = ({ kind, target, payload, seenSha256, rows: shown }: Proposal, rows: Difference[]) =>
  [rows, shown].every((one) => seenHash(kind, target, payload, one) === seenSha256)

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
