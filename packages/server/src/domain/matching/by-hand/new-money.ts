import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Authority } from '../../people/index.ts'
import { mustBeApproved } from '../../people/index.ts'
import type { EnteredLine, StoredLine } from '../../statements/index.ts'
import { findEnteredOf, findLine } from '../../statements/index.ts'

/** What people entered, if the line may repeat that, directly or as a correction of the bank's line of it. */
async function enteredBefore(db: Queryable, line: StoredLine): Promise<EnteredLine | undefined> {
  const seen = new Set([line.id])
  for (let id = line.correctsLineId; id !== null && !seen.has(id);) {
    const entered = await findEnteredOf(db, id)
    if (entered) return entered
    seen.add(id)
    id = (await findLine(db, id))?.correctsLineId ?? null
  }
  return undefined
}

/** Refuses who entered the line that this one may repeat: such a person could have one payment credited twice. */
async function mustNotHaveEntered(db: Queryable, line: StoredLine, name: string): Promise<void> {
  if ((await enteredBefore(db, line))?.proposedBy !== name) return
  throw new Refusal(
    'INVALID_STATE',
    `${name} has entered the line that this one may repeat. Two others must say that it is another payment.`,
  )
}

/** That the bank's line of an entered payment is more money say two people, neither of whom entered it. */
export async function mustBeOfTwoOthers(app: Authority, db: Queryable, line: StoredLine, actor: Actor): Promise<void> {
  if (!(await enteredBefore(db, line))) return
  mustBeApproved(app, { always: true })
  for (const name of [actorName(actor), app.approval?.proposedBy ?? '']) await mustNotHaveEntered(db, line, name)
}

/** Refuses to propose what `decideCorrection` would not do. */
export async function mayProposeNewMoney(db: Queryable, lineId: string, name: string): Promise<void> {
  const { line } = await readNewMoney(db, lineId)
  await mustNotHaveEntered(db, line, name)
  if (line.state === 'needs_review' || line.state === 'dismissed') return
  throw new Refusal(
    'INVALID_STATE',
    `The line is ${line.state} (${line.reason ?? 'not judged yet'}), not in needs_review.`,
  )
}

/** A line that may be called another payment, with what people had entered of it. */
export async function readNewMoney(db: Queryable, lineId: string) {
  const line = await findLine(db, lineId)
  if (!line) throw new Refusal('NOT_FOUND', `There is no bank line ${lineId}.`)
  return { line, entered: await enteredBefore(db, line) }
}
