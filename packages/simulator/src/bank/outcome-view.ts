import type { Outcome } from './ledger.ts'

export function outcomeView(outcome: Outcome) {
  const { reference, status } = outcome
  switch (status) {
    case 'held':
      return { reference, status }
    case 'rejected': {
      // Only transfers that were accepted and then reversed have one.
      const { bankReference, reason } = outcome
      return { reference, ...(bankReference !== undefined && { bankReference }), status, reason }
    }
    default:
      return { reference, bankReference: outcome.bankReference, status }
  }
}
