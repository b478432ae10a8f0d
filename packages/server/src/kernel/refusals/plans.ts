/** Plans of journal entries: why an explanation does not fit its lines. */
export const PLANS = {}
