import type { Command } from 'commander'
import { reportDay, selectDecisions } from '../../../domain/books/index.ts'
import { reviewTotals } from '../../../domain/statements/index.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import type { CliContext } from '../core/context.ts'
import { wholeNumber, withApp } from '../core/context.ts'
import { print, table } from '../core/output.ts'
import { describeDay, describeDebits } from './books-day.ts'

const DONE = { close: 'closed', reopen: 'reopened' }

export function addBookCommands(program: Command, context: CliContext): void {
  const books = program.command('books').description('Books: compare each day with the bank, and close it.')
  books
    .command('day <date>')
    .description('Compare the bank with the ledger at the end of a day: every difference, and why.')
    .addHelpText('after', '\nExample:\n  $ npx vezne books day 2026-11-16')
    .action(async (day: string, _options: object, command: Command) => {
      const { report, now } = await withApp(context, async (app) => ({
        report: await reportDay(app, day),
        now: app.clock.now(),
      }))
      print(command, report, describeDay(report, now))
    })
  addCloseCommands(books, context)
  books
    .command('history')
    .description('Which two people closed and reopened days, newest first.')
    .option('--limit <n>', 'how many', '50')
    .addHelpText('after', '\nExample:\n  $ npx vezne books history')
    .action(async (options: { limit: string }, command: Command) => {
      const limit = wholeNumber(options.limit, '--limit')
      const decisions = await withApp(context, (app) => selectDecisions(app.db, limit))
      const rows = decisions.map(({ day, action, proposedBy, operator, decidedAt, reason }) => {
        return [day, DONE[action], proposedBy, operator, decidedAt.toISOString(), reason ?? '']
      })
      print(command, { decisions }, table(['day', 'what', 'proposed by', 'approved by', 'when', 'why'], rows))
    })
}

function addCloseCommands(books: Command, context: CliContext): void {
  books
    .command('close <date>')
    .description('Close a day: one person proposes it, and a second one approves the same figures.')
    .requiredOption('--as <name>', 'who decides')
    .option('--why <text>', 'why what is not explained is accepted')
    .addHelpText('after', '\nExample:\n  $ npx vezne books close 2026-11-15 --as mehmet.kaya')
    .action(async (day: string, said: { as: string; why?: string }, command: Command) => {
      const { asked, debits } = await withApp(context, async (app) => ({
        asked: await askProposal(app, said, 'day.close', { day }),
        debits: await reviewTotals(app.db.report, 'debit'),
      }))
      printAsked(command, asked, ({ hash }) => {
        const words = `${day} is closed. What belongs to it is booked on the next open day from now on.`
        print(command, { day, state: 'closed', figures: hash, debits }, [words, ...describeDebits(debits)])
      })
    })
  books
    .command('reopen <date>')
    .description('Open the last closed day again. Two different people must say so.')
    .requiredOption('--as <name>', 'who decides')
    .requiredOption('--why <text>', 'why, without personal data')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne books reopen 2026-11-15 --why "wrong charge booked" --as ayse.yilmaz',
    )
    .action(async (day: string, said: { as: string; why: string }, command: Command) => {
      const asked = await withApp(context, (app) => askProposal(app, said, 'day.reopen', { day }))
      printAsked(command, asked, () => print(command, { day, state: 'open' }, `${day} is open again.`))
    })
}
