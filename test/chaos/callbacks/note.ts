/** How a merchant's server behaves until the weather turns. `switched` is healthy, but people switch its endpoint off and on. */
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

/** What a receiver did about a request: a status it answered, or something else. `left`: nobody was there to be answered. */
type Deed = number | 'hung' | 'reset' | 'flooded' | 'left'

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
  did: Deed
  /** By the independent library: which of the secrets that were known by then verify, the newest being the last. */
  verifiedBy: number[]
  /** The newest secret that had been known for long enough that every worker must sign with it. */
  mustVerifyBy: number
}

export type Order =
  | { open: { receiver: number; kind: Kind }[] }
  | { newSecret: { receiver: number; secret: string } }
  | { becomeHealthy: true }
  | { tell: true }

export type Told = {
  opened?: { receiver: number; url: string }[]
  notes?: Note[]
  /** Requests that came to where redirects point. */
  canary?: number
  /** By receiver: how many requests it had open at the same time at most. */
  mostAtOnce?: [receiver: number, count: number][]
  /** By how much 99 of 100 ticks of this process's own clock were late at most: what the machine adds to every wait. */
  lateMs?: number
}
