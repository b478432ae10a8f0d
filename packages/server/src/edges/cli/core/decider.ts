import { hostname, userInfo } from 'node:os'
import type { Actor, Origin } from '../../../kernel/actor.ts'
import { operatorActor, UNATTRIBUTED } from '../../../kernel/actor.ts'

export const AS = ['--as <name>', 'who decides; a sandbox may go without'] as const

/** The person named by `--as`. Whether that person may decide is checked with the decision. */
export function decider(name: string | undefined): Actor {
  return { ...(name === undefined ? UNATTRIBUTED : operatorActor(name)), origin: originOf() }
}

/** Anyone who may run the command can name anyone with `--as`, so the audit also keeps the account on the machine. */
function originOf(): Origin {
  return { edge: 'cli', host: hostname(), user: accountName() }
}

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run with a number that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
