import type { Command } from 'commander'
import type { Outcome, Subject } from '../../../domain/erasures/index.ts'
import { eraseTransaction, findSubject, listErasures, transactionsOfCustomer } from '../../../domain/erasures/index.ts'
import { helpOf, refusalText } from '../../../acts/refusals/say.ts'
import { isReason, MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { AS, decider } from '../core/decider.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { merchantId, wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { print, table } from '../core/output.ts'

type Options = {
  merchant?: string
  customer?: string
  transaction?: string
  as?: string
  reason?: string
  despiteRetention?: boolean
  dryRun?: boolean
}

export function addEraseCommands(program: Command, context: CliContext): void {
  program
    .command('erase')
    .description(
      'Erase the personal data of a customer, or of one transaction. Amounts, ids, dates and the books stay.',
    )
    .option('--merchant <merchant>', 'whose customer')
    .option('--customer <id>', "the merchant's id for the customer: customer.id of deposits, userId of withdrawals")
    .option('--transaction <id>', 'only this transaction')
    .option(...AS)
    .option('--reason <text>', 'why, such as the number of the request; no personal data')
    .option('--despite-retention', 'also what must be kept by VEZNE_RETAIN_PERSONAL_DAYS')
    .option('--dry-run', 'only count what would be changed')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne erase --merchant demo --customer c-17 --as ayse.yilmaz --reason "request 2036/14" --dry-run',
    )
    .action(async (options: Options, command: Command) => {
      const outcomes = await withApp(context, (app) => erase(app, context, options))
      const refused = outcomes.filter(({ outcome }) => outcome === 'refused').length
      process.exitCode = refused > 0 ? 1 : 0
      print(
        command,
        { dryRun: options.dryRun ?? false, transactions: outcomes.map(transactionJson), rows: sumRows(outcomes) },
        [
          ...describe(outcomes),
          ...(refused > 0 ? ['', `${refused} refused: their personal data is still there.`] : []),
        ],
      )
    })
  addErasures(program, context)
}

function addErasures(program: Command, context: CliContext): void {
  program
    .command('erasures')
    .description('What was erased, by whom and why; newest first.')
    .option('--limit <count>', 'how many', '50')
    .addHelpText('after', '\nExample:\n  $ npx vezne erasures --json')
    .action(async ({ limit }: { limit: string }, command: Command) => {
      const count = wholeNumber(limit, '--limit')
      const erasures = await withApp(context, ({ db }) => listErasures(db, count))
      const rows = erasures.map((one) => [
        one.erasedAt.toISOString(),
        one.kind,
        one.transactionId,
        one.operator,
        `${one.reason}${one.despiteRetention ? ' (despite retention)' : ''}`,
        rowsInWords(one.rows),
      ])
      const json = erasures.map(({ kind, ...one }) => ({ type: kind, ...one }))
      print(command, { erasures: json }, table(['at', 'kind', 'transaction', 'by', 'why', 'rows'], rows))
    })
}

function transactionJson({ kind, id, merchantId: merchant, ...outcome }: Outcome) {
  const subject = { type: kind, transactionId: id, merchantId: merchant }
  if (outcome.outcome !== 'refused') return { ...subject, ...outcome }
  return { ...subject, outcome: outcome.outcome, why: refusalText('en', outcome.refused) }
}

async function erase(app: CliApp, context: CliContext, options: Options): Promise<Outcome[]> {
  const { dryRun = false, despiteRetention = false, reason = '' } = options
  if (!dryRun && !isReason(reason)) {
    throw new WrongUsage(`Say why: --reason TEXT, at least ${MIN_REASON_LENGTH} characters. To count only: --dry-run`)
  }
  const subjects = await subjectsOf(app, context, options)
  const askedFor = options.transaction === undefined ? ('customer' as const) : ('transaction' as const)
  const outcomes: Outcome[] = []
  // Each in its own transaction: after a crash the same command continues with the rest.
  for (const subject of subjects) {
    const terms = { askedFor, reason: dryRun ? 'dry run' : reason.trim(), despiteRetention, dryRun }
    outcomes.push(await eraseTransaction(app, decider(app, options.as), subject, terms))
  }
  return outcomes
}

async function subjectsOf(
  app: CliApp,
  context: CliContext,
  { merchant, customer, transaction }: Options,
): Promise<Subject[]> {
  if (transaction !== undefined && merchant === undefined && customer === undefined) {
    const found = await findSubject(app, transaction)
    if (!found) throw new Refusal('NOT_FOUND', `There is no transaction ${transaction}.`)
    return [found]
  }
  if (transaction !== undefined || merchant === undefined || customer === undefined)
    throw new WrongUsage('Give --merchant and --customer, or --transaction alone.')
  // Customers are searched by the words in their ids.
  if (/^[\s!-/:-@[-`{-~]*$/.test(customer))
    throw new WrongUsage('This customer id has no letter or digit to search for. Name its transactions: --transaction')
  return transactionsOfCustomer(app, merchantId(context, merchant), customer)
}

function sumRows(outcomes: Outcome[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const one of outcomes) {
    if (one.outcome === 'refused') continue
    for (const [name, count] of Object.entries(one.rows)) sum[name] = (sum[name] ?? 0) + count
  }
  return sum
}

function describe(outcomes: Outcome[]): string[] {
  if (outcomes.length === 0)
    return ['No transaction with this customer id: nothing to erase, or all of it was erased before.']
  const rows = outcomes.map((one) => [
    one.kind,
    one.id,
    one.outcome === 'refused' ? `refused: ${refusalText('en', one.refused)}` : one.outcome,
  ])
  const kept = new Set(outcomes.flatMap((one) => (one.outcome === 'refused' ? [] : one.kept)))
  return [
    ...table(['kind', 'transaction', 'outcome'], rows),
    ...helpAgainst(outcomes),
    '',
    `Rows: ${rowsInWords(sumRows(outcomes)) || 'none'}`,
    ...(kept.size > 0 ? ['', 'Kept until a person has decided about it; then run this again:', ...kept] : []),
  ]
}

/** Each command once, below the list: most are refused for the same reason. */
function helpAgainst(outcomes: Outcome[]): string[] {
  const said = outcomes.flatMap((one) => (one.outcome === 'refused' ? (one.refused.said ?? []) : []))
  return [...new Set(said.flatMap((one) => helpOf('cli', one)))].map((command) => `  ${command}`)
}

function rowsInWords(rows: Record<string, number>): string {
  return Object.entries(rows)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}
