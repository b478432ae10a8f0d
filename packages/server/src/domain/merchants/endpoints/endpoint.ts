/** enabled: events are sent · disabled: events wait until it is enabled again · removed: no longer shown. */
export type EndpointState = 'enabled' | 'disabled' | 'removed'

export type EndpointSettings = {
  /** Null until the merchant sets an address; the secret exists from the start. */
  url: string | null
  description: string
  /** Event types to send; empty means all. */
  eventTypes: string[]
  maxConcurrent: number
  maxPerSecond: number
}

/** An address of a merchant that receives its events. */
export type Endpoint = EndpointSettings & {
  merchantId: string
  id: string
  state: EndpointState
  stateReason: string | null
  createdAt: Date
}

/** Low enough for a small shop's server, and enough for a large one: 100 per second are eight million per day. */
export const DEFAULT_PACE = { maxConcurrent: 10, maxPerSecond: 100 }

export function wants({ eventTypes }: Pick<Endpoint, 'eventTypes'>, type: string): boolean {
  return eventTypes.length === 0 || eventTypes.includes(type)
}
