import type { Command } from 'commander'
import { Option } from 'commander'
import { isManual } from '../../../domain/connections/index.ts'
import { listWithoutCredit, listWithoutDebit } from '../../../domain/matching/index.ts'
import type { Payout, PayoutState } from '../../../domain/withdrawals/index.ts'
import { listPayouts, PAYOUT_STATES, readPayoutBlocks } from '../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { readAccountNames } from '../core/account-names.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { withApp, WrongUsage } from '../core/context.ts'
import { print, table } from '../core/output.ts'

type ListOptions = { state?: PayoutState; withoutDebit?: true; withoutCredit?: true }

export function addPayoutCommands(program: Command, context: CliContext): void {
  const payout = program.command('payout').description('Payouts: what is sent to banks.')
  payout
    .command('list')
    .description('The newest payouts with their state.')
    .addOption(new Option('--state <state>', 'only these').choices(PAYOUT_STATES))
    .option('--without-debit', 'only completed ones that no debit shows after two business days, oldest first')
    .option(
      '--without-credit',
      'only those returned on the word of the bank that no credit shows after two business days',
    )
    .addHelpText('after', '\nExample:\n  $ npx vezne payout list --state unknown')
    .action(async (options: ListOptions, command: Command) => {
      const { state, withoutDebit, withoutCredit } = options
      if ([state, withoutDebit, withoutCredit].filter(Boolean).length > 1)
        throw new WrongUsage('Give either --state, --without-debit or --without-credit.')
      const payouts = await withApp(context, async (app) => {
        const heldBy = await readPayoutBlocks(app.db)
        const found = await listed(app, options)
        const accountOf = await readAccountNames(app)
        return found.map((one) => ({
          ...one,
          account: accountOf(one.sourceAccountId),
          heldBy: isHeld(one) ? heldBy(one.merchantId) : null,
        }))
      })
      const rows = payouts.map((one) => [
        one.withdrawalId,
        formatMoney(one.amount, one.currency),
        one.account,
        one.rail,
        one.connection,
        one.state,
        one.bankReference ?? one.reason ?? '',
        `${one.submits} sent, ${one.queries} asked`,
        one.heldBy ?? '',
      ])
      const head = ['withdrawal', 'amount', 'from', 'rail', 'over', 'state', 'bank says', 'tries', '']
      print(command, { payouts }, table(head, rows))
    })
}

function listed(app: CliApp, { state, withoutDebit, withoutCredit }: ListOptions): Promise<Payout[]> {
  if (withoutDebit) return listWithoutDebit(app, 100)
  return withoutCredit ? listWithoutCredit(app, 100) : listPayouts(app.db.pages, state, 100)
}

/** Not yet submitted to a bank, neither by us nor by the person who sends it manually. */
function isHeld({ state, connection }: Payout): boolean {
  return state === 'ready' || (state === 'asking' && isManual(connection))
}
