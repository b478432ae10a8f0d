import { addDays } from '../../kernel/istanbul.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { LineToEnter } from '../statements/index.ts'
import type { Proposal } from '../people/index.ts'
import { openAbout } from '../people/index.ts'
import { isExpired } from './proposal-kind.ts'
import { targetOfEntered } from './enter-line-kind.ts'
import { kindOf } from './kinds.ts'

type Money = Pick<LineToEnter, 'accountIban' | 'direction' | 'amount' | 'bookedOn'>

/** Proposals of the same money that wait, whatever the sender: the same booking may be among them. */
export async function proposedAlike({ db, clock }: { db: Queryable; clock: Clock }, line: Money): Promise<Proposal[]> {
  const open = await openAbout(db, 'line.enter', targetOfEntered(line))
  return open.filter((one) => !isExpired(one, clock.now()) && isSameMoney(readLine(one), line))
}

function readLine(proposal: Proposal): Partial<Money> {
  try {
    return kindOf(proposal).terms as Money
  } catch (error) {
    // Another version wrote it, or no one: it can only be rejected.
    if (error instanceof Refusal) return {}
    throw error
  }
}

const isSameMoney = ({ direction, amount, bookedOn = '' }: Partial<Money>, line: Money) =>
  direction === line.direction &&
  amount === line.amount &&
  bookedOn >= addDays(line.bookedOn, -1) &&
  bookedOn <= addDays(line.bookedOn, 1)
