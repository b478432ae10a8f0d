import type { Command } from 'commander'
import { changesOf, findMerchant } from '../../../domain/merchants/index.ts'
import type { CliContext } from '../core/context.ts'
import { merchantId, withApp } from '../core/context.ts'
import { print, table } from '../core/output.ts'

export function addMerchantHistory(merchant: Command, context: CliContext): void {
  merchant
    .command('history <merchant>')
    .description('Every change of the settings of a merchant: when, who, what, from and to.')
    .addHelpText('after', '\nExample:\n  $ npx vezne merchant history demo')
    .action(async (given: string, _options: object, command: Command) => {
      const id = merchantId(context, given)
      const changes = await withApp(context, async (app) => {
        await findMerchant(app, id)
        return changesOf(app.db, id)
      })
      const rows = changes.map(({ what, changedBy, before, after, changedAt }) => [
        changedAt.toISOString(),
        changedBy,
        what,
        `${JSON.stringify(before)} → ${JSON.stringify(after)}`,
      ])
      print(command, { changes }, rows.length > 0 ? table(['when', 'who', 'what', 'change'], rows) : 'No changes.')
    })
}
