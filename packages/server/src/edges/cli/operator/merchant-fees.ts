import type { Command } from 'commander'
import { Option } from 'commander'
import type { FeeRow } from '../../../domain/merchants/index.ts'
import { findMerchant } from '../../../domain/merchants/index.ts'
import type { Fee } from '../../../kernel/money.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { AS, WHY } from '../core/decider.ts'
import type { CliContext } from '../core/context.ts'
import { merchantId, moment, wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { print, table } from '../core/output.ts'

const KINDS = ['deposit', 'withdraw'] as const
type Options = Partial<
  Record<`${(typeof KINDS)[number]}${'Bps' | 'Fixed' | 'Min' | 'Max'}` | 'from' | 'refunds' | 'as' | 'why', string>
>

export function addMerchantFees(merchant: Command, context: CliContext): void {
  const command = merchant
    .command('fees <merchant>')
    .description('Set what a merchant pays from a moment on, or without options show all terms, the newest first.')
  for (const kind of KINDS) {
    command
      .option(`--${kind}-bps <n>`, `fee on a ${kind}, in hundredths of a percent`)
      .option(`--${kind}-fixed <kurus>`, 'plus this')
      .option(`--${kind}-min <kurus>`, 'at least this')
      .option(`--${kind}-max <kurus>`, 'at most this; "none" lifts it')
  }
  command
    .addOption(
      new Option('--refunds <charged|free>', 'whether a refund costs the fee of a withdrawal').choices([
        'charged',
        'free',
      ]),
    )
    .option('--from <time>', 'from when on, such as 2026-12-01T00:00+03:00; left out: two seconds after it is decided')
    .option(...AS)
    .option(...WHY)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne merchant fees demo --withdraw-bps 150 --from 2026-12-01T00:00+03:00 --as ayse.yilmaz',
    )
    .action(async (given: string, options: Options, self: Command) => {
      const id = merchantId(context, given)
      const [deposit, withdraw] = [feeOf(options, 'deposit'), feeOf(options, 'withdraw')]
      const from = options.from === undefined ? {} : { from: moment(options.from, '--from') }
      const isChange = Object.keys({ ...deposit, ...withdraw }).length > 0
      if (!isChange && options.from !== undefined)
        throw new WrongUsage('Say what changes then, such as --withdraw-bps 150.')
      if (isChange && options.refunds !== undefined)
        throw new WrongUsage('Give --refunds alone: it is decided by itself.')
      const asked = await withApp(context, async (app) => {
        const charged = options.refunds === 'charged'
        const terms = { merchantId: id, deposit, withdraw, ...from }
        const asked =
          options.refunds === undefined
            ? isChange && (await askProposal(app, options, 'merchant.fees', terms))
            : await askProposal(app, options, 'merchant.refunds', { merchantId: id, charged })
        if (asked && asked.state !== 'applied') return asked
        return { state: 'applied' as const, result: (await findMerchant(app, id)).fees }
      })
      printAsked(self, asked, (fees) => print(self, { fees }, describe(fees)))
    })
}

function feeOf(options: Options, kind: (typeof KINDS)[number]): Partial<Fee> {
  const { [`${kind}Bps` as const]: bps, [`${kind}Fixed` as const]: fixed } = options
  const { [`${kind}Min` as const]: min, [`${kind}Max` as const]: max } = options
  const amount = (text: string) => BigInt(wholeNumber(text, 'A fee'))
  return {
    ...(bps !== undefined && { bps: wholeNumber(bps, 'A fee') }),
    ...(fixed !== undefined && { fixed: amount(fixed) }),
    ...(min !== undefined && { min: amount(min) }),
    ...(max !== undefined && { max: max === 'none' ? null : amount(max) }),
  }
}

function describe(fees: FeeRow[]): string[] {
  const rows = fees.map(({ effectiveFrom, deposit, withdraw, setBy }) => {
    return [effectiveFrom.toISOString(), feeInWords(deposit), feeInWords(withdraw), setBy ?? 'at creation']
  })
  return table(['from', 'deposit', 'withdrawal', 'set by'], rows)
}

export function feeInWords({ bps, fixed, min, max }: Fee): string {
  return `${bps} bps + ${fixed} kuruş (min ${min}, max ${max ?? 'none'})`
}
