import { createHash } from 'node:crypto'
import { addDays, startOfDay } from '../../../kernel/istanbul.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { StoredLine } from '../bank-line.ts'
import { sameSender } from '../bank-line.ts'
import type { EnteredLine } from './store.ts'
import { selectAlike, waitingEntered } from './store.ts'

type Money = Pick<EnteredLine, 'collectingAccountId' | 'direction' | 'amount' | 'bookedOn'>
type Compared = Money & Pick<EnteredLine, 'senderName' | 'senderIban'>

/** `isSame`: the sender may be the same, too. */
export type SimilarLine = StoredLine & { isSame: boolean }

/** Lines in the books with the same account, direction and amount, booked at most one day apart. */
export async function similarLines(db: Queryable, entered: Compared): Promise<SimilarLine[]> {
  const { bookedOn } = entered
  const [from, to] = [startOfDay(addDays(bookedOn, -1)), startOfDay(addDays(bookedOn, 2))]
  const lines = await selectAlike(db, entered, from, to)
  return lines.map((line) => ({ ...line, isSame: sameSender(line, entered) }))
}

type Facts = Compared & Pick<EnteredLine, 'narrative'> & { id?: string }

/**
 * What a person sees beside an entered line. `same`: the sender may be the same; `others`: the newest of other senders, of
 * `othersCount`; `waiting`: the same money, entered too. `hash`: of the line with all but the others, which come all day.
 */
export type EnteredFacts = {
  same: SimilarLine[]
  others: SimilarLine[]
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
  const { true: same = [], false: others = [] } = Object.groupBy(
    await similarLines(db, line),
    ({ isSame }) => `${isSame}`,
  )
  const waiting = entered.filter((one) => one.id !== line.id && isSameMoney(one, line))
  const { collectingAccountId, direction, amount, bookedOn, senderName, senderIban, narrative } = line
  const seen = [
    [line.id, collectingAccountId, direction, String(amount), bookedOn, senderName, senderIban, narrative],
    same.map(({ id }) => id),
    waiting.map(({ id }) => id),
  ]
  const hash = createHash('sha256').update(JSON.stringify(seen)).digest('base64url')
  return { same, others: others.slice(-MAX_OTHERS), othersCount: others.length, waiting, hash }
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
