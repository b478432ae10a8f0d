import type { RejectionReason } from './bank-event.ts'
import type { SubmitFault } from './fault-plan.ts'

/** Receivers with these last digits always give the same outcome, so that it can be tested without a plan. */
const REJECTIONS: Record<string, RejectionReason> = {
  '0001': 'account_closed',
  '0002': 'name_mismatch',
  '0003': 'limit_exceeded',
}

const FAULTS: Record<string, SubmitFault> = {
  '0004': 'timeout_after',
  '0005': 'timeout_before',
  '0006': 'error_after',
  '0007': 'late_status',
  '0009': 'reset_after',
}

export function magicRejection(iban: string): RejectionReason | null {
  return REJECTIONS[iban.slice(-4)] ?? null
}

export function magicFault(iban: string): SubmitFault | null {
  return FAULTS[iban.slice(-4)] ?? null
}

/** Plans do not apply to these receivers, so that their documented outcome always holds. 0008 is returned manually. */
export function isMagic(iban: string): boolean {
  return magicRejection(iban) !== null || magicFault(iban) !== null || iban.endsWith('0008')
}
