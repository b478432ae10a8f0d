/** enabled: events are sent · disabled: they wait, and are sent when it is enabled again · removed: gone for people. */
export type EndpointState = 'enabled' | 'disabled' | 'removed'

export type EndpointSettings = {
  /** Null until the merchant names an address; the secret exists from the first day. */
  url: string | null
  description: string
  /** Which types are sent; empty is all of them. */
  eventTypes: string[]
  maxConcurrent: number
  maxPerSecond: number
}

/** An address of a merchant's that hears of its transactions. */
export type Endpoint = EndpointSettings & {
  merchantId: string
  id: string
  state: EndpointState
  stateReason: string | null
  createdAt: Date
}

/** Polite to a small shop's server, and enough for a large one's day: 100 a second are eight million. */
export const DEFAULT_PACE = { maxConcurrent: 10, maxPerSecond: 100 }

export function wants({ eventTypes }: Pick<Endpoint, 'eventTypes'>, type: string): boolean {
  return eventTypes.length === 0 || eventTypes.includes(type)
}
