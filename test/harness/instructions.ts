import { approveProposal, rejectProposal, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { readInstruction } from '../../packages/server/src/domain/withdrawals/index.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import type { startService } from './service.ts'

type App = Awaited<ReturnType<typeof startService>>['app']
type Proposal = Omit<Parameters<typeof readInstruction>[1], 'merchantId'>

/** Returns the id of the proposal, and the hash of what is shown. */
export async function proposeInstruction(app: App, actor: Actor, merchantId: string, proposal: Proposal) {
  const instruction = await readInstruction(app, { ...proposal, merchantId })
  const asked = await makeProposal(app, actor, 'instruction', instruction)
  if (asked.state !== 'open') throw new Error(`the instruction is ${asked.state}`)
  return { id: asked.proposal.id, seen: asked.proposal.seenSha256 }
}

export const approveInstruction = (app: App, actor: Actor, { id, seen }: { id: string; seen: string }) =>
  approveProposal(app, actor, id, seen)

export const rejectInstruction = (app: App, actor: Actor, { id }: { id: string }) =>
  rejectProposal(app, actor, id, 'not what we owe')
