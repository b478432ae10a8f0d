import { hostname } from 'node:os'
import type { Command } from 'commander'
import { logIn, logOut, passSecondFactor } from '../../../domain/identity/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { WrongUsage, withApp } from '../core/context.ts'
import { findOwnSession, forgetLogin, loginFile, writeLogin } from '../core/login-file.ts'
import { facts, openSecretPrompt, print } from '../core/output.ts'

export function addLoginCommands(program: Command, context: CliContext): void {
  program
    .command('login <name>')
    .description(
      'Log in as an operator on this machine, for twelve hours at most. Asks for password and second factor.',
    )
    .addHelpText('after', '\nExample:\n  $ npx vezne login ayse.yilmaz')
    .action(async (name: string, _options: object, command: Command) => {
      const config = context.readConfig()
      const token = await withApp(context, (app) => askAndLogIn(app, name))
      writeLogin(config, { name, token })
      print(command, { name, file: loginFile(config) }, `You are logged in as ${name}, for twelve hours.`)
    })
  program
    .command('logout')
    .description('End the login of this machine.')
    .addHelpText('after', '\nExample:\n  $ npx vezne logout')
    .action(async (_options: object, command: Command) => {
      const config = context.readConfig()
      await withApp(context, async (app) => {
        const session = await findOwnSession(app, config)
        if (session) await logOut(app, session)
      })
      forgetLogin(config)
      print(command, { loggedOut: true }, 'You are logged out.')
    })
  program
    .command('whoami')
    .description('Who is logged in on this machine, and until when.')
    .addHelpText('after', '\nExample:\n  $ npx vezne whoami')
    .action(async (_options: object, command: Command) => {
      const session = await withApp(context, (app) => findOwnSession(app, context.readConfig()))
      if (!session) throw new Refusal('NOT_FOUND', 'No one is logged in here. Log in: vezne login NAME')
      const { name, roles, createdAt, endsAt } = session
      const rows: [string, string][] = [
        ['name', name],
        ['roles', roles.join(', ')],
        ['since', createdAt.toISOString()],
        ['until', endsAt.toISOString()],
      ]
      print(command, { name, roles, createdAt, endsAt }, facts(rows))
    })
}

/** Returns a token that works on this host only. */
async function askAndLogIn(app: CliApp, name: string): Promise<string> {
  const prompt = openSecretPrompt()
  const visitor = { address: null, userAgent: null, host: hostname() }
  try {
    const password = await prompt.ask(`Password of ${name}: `)
    const { token, needs } = await logIn(app, { audience: 'operator', name, password }, visitor)
    if (needs === null) return token
    if (needs === 'set_up')
      throw new WrongUsage('Set up a second factor first: log in to the operator console with a browser.')
    const code = await prompt.ask('Code of the authenticator app, or a recovery code: ')
    return (await passSecondFactor(app, { audience: 'operator', token, code }, visitor)).token
  } finally {
    prompt.close()
  }
}
