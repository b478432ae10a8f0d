/** Which slice of a merchant's transactions: newest first, by id, so that a page costs the same however deep it lies. */
export type PageFilter = {
  status?: string | undefined
  processId?: string | undefined
  /** Ids below this one: where the page before ended, or the last that can have been made before `to`. */
  before: string
  /** Ids from this one on: the first that can have been made at `from`. */
  notBefore: string
  from: Date
  to: Date
  limit: number
}
