import { createHash } from 'node:crypto'
import { addDays, startOfDay } from '../../../kernel/istanbul.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../bank-line.ts'
import { sameSender } from '../bank-line.ts'
import type { EnteredLine } from './store.ts'
import { SAME_BOOKING_DAYS, SUSPECTED_DAYS } from './replace-entered.ts'
import { selectAlike, waitingEntered } from './store.ts'

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

/** Those that may be the same booking. */
export async function sameLines(db: Queryable, entered: Compared): Promise<StoredLine[]> {
  return (await similarLines(db, entered)).same ?? []
}

type Facts = Compared & Pick<EnteredLine, 'narrative'> & { id?: string }

/**
 * What a person sees beside an entered line. `same`: the sender may be the same; `apart`: so, but days apart; `others`: the newest of
 * other senders, of `othersCount`; `waiting`: the same money, entered too. `hash`: of all but the others, which come all day.
 */
export type EnteredFacts = {
  same: StoredLine[]
  apart: StoredLine[]
  others: StoredLine[]
  othersCount: number
  waiting: EnteredLine[]
  hash: string
}

export async function factsOfEntered(db: Queryable, line: Facts): Promise<EnteredFacts> {
  return factsAmong(db, line, await waitingEntered(db, MAX_WAITING))
}

/** Those that wait, oldest first, each with what a person sees beside it. */
export async function waitingWithFacts(db: Queryable, limit: number) {
  const waiting = await waitingEntered(db, MAX_WAITING)
  return Promise.all(
    waiting.slice(0, limit).map(async (entered) => ({ entered, facts: await factsAmong(db, entered, waiting) })),
  )
}

async function factsAmong(db: Queryable, line: Facts, entered: EnteredLine[]): Promise<EnteredFacts> {
  const { same = [], apart = [], other: others = [] } = await similarLines(db, line)
  const waiting = entered.filter((one) => one.id !== line.id && isSameMoney(one, line))
  const { collectingAccountId, direction, amount, bookedOn, senderName, senderIban, narrative } = line
  const seen = [
    [line.id, collectingAccountId, direction, String(amount), bookedOn, senderName, senderIban, narrative],
    same.map(({ id }) => id),
    apart.map(({ id }) => id),
    waiting.map(({ id }) => id),
  ]
  const hash = createHash('sha256').update(JSON.stringify(seen)).digest('base64url')
  return { same, apart, others: others.slice(-MAX_OTHERS), othersCount: others.length, waiting, hash }
}

/** More than people enter on the day of an outage. */
const MAX_WAITING = 200
/** Of a popular amount there are hundreds, and none of them decides anything. */
const MAX_OTHERS = 5

const isSameMoney = (a: Money, b: Money) =>
  a.collectingAccountId === b.collectingAccountId &&
  a.direction === b.direction &&
  a.amount === b.amount &&
  a.bookedOn >= addDays(b.bookedOn, -1) &&
  a.bookedOn <= addDays(b.bookedOn, 1)
