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

type Facts = Compared & Pick<EnteredLine, 'narrative'>

/** What a person sees beside an entered line. `waiting`: the same money, entered too. `hash`: of all of it, with the line. */
export type EnteredFacts = { similar: SimilarLine[]; waiting: EnteredLine[]; hash: string }

export async function factsOfEntered(db: Queryable, line: Facts & { id?: string }): Promise<EnteredFacts> {
  const similar = await similarLines(db, line)
  const waiting = (await waitingEntered(db, MAX_WAITING)).filter((one) => one.id !== line.id && isSameMoney(one, line))
  const { collectingAccountId, direction, amount, bookedOn, senderName, senderIban, narrative } = line
  const seen = [
    [line.id, collectingAccountId, direction, String(amount), bookedOn, senderName, senderIban, narrative],
    similar.map(({ id, isSame }) => [id, isSame]),
    waiting.map(({ id }) => id),
  ]
  return { similar, waiting, hash: createHash('sha256').update(JSON.stringify(seen)).digest('base64url') }
}

/** More than people enter on the day of an outage. */
const MAX_WAITING = 200

const isSameMoney = (a: Money, b: Money) =>
  a.collectingAccountId === b.collectingAccountId &&
  a.direction === b.direction &&
  a.amount === b.amount &&
  a.bookedOn >= addDays(b.bookedOn, -1) &&
  a.bookedOn <= addDays(b.bookedOn, 1)
