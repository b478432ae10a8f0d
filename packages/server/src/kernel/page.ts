/** A page of a merchant's transactions, newest first by id, so that deep pages cost the same as the first. */
export type PageFilter = {
  status?: string | undefined
  processId?: string | undefined
  /** Ids below this one: the end of the previous page, or the last id possible before `to`. */
  before: string
  /** Ids from this one on: the first id possible at `from`. */
  notBefore: string
  from: Date
  to: Date
  limit: number
}

/** When rows were created, and their ids. */
export type CreatedIn = Pick<PageFilter, 'notBefore' | 'before'>
