import type { Queryable } from '../../platform/postgres/db.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Instruction } from '../withdrawals/index.ts'
import type { ChangeRequest } from '../people/index.ts'
import { countOpen, findRequest, requestsOfKind } from '../people/index.ts'
import type { ChangeDeps } from './change.ts'
import { EXPIRES_MS } from './change.ts'
import { kindOf } from './kinds.ts'
import type { ShownChange } from './show.ts'
import { asOf, withState } from './show.ts'

const KIND = 'instruction'

/** Newest first: decided ones too, without their lines. */
export async function listInstructions(
  { db, clock }: { db: Queryable; clock: Clock },
  merchantId: string,
  page: { before: string | undefined; limit: number },
): Promise<ChangeRequest[]> {
  return (await requestsOfKind(db, KIND, merchantId, page)).map((one) => asOf(one, clock.now()))
}

export async function findInstruction(
  app: ChangeDeps,
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<ShownChange | null> {
  const request = await findRequest(db, id)
  if (request?.kind !== KIND || request.merchantId !== merchantId) return null
  const [shown] = await withState(app, db, [request])
  return shown ?? null
}

/** What is proposed; null once that has ended, because then it is forgotten. */
export function instructionIn(request: ChangeRequest): Instruction | null {
  return request.state === 'open' ? (kindOf(request).terms as Instruction) : null
}

/** That wait for another user of the merchant. */
export function waitingInstructions(
  { db, clock }: { db: Queryable; clock: Clock },
  merchantId: string,
): Promise<number> {
  return countOpen(db, { kind: KIND, merchantId, since: new Date(clock.now().getTime() - EXPIRES_MS) })
}
