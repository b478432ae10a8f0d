/** Where a decision is taken. The audit keeps it. */
export type Origin = {
  edge: 'cli' | 'api' | 'console' | 'worker'
  /** The machine, and the account on it that runs the command. */
  host?: string
  user?: string
  /** Of the caller's network. */
  address?: string
  session?: string
}
type From = { origin?: Origin }

/** Whether who is logged in has given a proof in the last ten minutes. Not set where no login decides, as with `--as` in a sandbox. */
type Proved = { proved?: boolean }

/** A person of the operator's staff. */
type OperatorActor = From & Proved & { kind: 'operator'; name: string }
/** A merchant's own call, authenticated by its signature. */
export type MerchantActor = From & { kind: 'merchant'; merchantId: string }
/** A user of a merchant who has logged in. `login` is the id, which never changes; the role is that of the session. */
type MerchantUserActor = From & Proved & { kind: 'merchant_user'; merchantId: string; login: string; role: string }
/** Automatic work that records its decisions. */
export type SystemTask = 'matcher' | 'rules' | 'restore' | 'inbox'
type SystemActor = From & { kind: 'system'; task: SystemTask }
/** Whoever operates a sandbox without giving a name. Refused in live. */
type UnattributedActor = From & { kind: 'unattributed' }

/** Who takes a decision. An edge makes one from what it authenticated; `authorize` in domain/people checks it. */
export type Actor = OperatorActor | MerchantActor | MerchantUserActor | SystemActor | UnattributedActor

export const UNATTRIBUTED: UnattributedActor = { kind: 'unattributed' }
export const MATCHER: SystemActor = { kind: 'system', task: 'matcher' }
/** Books by rules that two people have made. */
export const RULES: SystemActor = { kind: 'system', task: 'rules' }
export const RESTORE: SystemActor = { kind: 'system', task: 'restore', origin: { edge: 'cli' } }
/** Finds that the database is an older copy. */
export const SENDING_GATE: SystemActor = { kind: 'system', task: 'restore', origin: { edge: 'worker' } }
export const INBOX: SystemActor = { kind: 'system', task: 'inbox', origin: { edge: 'worker' } }

export function operatorActor(name: string): Actor {
  return { kind: 'operator', name }
}

export function merchantActor(merchantId: string): MerchantActor {
  return { kind: 'merchant', merchantId }
}

export function merchantUserActor(merchantId: string, login: string, role: string): Actor {
  return { kind: 'merchant_user', merchantId, login, role }
}

/** The text that is stored with a decision, different for any two actors. Stored texts must keep their meaning. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case 'operator':
      return actor.name
    case 'merchant':
      return `merchant:${actor.merchantId}`
    case 'merchant_user':
      return `merchant:${actor.merchantId}:${actor.login}`
    case 'system':
      return actor.task
    case 'unattributed':
      return 'operator'
  }
}

const AUTOMATIC: ReadonlySet<string> = new Set([MATCHER, RULES, RESTORE, INBOX].map(actorName))

/** Whether a stored text is that of a person, also of one who gave no name. */
export function isPerson(name: string): boolean {
  return !AUTOMATIC.has(name)
}

/** Texts of actors that are not people; no person may have one as a name. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(
  [UNATTRIBUTED, MATCHER, RULES, RESTORE, INBOX].map(actorName),
)
