import type { Command } from 'commander'
import { openReceivables } from '../../../domain/books/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { readAccountNames } from '../core/account-names.ts'
import type { CliContext } from '../core/context.ts'
import { withApp } from '../core/context.ts'
import { print, table } from '../core/output.ts'

const DAY_MS = 86_400_000

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
