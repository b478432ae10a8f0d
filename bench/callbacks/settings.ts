/** What a large merchant's endpoint might allow; both senders use as many. */
export const CONNECTIONS = 50
