import type { Command } from 'commander'
import type { Invited } from '../../../domain/identity/index.ts'
import {
  createAdmin,
  disableLogin,
  giveInvitationCode,
  giveUserCode,
  inviteMerchantUser,
  inviteOperator,
  listLogins,
  listSessions,
  revokeSession,
} from '../../../domain/identity/index.ts'
import { MERCHANT_ROLES } from '../../../domain/people/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CliContext } from '../core/context.ts'
import { merchantId, readSandbox, withApp } from '../core/context.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { AS, decider, WHY } from '../core/decider.ts'
import { print, table } from '../core/output.ts'

type As = { as?: string }

export function addAdminCommands(program: Command, context: CliContext): void {
  const admin = program.command('admin').description('The first person who may log in.')
  admin
    .command('create <name>')
    .description('Add an operator with the role admin and print an invitation. In live only before anyone has a login.')
    .addHelpText('after', '\nExample:\n  $ npx vezne admin create ayse.yilmaz')
    .action(async (name: string, _options: object, command: Command) => {
      showInvitation(context, command, await withApp(context, (app) => createAdmin(app, name)))
    })
}

export function addOperatorLogins(operator: Command, context: CliContext): void {
  operator
    .command('invite <name>')
    .description(
      'Print an invitation to log in. In live not for who has a login, once there are two admins: see reset.',
    )
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne operator invite mehmet.kaya --as ayse.yilmaz')
    .action(async (name: string, { as }: As, command: Command) => {
      showInvitation(context, command, await withApp(context, (app) => inviteOperator(app, decider(app, as), name)))
    })
  addCode(operator, context)
  addReset(operator, context)
  operator
    .command('sessions [name]')
    .description('Who is logged in now, in the console and on the command line; --revoke ends a session.')
    .option('--revoke <id>', 'end this session')
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne operator sessions --revoke 6af966a602baea019225b029 --as ayse.yilmaz',
    )
    .action(async (name: string | undefined, { as, revoke }: As & { revoke?: string }, command: Command) => {
      const sessions = await withApp(context, async (app) => {
        if (revoke !== undefined) await revokeSession(app, decider(app, as), revoke)
        return listSessions(app, { audience: 'operator', ...(name !== undefined && { name }) })
      })
      const rows = sessions.map((one) => [
        one.id,
        one.name,
        one.kind === 'browser' ? 'browser' : 'command line',
        one.address ?? '',
        one.lastUsedAt.toISOString(),
        one.endsAt.toISOString(),
        one.userAgent ?? '',
      ])
      print(command, { sessions }, table(['session', 'name', 'from', 'address', 'last used', 'ends', 'program'], rows))
    })
}

function addCode(operator: Command, context: CliContext): void {
  operator
    .command('code <name>')
    .description('Print the code of an invitation that another admin made. In live the person needs link and code.')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne operator code mehmet.kaya --as ayse.yilmaz')
    .action(async (name: string, { as }: As, command: Command) => {
      const given = await withApp(context, (app) => giveInvitationCode(app, decider(app, as), name))
      showCode(command, given, 'Tell that person only, not the admin who made the invitation.')
    })
}

function showCode(command: Command, given: Awaited<ReturnType<typeof giveUserCode>>, whom: string): void {
  print(command, given, [
    `${given.name} enters this code with the new password, until ${given.expiresAt.toISOString()}:`,
    `  ${given.code}`,
    whom,
  ])
}

function addReset(operator: Command, context: CliContext): void {
  operator
    .command('reset <name>')
    .description('End the login of a person who lost password or second factor. Then invite the person again.')
    .option(...WHY)
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne operator reset mehmet.kaya --why "lost the phone" --as ayse.yilmaz',
    )
    .action(async (name: string, who: As & { why?: string }, command: Command) => {
      const asked = await withApp(context, (app) => askProposal(app, who, 'operator.reset', { name }))
      printAsked(command, asked, () =>
        print(command, { name }, `${name} has no login any more. Invite: vezne operator invite ${name}`),
      )
    })
}

export function addMerchantLogins(merchant: Command, context: CliContext): void {
  merchant
    .command('invite <merchant> <email>')
    .description('Print an invitation to log in for the merchant.')
    .requiredOption('--role <role>', `one of ${MERCHANT_ROLES.join(', ')}`)
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant invite demo ayla@shop.example --role owner')
    .action(async (given: string, email: string, { as, role }: As & { role: string }, command: Command) => {
      const id = merchantId(context, given)
      const work = withApp(context, (app) => inviteMerchantUser(app, decider(app, as), id, { email, role }))
      showInvitation(context, command, await work, given)
    })
  merchant
    .command('code <merchant> <email>')
    .description('Print the code of an invitation that another admin made. In live the person needs link and code.')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant code demo ayla@shop.example --as ayse.yilmaz')
    .action(async (given: string, email: string, { as }: As, command: Command) => {
      const id = merchantId(context, given)
      const code = await withApp(context, (app) => giveUserCode(app, decider(app, as), id, email))
      showCode(command, code, 'Tell that person only, not the one who made the invitation.')
    })
  merchant
    .command('users <merchant>')
    .description('Who may log in for the merchant; --disable ends a login and its sessions.')
    .option('--disable <email>', 'end this login')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant users demo --disable ayla@shop.example')
    .action(async (given: string, { as, disable }: As & { disable?: string }, command: Command) => {
      const only = { audience: 'merchant', merchantId: merchantId(context, given) } as const
      const users = await withApp(context, async (app) => {
        const found = await listLogins(app.db, only)
        if (disable === undefined) return found
        const login = found.find(({ name }) => name === disable.toLowerCase())
        if (!login) throw new Refusal('NOT_FOUND', `${disable} is no user of this merchant.`)
        await disableLogin(app, decider(app, as), login.id)
        return listLogins(app.db, only)
      })
      const rows = users.map(({ id, name, roles, createdAt }) => [name, roles.join(', '), createdAt.toISOString(), id])
      print(command, { users }, table(['e-mail', 'role', 'since', 'login'], rows))
    })
}

/** `merchant`: as it was typed. */
function showInvitation(context: CliContext, command: Command, invited: Invited, merchant?: string): void {
  const config = context.readConfig()
  const base = config.publicUrl ?? readSandbox(config)?.baseUrl ?? ''
  print(command, invited, [
    `${invited.name} can choose a password until ${invited.expiresAt.toISOString()}, once, at:`,
    `  ${base}${invited.path}`,
    'Give this address to that person only, in a way that no one else can read.',
    ...(invited.needsCode ? [`The person also needs a code, which ${codeFrom(invited, merchant)}`] : []),
  ])
}

const codeFrom = ({ name }: Invited, merchant?: string) =>
  merchant === undefined
    ? `another admin gives: vezne operator code ${name}`
    : `another admin gives: vezne merchant code ${merchant} ${name}, or an owner of the merchant on the page Team.`
