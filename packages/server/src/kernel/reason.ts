import { refuseField, type Why } from './refusals/refuse.ts'

/** Of a reason or evidence that a person gives for a decision and that is stored with it. */
export const MIN_REASON_LENGTH = 5

export function isReason(text: string): boolean {
  return text.trim().length >= MIN_REASON_LENGTH
}

type MissingReason = Extract<Why, 'reason_missing' | 'evidence_missing' | 'sender_not_customer'>

/** `missing` tells the person what the field must say. */
export function mustGiveReason(field: string, text: string, missing: MissingReason = 'reason_missing'): void {
  if (!isReason(text)) throw refuseField(field, missing)
}
