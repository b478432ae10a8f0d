import type { Command } from 'commander'
import { openReceivables, openRests } from '../../../domain/books/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import { readAccountNames } from '../core/account-names.ts'
import type { CliContext } from '../core/context.ts'
import { withApp } from '../core/context.ts'
import { print, table } from '../core/output.ts'

export function addReceivablesCommand(journal: Command, context: CliContext): void {
  journal
    .command('receivables')
    .description('Money that left by a fault of the bank and has not come back in full, oldest first.')
    .addHelpText('after', '\nExample:\n  $ npx vezne journal receivables')
    .action(async (_options: object, command: Command) => {
      const { receivables, nameOf, now } = await withApp(context, async (app) => ({
        receivables: await openReceivables(app.db),
        nameOf: await readAccountNames(app),
        now: app.clock.now().getTime(),
      }))
      const rows = receivables.map(({ entryId, lineId, account, amount, open, since, reason }) => {
        const days = Math.max(0, Math.floor((now - since.getTime()) / DAY_MS))
        const [left, owed] = [amount, open].map((money) => formatMoney(money, account.currency))
        return [entryId, lineId, nameOf(account.subject ?? ''), left ?? '', owed ?? '', String(days), reason]
      })
      const titles = ['entry', 'line', 'account', 'left', 'still owed', 'days', 'why']
      print(command, { receivables }, rows.length > 0 ? table(titles, rows) : 'No one owes us anything.')
    })
}

export function addRestsCommand(journal: Command, context: CliContext): void {
  journal
    .command('rests')
    .description('What entries have left of their lines, in suspense, until it is refunded to the sender.')
    .addHelpText('after', '\nExample:\n  $ npx vezne journal rests')
    .action(async (_options: object, command: Command) => {
      const rests = await withApp(context, (app) => openRests(app.db))
      const rows = rests.map(({ entryId, line, amount }) => {
        const then = `vezne journal propose refund_unexplained --rest-of ${entryId}`
        return [entryId, line.id, line.senderName, formatMoney(amount, line.currency), then]
      })
      const words = rows.length > 0 ? table(['entry', 'line', 'sender', 'rest', 'then'], rows) : 'No entry has a rest.'
      print(command, { rests }, words)
    })
}
