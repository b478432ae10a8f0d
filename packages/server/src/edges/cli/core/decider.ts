import type { Actor } from '../../../kernel/actor.ts'
import { operatorActor, UNATTRIBUTED } from '../../../kernel/actor.ts'

export const AS = ['--as <name>', 'who decides; a sandbox may go without'] as const

/** The person named by `--as`. Whether that person may decide is checked with the decision. */
export function decider(name: string | undefined): Actor {
  return name === undefined ? UNATTRIBUTED : operatorActor(name)
}
