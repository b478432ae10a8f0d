import type { Command } from 'commander'
import type { ListedStatement } from '../../../domain/statements/index.ts'
import { listFiles, listStatements } from '../../../domain/statements/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { CliContext } from '../core/context.ts'
import { wholeNumber, withApp } from '../core/context.ts'
import { print, table } from '../core/output.ts'
import { addFileCommands } from './statement-file.ts'
import { checksInWords, filesTable } from './statement-words.ts'

export function addStatementCommands(program: Command, context: CliContext): void {
  const statement = program.command('statement').description('Statements: what moved on an account in a period.')
  statement
    .command('list')
    .description('The newest statements: lines, sums, and balances where the bank gives them.')
    .option('--account <account>', 'only of this account, by id or IBAN')
    .option('--files', 'the imported files instead')
    .option('--limit <n>', 'how many', '50')
    .addHelpText('after', '\nExample:\n  $ npx vezne statement list --account TR620006200029500006291296')
    .action(async (options: { account?: string; files?: true; limit: string }, command: Command) => {
      const limit = wholeNumber(options.limit, '--limit')
      if (options.files) {
        const files = await withApp(context, (app) => listFiles(app.db.pages, limit))
        return print(
          command,
          { files: files.map((one) => ({ ...one, profile: one.profile?.id, checks: checksInWords(one.checks) })) },
          filesTable(files),
        )
      }
      const statements = await withApp(context, (app) => listStatements(app, { account: options.account, limit }))
      const head = ['statement', 'account', 'day', 'connection', 'lines', 'credits', 'debits', 'opening', 'closing', '']
      print(command, { statements }, table(head, statements.map(rowOf)))
    })
  addFileCommands(statement, context)
}

function rowOf(one: ListedStatement): string[] {
  const money = (amount: bigint | null) => (amount === null ? '' : formatMoney(amount, one.currency))
  const period = one.fromDay === one.toDay ? one.fromDay : `${one.fromDay} to ${one.toDay}`
  const balances = [money(one.openingBalance), money(one.closingBalance)]
  const problem = one.difference ? `does not add up: ${money(one.difference)}` : ''
  const sums = [String(one.lines), money(one.credits), money(one.debits)]
  return [one.id, one.iban, period, one.connection, ...sums, ...balances, problem]
}
