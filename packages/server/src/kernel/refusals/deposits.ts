/** Deposits and payment links. */
export const DEPOSITS = {}
