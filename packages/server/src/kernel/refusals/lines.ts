/** Bank lines: matching by hand, decisions, dismissals. */
export const LINES = {}
