import type { Command } from 'commander'
import { disableOperator, listOperators, ROLES } from '../../../domain/people/index.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { AS, decider, WHY } from '../core/decider.ts'
import type { CliContext } from '../core/context.ts'
import { withApp } from '../core/context.ts'
import { collect } from '../core/collect.ts'
import { print, table } from '../core/output.ts'
import { addOperatorLogins } from './invite.ts'

type Roles = { as?: string; why?: string; role: string[] }

export function addOperatorCommands(program: Command, context: CliContext): void {
  const operator = program
    .command('operator')
    .description("The operator's staff: the names under decisions about money.")
  operator
    .command('add <name>')
    .description('Add a person, such as ayse.yilmaz. A name is never given twice.')
    .requiredOption('--role <role>', `one of ${ROLES.join(', ')}; again for each`, collect)
    .option(...WHY)
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne operator add ayse.yilmaz --role cashier --as mehmet.kaya')
    .action(async (name: string, { role: roles, ...who }: Roles, command: Command) => {
      const asked = await withApp(context, (app) => askProposal(app, who, 'operator.add', { name, roles }))
      printAsked(command, asked, () =>
        print(command, { name }, `${name} is added, with the roles ${roles.join(', ')}.`),
      )
    })
  operator
    .command('roles <name>')
    .description("Replace a person's roles, which say what they may decide.")
    .requiredOption('--role <role>', `one of ${ROLES.join(', ')}; again for each`, collect)
    .option(...WHY)
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne operator roles ayse.yilmaz --role cashier --as mehmet.kaya')
    .action(async (name: string, { role, ...who }: Roles, command: Command) => {
      const asked = await withApp(context, (app) => askProposal(app, who, 'operator.roles', { name, roles: role }))
      printAsked(command, asked, () =>
        print(command, { name, roles: role }, `${name} has the roles ${role.join(', ')}.`),
      )
    })
  addOthers(operator, context)
  addOperatorLogins(operator, context)
}

function addOthers(operator: Command, context: CliContext): void {
  operator
    .command('disable <name>')
    .description("Take a person's right to decide; past decisions keep the name.")
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne operator disable ayse.yilmaz')
    .action(async (name: string, options: { as?: string }, command: Command) => {
      await withApp(context, (app) => disableOperator(app, decider(app, options.as), name))
      print(command, { name, disabled: true }, `${name} may not decide any more.`)
    })
  operator
    .command('list')
    .description('Everybody who may decide, or could once.')
    .addHelpText('after', '\nExample:\n  $ npx vezne operator list')
    .action(async (_options: object, command: Command) => {
      const operators = await withApp(context, ({ db }) => listOperators(db))
      print(
        command,
        { operators },
        table(
          ['name', 'roles', 'disabled'],
          operators.map(({ name, roles, disabledAt }) => [name, roles.join(', '), disabledAt?.toISOString() ?? '']),
        ),
      )
    })
}
