/** Withdrawals, refunds, settlements, instructions. */
export const WITHDRAWALS = {}
