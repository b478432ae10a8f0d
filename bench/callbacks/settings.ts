/** A plausible limit of a large merchant's endpoint; both senders use it. */
export const CONNECTIONS = 50
