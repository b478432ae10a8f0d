import type { Command } from 'commander'
import { Option } from 'commander'
import { listWithoutDebit } from '../../../domain/matching/index.ts'
import type { Payout } from '../../../domain/payouts/index.ts'
import { listPayouts, PAYOUT_STATES } from '../../../domain/payouts/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import type { CliContext } from '../core/context.ts'
import { withApp, WrongUsage } from '../core/context.ts'
import { readPayoutBlocks } from '../core/payout-blocks.ts'
import { print, table } from '../core/output.ts'

export function addPayoutCommands(program: Command, context: CliContext): void {
  const payout = program.command('payout').description('Payouts: what is sent to banks.')
  payout
    .command('list')
    .description('The newest payouts with their state.')
    .addOption(new Option('--state <state>', 'only these').choices(PAYOUT_STATES))
    .option('--without-debit', 'only completed ones that no debit shows after two business days, oldest first')
    .addHelpText('after', '\nExample:\n  $ npx vezne payout list --state unknown')
    .action(async (options: { state?: string; withoutDebit?: true }, command: Command) => {
      if (options.state && options.withoutDebit) throw new WrongUsage('Give either --state or --without-debit.')
      const payouts = await withApp(context, async (app) => {
        const heldBy = await readPayoutBlocks(app.db)
        const found = options.withoutDebit
          ? await listWithoutDebit(app, 100)
          : await listPayouts(app.db.pages, options.state, 100)
        return found.map((one) => ({ ...one, heldBy: isHeld(one) ? heldBy(one.merchantId) : null }))
      })
      const rows = payouts.map((one) => [
        one.withdrawalId,
        formatMoney(one.amount, one.currency),
        one.rail,
        one.connection,
        one.state,
        one.bankReference ?? one.reason ?? '',
        `${one.submits} sent, ${one.queries} asked`,
        one.heldBy ?? '',
      ])
      const head = ['withdrawal', 'amount', 'rail', 'over', 'state', 'bank says', 'tries', '']
      print(command, { payouts }, table(head, rows))
    })
}

/** Not yet submitted to a bank, neither by us nor by the person who sends it manually. */
function isHeld({ state, connection }: Payout): boolean {
  return state === 'intent' || (state === 'unknown' && connection === 'manual')
}
