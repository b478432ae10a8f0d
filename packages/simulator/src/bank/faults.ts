import type { Bank } from './bank.ts'
import type { FaultKind, FaultPlan, SubmitFault } from './fault-plan.ts'
import { drawFindFault, drawSubmitFault, FAULT_KINDS, SUBMIT_FAULTS } from './fault-plan.ts'
import { isMagic, magicFault } from './magic-endings.ts'

/** Decides which call gets which fault, and counts faults since the last plan was set. */
export type Faults = {
  onSubmit: (transfer: { reference: string; toIban: string }) => SubmitFault | null
  onFind: (reference: string) => boolean
  count: (kind: FaultKind) => void
  counts: () => Record<string, number>
  plan: () => FaultPlan
  set: (plan: FaultPlan) => void
}

export function openFaults(bank: Bank): Faults {
  let counts = noCounts()
  const submits = callCounter()
  const finds = callCounter()
  /** Not reset with a plan: the behaviour of magic receivers does not depend on it. */
  const magicSubmits = callCounter()
  const magic = (reference: string, toIban: string, known: boolean) => {
    const fault = magicFault(toIban)
    if (!fault || known) return null
    return SUBMIT_FAULTS[fault].effect || magicSubmits.next(reference) === 1 ? fault : null
  }
  return {
    onSubmit({ reference, toIban }) {
      const known = bank.transferred(reference) !== null
      if (isMagic(toIban)) return magic(reference, toIban, known)
      const plan = bank.faultPlan()
      if (plan.rate === 0) return null
      const fault = drawSubmitFault(plan, reference, submits.next(reference))
      // These faults apply to a first response; a known transfer already has its outcome.
      return fault && known && SUBMIT_FAULTS[fault].ending === 'answer' ? null : fault
    },
    onFind(reference) {
      const plan = bank.faultPlan()
      return plan.rate > 0 && drawFindFault(plan, reference, finds.next(reference))
    },
    count: (kind) => void counts[kind]++,
    counts: () => counts,
    plan: bank.faultPlan,
    set(plan) {
      bank.setFaultPlan(plan)
      // Turned off: counts of earlier faults stay readable.
      if (plan.rate === 0) return
      counts = noCounts()
      submits.clear()
      finds.clear()
    },
  }
}

function noCounts(): Record<FaultKind, number> {
  return Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>
}

function callCounter() {
  const calls = new Map<string, number>()
  return {
    next(reference: string): number {
      const call = (calls.get(reference) ?? 0) + 1
      calls.set(reference, call)
      return call
    },
    clear: () => calls.clear(),
  }
}
