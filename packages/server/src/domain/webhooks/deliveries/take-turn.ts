import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Random } from '../../../platform/crypto/random.ts'
import type { Lane } from '../lanes/lane.ts'
import { commitWithoutWaiting, lockAwakeLanes, lockLanes, saveLanes } from '../lanes/store.ts'
import type { Claimed, Memory, Turn } from './claim-deliveries.ts'
import { claimFrom } from './claim-deliveries.ts'
import type { CameBack } from './record-answers.ts'
import { recordAnswers } from './record-answers.ts'

type Deps = { db: Db; clock: Clock; realClock: Clock; random: Random; log: Log }

type Outcome = {
  claimed: Claimed[]
  /** For each answer, whether it still counted. */
  recorded: ('recorded' | 'late')[]
  /** Some lanes have more to do, now. */
  more: boolean
}

const LANES_AT_ONCE = 50
/** A few megabytes of guesses; without them a lane costs a look more. */
const MOST_REMEMBERED = 10_000

/**
 * Records what was answered and claims what is due, in one transaction: both need the same lanes, and a busy endpoint's next calls
 * can leave as soon as its last ones are written down. Without a `memory` nothing is claimed.
 */
export async function takeTurn(app: Deps, answers: CameBack[], memory: Memory | null): Promise<Outcome> {
  // Whoever comes without answers reads lines from their beginning: whatever memory had missed, or never left, is found then.
  const fromBeginning = answers.length === 0 || answers.some(({ answer }) => answer === null)
  const times = { now: app.clock.now(), realNow: app.realClock.now(), fromBeginning }
  const { covered, turns, manyAwake } = await app.db.transaction(async (tx) => {
    const keys = answers.map(({ claim }) => claim)
    const [, held, awake] = await Promise.all([
      commitWithoutWaiting(tx),
      // These first, and in order; for the others nobody waits. So no two processes can wait for each other.
      keys.length > 0 ? lockLanes(tx, keys) : [],
      memory ? lockAwakeLanes(tx, keys, times.now, LANES_AT_ONCE) : [],
    ])
    const locked = [...held, ...awake]
    if (locked.length === 0) return { turns: [], manyAwake: false }
    const { lanes, covered, written } = recordAnswers(app, tx, locked, answers, times.now)
    const turns = memory ? await claimFrom(tx, lanes, memory, times) : lanes.map((lane) => rest(lane, times.now))
    const saved = saveLanes(
      tx,
      turns.map(({ lane }) => lane),
    )
    const committed = tx.withCommit(Promise.all([written, saved]))
    return { covered, turns, committed, manyAwake: awake.length >= LANES_AT_ONCE }
  })
  if (memory && memory.size > MOST_REMEMBERED) memory.clear()
  for (const { lane, remembered } of turns) if (remembered) memory?.set(lane.endpointId, remembered)
  return {
    claimed: turns.flatMap(({ claimed }) => claimed),
    recorded: answers.map(({ claim }) => (covered?.has(claim) ? 'recorded' : 'late')),
    more: manyAwake || turns.some(({ lane: { wakeAt } }) => wakeAt !== null && wakeAt <= times.now),
  }
}

/** A place has come free: somebody else may look at once, or when its pause ends. */
function rest(lane: Lane, now: Date): Turn {
  const wakeAt = lane.openUntil && lane.openUntil > now ? lane.openUntil : now
  return { lane: { ...lane, wakeAt }, claimed: [] }
}
