/** Journal entries, days, exports, erasures. */
export const BOOKS = {}
