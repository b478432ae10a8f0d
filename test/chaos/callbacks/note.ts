/** How a merchant's server behaves until faults end. `switched` is healthy, but people disable and enable its endpoint. */
export const KINDS = [
  'slow',
  'hanging',
  'resetting',
  'failing',
  'busy',
  'redirecting',
  'endless',
  'flooding',
  'zipped',
  'flapping',
  'gone',
  'switched',
] as const
export type Kind = 'healthy' | (typeof KINDS)[number]

/** How a receiver handled a request: the status it returned, or something else. `left`: the caller had gone. */
type Handling = number | 'hung' | 'reset' | 'flooded' | 'left'

/** What a receiver keeps of one request. */
export type Note = {
  receiver: number
  /** Of this note; most answers carry it, so that it can be found in the attempt that was recorded. */
  number: number
  id: string
  transactionId: string
  sequence: number
  /** SHA-256 of the body. */
  digest: string
  /** Real time in milliseconds. */
  arrivedAt: number
  acceptedAt: number | null
  /** Places in the order of everything that happened in this receiver's process. */
  arrival: number
  acceptance: number | null
  did: Handling
  /** By the independent library: which of the secrets that were known by then verify, the newest being the last. */
  verifiedBy: number[]
  /** The newest secret that had been known for long enough that every worker must sign with it. */
  mustVerifyBy: number
}

export type Command =
  | { open: { receiver: number; kind: Kind }[] }
  | { newSecret: { receiver: number; secret: string } }
  | { becomeHealthy: true }
  | { report: true }

export type Reply = {
  opened?: { receiver: number; url: string }[]
  notes?: Note[]
  /** Requests that came to where redirects point. */
  canary?: number
  /** By receiver: how many requests it had open at the same time at most. */
  mostAtOnce?: [receiver: number, count: number][]
  /** By how much 99 of 100 ticks of this process's own clock were late at most: what the machine adds to every wait. */
  lateMs?: number
}
