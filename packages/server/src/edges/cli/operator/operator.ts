import type { Command } from 'commander'
import { addOperator, disableOperator, listOperators } from '../../../domain/people/index.ts'
import { AS, decider } from '../core/decider.ts'
import type { CliContext } from '../core/context.ts'
import { withApp } from '../core/context.ts'
import { print, table } from '../core/output.ts'

export function addOperatorCommands(program: Command, context: CliContext): void {
  const operator = program
    .command('operator')
    .description("The operator's staff: the names under decisions about money.")
  operator
    .command('add <name>')
    .description('Add a person, such as ayse.yilmaz. A name is never given twice.')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne operator add ayse.yilmaz')
    .action(async (name: string, options: { as?: string }, command: Command) => {
      await withApp(context, (app) => addOperator(app, decider(options.as), name))
      print(command, { name }, `${name} may decide.`)
    })
  operator
    .command('disable <name>')
    .description("Take a person's right to decide; past decisions keep the name.")
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne operator disable ayse.yilmaz')
    .action(async (name: string, options: { as?: string }, command: Command) => {
      await withApp(context, (app) => disableOperator(app, decider(options.as), name))
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
          ['name', 'disabled'],
          operators.map(({ name, disabledAt }) => [name, disabledAt?.toISOString() ?? '']),
        ),
      )
    })
}
