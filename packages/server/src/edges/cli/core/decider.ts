import { hostname, userInfo } from 'node:os'
import type { Command } from 'commander'
import type { Actor, Origin } from '../../../kernel/actor.ts'
import { operatorActor, UNATTRIBUTED } from '../../../kernel/actor.ts'
import { hasOperatorLogin } from '../../../domain/identity/index.ts'
import type { Reader } from '../../../domain/withdrawals/index.ts'
import type { Role } from '../../../domain/people/index.ts'
import { listOperators, mayTake } from '../../../domain/people/index.ts'
import type { CliApp, CliConfig, CliContext } from './context.ts'
import { WrongUsage, withApp } from './context.ts'
import { findOwnSession } from './login-file.ts'

export const AS = ['--as <name>', 'who decides; a sandbox may go without'] as const

export const WHY = ['--why <text>', 'why, for the second person who approves it in live'] as const

/** The person named by `--as`, in live with the login here. Whether that person may decide is checked with the decision. */
export function decider({ own }: Pick<CliApp, 'own'>, name: string | undefined): Actor {
  const actor = name === undefined ? UNATTRIBUTED : operatorActor(name)
  return { ...actor, ...(own && { proved: own.steppedUp }), origin: { ...originOf(), ...(own && { session: own.id }) } }
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

/** Who looks: the person who is logged in; in a sandbox, whom `--as` names. Null if no one is known. */
export async function findReader(app: CliApp, config: CliConfig, as?: string): Promise<Reader> {
  const named = app.sandbox && as !== undefined
  const person = named
    ? (await listOperators(app.db)).find(({ name, disabledAt }) => name === as && disabledAt === null)
    : await findOwnSession(app, config)
  return person ? { name: person.name, may: (action) => mayTake(person.roles as Role[], action) } : null
}

/**
 * In live, once operators have logins, the person who is logged in decides: `--as` may repeat the name and may be left out. Runs
 * before every command that takes it.
 */
export async function checkDecider(context: CliContext, command: Command): Promise<void> {
  if (!command.options.some((option) => option.attributeName() === 'as')) return
  if (context.readConfig().mode !== 'live') return
  context.decides = true
  const { as } = command.opts<{ as?: string }>()
  const session = await withApp(context, async (app) => {
    const { own } = app
    if (as === undefined || as === own?.name || !(await hasOperatorLogin(app))) return own
    const who = own ? `You are logged in as ${own.name}, not as ${as}.` : 'You are not logged in.'
    throw new WrongUsage(`${who} In live a decision takes the login of who decides: vezne login ${as}`)
  })
  if (as === undefined && session) command.setOptionValue('as', session.name)
}
