/** Merchants, banks, accounts, endpoints. */
export const MERCHANTS = {}
