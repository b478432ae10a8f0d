import { createHash } from 'node:crypto'

/** What becomes of a submitted transfer: whether it has its effect, and how the call ends. */
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

/** Which fault the `call`-th submit of a reference meets. The same plan gives the same answer, in whatever order. */
export function drawSubmitFault(plan: FaultPlan, reference: string, call: number): SubmitFault | null {
  const kinds = SUBMIT_KINDS.filter((kind) => plan.kinds.includes(kind))
  const { chance, choice } = draw(plan.seed, 'submit', reference, call)
  return chance < plan.rate ? (kinds[choice % kinds.length] ?? null) : null
}

export function drawFindFault(plan: FaultPlan, reference: string, call: number): boolean {
  return plan.kinds.includes('find_error') && draw(plan.seed, 'find', reference, call).chance < plan.rate
}

/** A hash, not a generator's next number: what one transfer meets does not hang on which others came before it. */
function draw(seed: number, what: string, reference: string, call: number): { chance: number; choice: number } {
  const bytes = createHash('sha256')
    .update(JSON.stringify([seed, what, reference, call]))
    .digest()
  return { chance: bytes.readUIntBE(0, 6) / 2 ** 48, choice: bytes.readUInt32BE(6) }
}
