import { invalidField } from '../platform/refusal.ts'

/** Of a reason or evidence that a person gives for a decision and that is stored with it. */
export const MIN_REASON_LENGTH = 5

export function isReason(text: string): boolean {
  return text.trim().length >= MIN_REASON_LENGTH
}

/** `problem` tells the person what the field must say. */
export function mustGiveReason(field: string, text: string, problem: string): void {
  if (!isReason(text)) throw invalidField(field, problem)
}
