import type { Actor } from '../../kernel/actor.ts'
import type { Random } from '../../platform/crypto/random.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import type { OutboundRules } from '../../platform/http-client/outbound.ts'
import type { Db, Queryable, Tx } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { DAY_MS } from '../../platform/time/clock.ts'
import type { BankDirectory } from '../banks/index.ts'
import type { Connection } from '../connections/index.ts'
import type { ErasedViews } from '../erasures/index.ts'
import type { Action, Authority, Proposal, Difference, Word } from '../people/index.ts'
import type { Releasing } from '../restores/index.ts'
import type { WithdrawalViews } from '../withdrawals/index.ts'

/** What all kinds of proposals need together. */
export type ProposalDeps = Authority & {
  db: Db
  clock: Clock
  ids: Ids
  random: Random
  vault: Vault
  callbackRules: OutboundRules
  banks: BankDirectory
  connections: Connection[]
  views: WithdrawalViews & ErasedViews
  retainPersonalDays: number
  /** Of a restored database: the check of who asks for its release now. */
  releasing?: Releasing
}

/** What would change. `alone`: one person may do it. `subjects`: what it is about, where the terms do not tell it. `mustExplain`: refuses a reason that does not explain it. */
export type Described = {
  rows: Difference[]
  alone?: boolean
  subjects?: string[]
  mustExplain?: (reason: string) => void
}

/** One kind of proposal. `Terms` are what was asked for: JSON values, amounts and times. */
export type ProposalKind<Terms, Result> = {
  /** Who may propose it. */
  action: Action
  /** Who may approve or reject it; without it, who may propose it. `apply` checks it again. */
  approve?: Action
  /** The command line does not apply it at once in a sandbox. `alone` still may. */
  always?: true
  /** One way to write the same, so that two people who ask for the same are known to. */
  normalise?: (app: ProposalDeps, terms: Terms) => Promise<Terms>
  /** What the audit names. */
  targetOf: (terms: Terms) => string
  /** What only one open proposal may be about, of whatever kind. Without it, its kind and target. */
  subjectsOf?: (terms: Terms) => string[]
  /** What one person may do to a subject waits for an open proposal about it, too. */
  oneAtATime?: true
  /** Terms and lists have personal data, stored elsewhere once applied: forgotten when the proposal ends, and not in the audit. */
  isForgotten?: true
  merchantOf: (terms: Terms) => string | null
  /** What a person must have seen to approve it, by its hash, where the proposal does not show it. */
  seenOf?: (terms: Terms) => string
  /** Reason and note may have personal data: kept where they can be erased, and not in the audit. */
  isReasonErased?: true
  /** Of an approval, before the proposal and any person is locked: whatever changes the target locks in this order. */
  lockFirst?: (tx: Tx, target: string) => Promise<unknown>
  /** So that nothing changes between the comparison with what was seen and the change. */
  lock?: (tx: Tx, terms: Terms) => Promise<void>
  /** Refuses to propose it who may not, though the role would do. `apply` checks it again. */
  mayPropose?: (app: ProposalDeps, db: Queryable, terms: Terms, actor: Actor) => Promise<void>
  /** Refuses what is not valid. The same as long as nothing has changed: it is compared by its hash. */
  describe: (app: ProposalDeps, db: Queryable, terms: Terms) => Promise<Described>
  /** The domain function of this change. Its own checks, history and audit stay in force. */
  apply: (app: ProposalDeps, actor: Actor, terms: Terms, reason: string | null) => Promise<Result>
  /** What takes long, after the commit. If it breaks off, a worker goes on with it. */
  finish?: (app: ProposalDeps, result: Result) => Promise<void>
}

/** A week: longer than any absence of the second person that no one covers. */
export const EXPIRES_MS = 7 * DAY_MS

export function isExpired({ state, proposedAt }: Pick<Proposal, 'state' | 'proposedAt'>, now: Date): boolean {
  return state === 'open' && now.getTime() - proposedAt.getTime() > EXPIRES_MS
}

/** Marked when it is proposed, and checked when it is approved. */
export function wordOf(proposal: Proposal): Word {
  const { id, kind, target, merchantId, payload, seenSha256, proposedBy, proposedAt } = proposal
  return {
    row: ['proposals', id],
    person: proposedBy,
    says: { kind, target, merchantId, payload, seenSha256, proposedAt },
  }
}
