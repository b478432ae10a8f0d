import type { Command } from 'commander'
import type { Correction } from '../../../domain/matching/index.ts'
import { collect } from '../core/collect.ts'
import { decideCorrection, retryAll, retryLine } from '../../../domain/matching/index.ts'
import type { ProposalOutcome } from '../../../domain/proposals/index.ts'
import type { StoredLine } from '../../../domain/statements/index.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { AS, decider } from '../core/decider.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { withApp, WrongUsage } from '../core/context.ts'
import { print } from '../core/output.ts'

type CorrectionOptions = { as?: string; why?: string; newMoney?: boolean; sameMoney?: boolean; replaces?: boolean }

/** What an operator can do about a line that needs review. */
export function addReviewCommands(line: Command, context: CliContext): void {
  line
    .command('correction <line>')
    .description('Say what a suspected correction is: a line with a known number and sender, and other facts.')
    .option(
      '--new-money',
      'another payment: it is matched like any other line; two people say so if the first was entered by hand or credited',
    )
    .option(
      '--same-money',
      'the first line stands; this one books nothing; two people say so if sender, code or payout differ',
    )
    .option('--replaces', 'this one stands; the first, which nobody was credited for, is taken out of the books')
    .option('--why <text>', 'of what another person approves: the reason, without personal data')
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne line correction 6920f1c2a4b8d0e6f1a2b3c4 --same-money --as ayse.yilmaz',
    )
    .action(async (lineId: string, options: CorrectionOptions, command: Command) => {
      const found = readCorrection(options)
      const asked = await withApp(context, (app) => correct(app, lineId, found, options))
      printAsked(command, asked, (decided) => {
        const next = decided.state === 'new' ? 'It goes to the matcher.' : 'It is dismissed and books nothing.'
        print(command, decided, `Line ${lineId}: ${found.replaceAll('_', ' ')}. ${next}`)
      })
    })
  line
    .command('retry [line]')
    .description('Hand a line that needs review to the matcher again, after what stood in its way was mended.')
    .option('--all', 'every line that could not be booked')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne line retry 6920f1c2a4b8d0e6f1a2b3c4 --as ayse.yilmaz')
    .action(async (lineId: string | undefined, options: { as?: string; all?: boolean }, command: Command) => {
      if ((lineId === undefined) !== (options.all === true)) throw new WrongUsage('Name a line, or say --all.')
      if (lineId === undefined) {
        const count = await withApp(context, (app) => retryAll(app, decider(app, options.as)))
        return print(command, { retried: count }, `${count} line(s) go to the matcher again.`)
      }
      const retried = await withApp(context, (app) => retryLine(app, decider(app, options.as), lineId))
      print(command, retried, `Line ${lineId} goes to the matcher again.`)
    })
}

type DismissOptions = { as: string; why: string; notPayout: string[] }

export function addDismissCommands(line: Command, context: CliContext): void {
  line
    .command('dismiss <line>')
    .description(
      'Say that the bank does not count this line, which needs review or is in suspense: it is taken out of the books. Two different people must say so.',
    )
    .requiredOption('--as <name>', 'who decides')
    .requiredOption('--why <text>', 'why, without personal data')
    .option(
      '--not-payout <transaction>',
      'a withdrawal that it names, whose debit it is not; again for each',
      collect,
      [],
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne line dismiss 6920f1c2a4b8d0e6f1a2b3c4 --why "shown twice, one booking at the bank" --as ayse.yilmaz',
    )
    .action(async (lineId: string, options: DismissOptions, command: Command) => {
      const { as, why, notPayout: notPayouts } = options
      const asked = await withApp(context, (app) =>
        askProposal(app, { as, why }, 'line.dismiss', { lineId, notPayouts }),
      )
      printAsked(command, asked, (dismissed) =>
        print(command, dismissed, `Line ${lineId} is dismissed: it is not in the books.`),
      )
    })
  line
    .command('restore <line>')
    .description(
      'Bring back a line that was replaced or dismissed by mistake. Another person than who replaced it must say so; of a dismissed one, two people.',
    )
    .option(...AS)
    .option('--why <text>', 'why, without personal data')
    .addHelpText('after', '\nExample:\n  $ npx vezne line restore 6920f1c2a4b8d0e6f1a2b3c4 --as mehmet.kaya')
    .action(async (lineId: string, options: { as?: string; why?: string }, command: Command) => {
      const { as, why } = options
      const asked = await withApp(context, (app) =>
        askProposal(app, { ...(as && { as }), ...(why && { why }) }, 'line.restore', { lineId }),
      )
      printAsked(command, asked, (restored) => print(command, restored, RESTORED[restored.state] ?? ''))
    })
}

const RESTORED: Partial<Record<string, string>> = {
  new: 'The line goes to the matcher again.',
  needs_review: 'The line is a suspected correction again. See: vezne line correction',
}

async function correct(
  app: CliApp,
  lineId: string,
  found: Correction,
  options: CorrectionOptions,
): Promise<ProposalOutcome<StoredLine>> {
  if (found !== 'replaces') return askProposal(app, options, `line.${found}`, { lineId })
  return { state: 'applied', result: await decideCorrection(app, decider(app, options.as), lineId, found) }
}

function readCorrection({ newMoney, sameMoney, replaces }: CorrectionOptions): Correction {
  const said: Correction[] = [
    ...(newMoney ? (['new_money'] as const) : []),
    ...(sameMoney ? (['same_money'] as const) : []),
    ...(replaces ? (['replaces'] as const) : []),
  ]
  const [only, ...more] = said
  if (only === undefined || more.length > 0)
    throw new WrongUsage('Say exactly one of --new-money, --same-money, --replaces.')
  return only
}
