/** Payouts, order files, restored databases. */
export const PAYOUTS = {}
