import { refuse, type Why } from '../../kernel/refusals/refuse.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Action } from './rights.ts'

/** Move neither money nor rights, or stop what does: no one looks for a password while money leaves. */
const WITHOUT_PROOF: ReadonlySet<Action> = new Set([
  ...(['audit.read', 'endpoint.test', 'event.resend', 'session.revoke', 'withdrawal.stop'] as const),
])

/** Whether a decision takes a password, a passkey or a code of the last ten minutes, in a console and on the command line. */
export const takesProof = (action: Action) => !WITHOUT_PROOF.has(action)

export const proofNeeded = () => refuse('proof_needed')

/** An edge asks for the proof and tries again. */
export const isProofNeeded = (error: unknown) =>
  error instanceof Refusal && error.why === ('proof_needed' satisfies Why)
