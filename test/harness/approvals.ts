import assert from 'node:assert/strict'
import type { App } from '../../packages/server/src/compose.ts'
import type { ShownProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { openApprovals, rejectProposal, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import type { Withdrawal } from '../../packages/server/src/domain/withdrawals/index.ts'
import { findWithdrawalById, seenToApprove } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { mustFind } from './history.ts'

/** As it is shown to a person now; of no withdrawal nothing is shown. */
export async function seenOf({ db }: Pick<App, 'db'>, withdrawalId: string) {
  const withdrawal = await findWithdrawalById(db, withdrawalId)
  return { withdrawalId, seen: withdrawal ? seenToApprove(withdrawal) : '' }
}

/** By a person who has just looked at it: the first or the second. Returns what became of it. */
export async function approve(app: App, actor: Actor, id: string, reason: string | null = null): Promise<Withdrawal> {
  const asked = await makeProposal(app, actor, 'withdrawal.approve', await seenOf(app, id), { reason })
  return asked.state === 'applied' ? asked.result : mustFind(app, id)
}

export async function approveTwice(app: App, people: readonly [Actor, Actor], id: string): Promise<Withdrawal> {
  await approve(app, people[0], id)
  return approve(app, people[1], id)
}

/** The one that waits for a second person. */
export async function openApproval(app: App, id: string): Promise<ShownProposal> {
  const [open, ...more] = await openApprovals(app, app.db, [id])
  assert.equal(more.length, 0)
  return open ?? assert.fail(`${id} has no approval that waits`)
}

/** By the person who gave it, or by another. */
export const endApproval = async (app: App, actor: Actor, id: string, why: string) =>
  rejectProposal(app, actor, (await openApproval(app, id)).id, why)
