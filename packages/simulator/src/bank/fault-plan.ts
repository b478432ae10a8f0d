import { createHash } from 'node:crypto'

/** Effect of a submitted transfer under each fault, and how the call ends. */
export const SUBMIT_FAULTS = {
  timeout_before: { effect: false, ending: 'silence' },
  timeout_after: { effect: true, ending: 'silence' },
  error_before: { effect: false, ending: 'error' },
  error_after: { effect: true, ending: 'error' },
  reset_before: { effect: false, ending: 'reset' },
  reset_after: { effect: true, ending: 'reset' },
  slow: { effect: true, ending: 'late' },
  duplicate_answer: { effect: true, ending: 'answer' },
  late_status: { effect: true, ending: 'answer' },
  accept_then_reject: { effect: true, ending: 'answer' },
} as const

export type SubmitFault = keyof typeof SUBMIT_FAULTS
export type FaultKind = SubmitFault | 'find_error'

const SUBMIT_KINDS = Object.keys(SUBMIT_FAULTS) as SubmitFault[]
export const FAULT_KINDS: FaultKind[] = [...SUBMIT_KINDS, 'find_error']

export type FaultPlan = { seed: number; rate: number; kinds: FaultKind[]; delayMs: number }

export const NO_FAULTS: FaultPlan = { seed: 0, rate: 0, kinds: FAULT_KINDS, delayMs: 60_000 }

/** The fault of the `call`-th submit of a reference. Deterministic for a plan, independent of order. */
export function drawSubmitFault(plan: FaultPlan, reference: string, call: number): SubmitFault | null {
  const kinds = SUBMIT_KINDS.filter((kind) => plan.kinds.includes(kind))
  const { chance, choice } = draw(plan.seed, 'submit', reference, call)
  return chance < plan.rate ? (kinds[choice % kinds.length] ?? null) : null
}

export function drawFindFault(plan: FaultPlan, reference: string, call: number): boolean {
  return plan.kinds.includes('find_error') && draw(plan.seed, 'find', reference, call).chance < plan.rate
}

/** A hash instead of a random sequence: the fault of a transfer does not depend on other transfers. */
function draw(seed: number, what: string, reference: string, call: number): { chance: number; choice: number } {
  const bytes = createHash('sha256')
    .update(JSON.stringify([seed, what, reference, call]))
    .digest()
  return { chance: bytes.readUIntBE(0, 6) / 2 ** 48, choice: bytes.readUInt32BE(6) }
}
