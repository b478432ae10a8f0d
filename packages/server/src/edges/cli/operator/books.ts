import type { Command } from 'commander'
import { closeDay, rejectDay, reopenDay, reportDay, selectDecisions, withdrawDay } from '../../../domain/books/index.ts'
import { reviewTotals } from '../../../domain/statements/index.ts'
import type { CliContext } from '../core/context.ts'
import { wholeNumber, withApp } from '../core/context.ts'
import { decider } from '../core/decider.ts'
import { print, table } from '../core/output.ts'
import { describeDay, describeDebits } from './books-day.ts'

const DONE = { close: 'closed', reopen: 'reopened', withdraw: 'withdrew the proposal', reject: 'rejected the proposal' }

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
  addEndCommands(books, context)
  books
    .command('history')
    .description('Who proposed, closed and reopened days, newest first.')
    .option('--limit <n>', 'how many', '50')
    .addHelpText('after', '\nExample:\n  $ npx vezne books history')
    .action(async (options: { limit: string }, command: Command) => {
      const limit = wholeNumber(options.limit, '--limit')
      const decisions = await withApp(context, (app) => selectDecisions(app.db, limit))
      const rows = decisions.map(({ day, action, completes, operator, decidedAt, reason }) => {
        const what = completes === null ? `proposed to ${action}` : DONE[action]
        return [day, what, operator, decidedAt.toISOString(), reason ?? '']
      })
      print(command, { decisions }, table(['day', 'what', 'who', 'when', 'why'], rows))
    })
}

type CloseOptions = { as: string; figures?: string; why?: string }

function addCloseCommands(books: Command, context: CliContext): void {
  books
    .command('close <date>')
    .description('Close a day: the first person proposes it, a second one who saw the same figures closes it.')
    .requiredOption('--as <name>', 'who decides')
    .option('--figures <hash>', 'the figures that were proposed, as `books day` shows them: closes the day')
    .option('--why <text>', 'why what is not explained is accepted; both people must say so')
    .addHelpText('after', '\nExample:\n  $ npx vezne books close 2026-11-15 --figures 3f9a12c40b7e --as mehmet.kaya')
    .action(async (day: string, { as, figures, why }: CloseOptions, command: Command) => {
      const said = { figures, reason: why }
      const {
        state,
        proof,
        equal = [],
        debits,
      } = await withApp(context, async (app) => ({
        ...(await closeDay(app, decider(app, as), day, said)),
        debits: await reviewTotals(app.db.report, 'debit'),
      }))
      const words =
        state === 'closed'
          ? [`${day} is closed. What belongs to it is booked on the next open day from now on.`]
          : [
              ...equal.map((name) => `${name} has just proposed the same figures: you can close the day, too.`),
              `Proposed with the figures ${proof.hash}. A second person looks at them: npx vezne books day ${day}`,
              `and closes the day: npx vezne books close ${day} --figures ${proof.hash} --as NAME`,
            ]
      print(command, { day, state, figures: proof.hash, debits }, [...words, ...describeDebits(debits)])
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
    .action(async (day: string, { as, why }: { as: string; why: string }, command: Command) => {
      const { state } = await withApp(context, (app) => reopenDay(app, decider(app, as), day, why))
      const words = state === 'reopened' ? `${day} is open again.` : 'A second person is needed: the same command.'
      print(command, { day, state }, words)
    })
}

const ENDS = {
  withdraw: { end: withdrawDay, description: 'Take back your proposal to close or reopen a day.', state: 'withdrawn' },
  reject: { end: rejectDay, description: 'Reject a proposal to close or reopen a day.', state: 'rejected' },
}

function addEndCommands(books: Command, context: CliContext): void {
  for (const [name, { end, description, state }] of Object.entries(ENDS))
    books
      .command(`${name} <date>`)
      .description(description)
      .requiredOption('--as <name>', 'who decides')
      .requiredOption('--why <text>', 'why, without personal data')
      .addHelpText(
        'after',
        `\nExample:\n  $ npx vezne books ${name} 2026-11-15 --why "a refund is missing" --as ayse.yilmaz`,
      )
      .action(async (day: string, { as, why }: { as: string; why: string }, command: Command) => {
        await withApp(context, (app) => end(app, decider(app, as), day, why))
        print(command, { day, state }, `The proposal about ${day} is ${state}. Nothing else has changed.`)
      })
}
