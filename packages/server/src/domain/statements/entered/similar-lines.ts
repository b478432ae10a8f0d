import { createHash } from 'node:crypto'
import { addDays, startOfDay } from '../../../kernel/istanbul.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../bank-line.ts'
import { sameSender } from '../bank-line.ts'
import type { EnteredLine } from './store.ts'
import { SAME_BOOKING_DAYS, SUSPECTED_DAYS } from './replace-entered.ts'
import { selectAlike } from './store.ts'

type Money = Pick<EnteredLine, 'collectingAccountId' | 'direction' | 'amount' | 'bookedOn'>
type Compared = Money & Pick<EnteredLine, 'senderName' | 'senderIban'>

/** `same`: the sender may be the same, at most one day apart; `apart`: so, and some days apart; `other`: another sender, one day. */
type Likeness = 'same' | 'apart' | 'other'

/** Lines in the books with the same account, direction and amount, of the days in which the bank's line would be suspected. */
async function similarLines(
  db: Queryable,
  entered: Compared,
): Promise<Partial<Record<Likeness | 'none', StoredLine[]>>> {
  const { bookedOn } = entered
  const between = (days: number) =>
    [startOfDay(addDays(bookedOn, -days)), startOfDay(addDays(bookedOn, days + 1))] as const
  const [from, to] = between(SAME_BOOKING_DAYS)
  return Object.groupBy(await selectAlike(db, entered, ...between(SUSPECTED_DAYS)), (line) => {
    const isNear = line.bookedAt >= from && line.bookedAt < to
    if (sameSender(line, entered)) return isNear ? 'same' : 'apart'
    return isNear ? 'other' : 'none'
  })
}

type Facts = Compared & Pick<EnteredLine, 'narrative'>

/**
 * What a person sees beside an entered line. `same`: the sender may be the same; `apart`: so, but days apart; `others`: the newest of
 * other senders, of `othersCount`. `hash`: of all but the others, which come all day.
 */
export type EnteredFacts = {
  same: StoredLine[]
  apart: StoredLine[]
  others: StoredLine[]
  othersCount: number
  hash: string
}

export async function factsOfEntered(db: Queryable, line: Facts): Promise<EnteredFacts> {
  const { same = [], apart = [], other: others = [] } = await similarLines(db, line)
  const { collectingAccountId, direction, amount, bookedOn, senderName, senderIban, narrative } = line
  const seen = [
    [collectingAccountId, direction, String(amount), bookedOn, senderName, senderIban, narrative],
    same.map(({ id }) => id),
    apart.map(({ id }) => id),
  ]
  const hash = createHash('sha256').update(JSON.stringify(seen)).digest('base64url')
  return { same, apart, others: others.slice(-MAX_OTHERS), othersCount: others.length, hash }
}

/** Of a popular amount there are hundreds, and none of them decides anything. */
const MAX_OTHERS = 5
