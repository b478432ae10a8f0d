import { instantOf } from '../../time.ts'
import type { Books } from '../bank.ts'
import type { Desk } from '../bank-bookings.ts'
import { CHANGED_BOOKINGS } from './changed-bookings.ts'
import type { Discrepancy, Scene } from './discrepancy.ts'
import { DISCREPANCY_KINDS } from './discrepancy.ts'
import { NEW_BOOKINGS } from './new-bookings.ts'
import type { Random } from './random.ts'
import { seededRandom } from './random.ts'

export type Disturbance = { day: string; seed: number; count: number; accounts: string[] }

const MAKERS = { ...NEW_BOOKINGS, ...CHANGED_BOOKINGS }

/** Makes discrepancies of all kinds in turn, on the accounts in turn. The same seed on the same bookings makes the same. */
export function disturbDay(books: Books, { day, seed, count, accounts }: Disturbance): Discrepancy[] {
  const random = seededRandom(seed)
  const used = new Set<string>()
  const made: Discrepancy[] = []
  const kinds = shuffled(DISCREPANCY_KINDS, random)
  // A kind that is not possible leaves its turn to the next; a whole round without one ends it.
  for (let turn = 0, idle = 0; made.length < count && idle < kinds.length * accounts.length; turn++) {
    const [round, place] = [Math.floor(turn / kinds.length), turn % kinds.length]
    const kind = kinds[place] as (typeof kinds)[number]
    const account = accounts[(place + round) % accounts.length] as string
    const others = accounts.filter((one) => one !== account)
    const scene: Scene = { desk: deskOn(books, day, random), random, account, others, day, used }
    const one = MAKERS[kind]?.(scene) ?? null
    idle = one ? 0 : idle + 1
    if (!one) continue
    made.push(one)
    for (const number of [...one.bankNumbers, one.original ?? '']) used.add(number)
  }
  return made
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const left = [...list]
  return list.map(() => left.splice(random.below(left.length), 1)[0] as T)
}

/** In business hours of that day, never later than now. Numbers come from the seed. */
function deskOn(books: Books, day: string, random: Random): Desk {
  const two = (number: number) => String(number).padStart(2, '0')
  const time = `${two(9 + random.below(9))}:${two(random.below(60))}:${two(random.below(60))}`
  const now = books.now().toISOString()
  const at = instantOf(`${day}T${time}`)
  const newNumber = () => {
    for (;;) {
      const number = String(1_000_000_000 + random.below(9_000_000_000))
      if (!books.ledger.bankReferences.has(number)) return number
    }
  }
  return { ...books, at: at < now ? at : now, newNumber }
}
