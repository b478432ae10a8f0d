import type { Command } from 'commander'
import { makeProposal } from '../../../domain/proposals/index.ts'
import type { Outcome, Subject, Wish } from '../../../domain/erasures/index.ts'
import { eraseTransaction, findSubject, listErasures, transactionsOfCustomer } from '../../../domain/erasures/index.ts'
import { helpOf, noticeForTerminal, refusalText, say } from '../../../acts/refusals/say.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { isReason, MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import { isProofNeeded } from '../../../domain/people/index.ts'
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
      const left = leftOver(outcomes)
      process.exitCode = left.length > 0 ? 1 : 0
      print(
        command,
        { dryRun: options.dryRun ?? false, transactions: outcomes.map(transactionJson), rows: sumRows(outcomes) },
        [...describe(outcomes), ...(left.length > 0 ? ['', ...left] : [])],
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

/** Of one transaction. `change`: the proposal, which another person approves. */
export type Reported =
  | Outcome
  | (Subject & ({ outcome: 'refused'; refused: Refusal } | { outcome: 'proposed'; change: string }))

const isDone = (one: Reported): one is Outcome => one.outcome !== 'refused' && one.outcome !== 'proposed'

function leftOver(outcomes: Reported[]): string[] {
  const count = (wanted: Reported['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted).length
  const [refused, proposed] = [count('refused'), count('proposed')]
  return [
    ...(refused > 0 ? [`${refused} refused: their personal data is still there.`] : []),
    ...(proposed > 0 ? [`${proposed} wait until another person runs the same command, within seven days.`] : []),
  ]
}

function transactionJson({ kind, id, merchantId: merchant, ...outcome }: Reported) {
  const subject = { type: kind, transactionId: id, merchantId: merchant }
  if ('kept' in outcome) return { ...subject, ...outcome, kept: outcome.kept.map((one) => say('en', one)) }
  if (outcome.outcome !== 'refused') return { ...subject, ...outcome }
  return { ...subject, outcome: outcome.outcome, why: refusalText('en', outcome.refused) }
}

async function erase(app: CliApp, context: CliContext, options: Options): Promise<Reported[]> {
  const { dryRun = false, despiteRetention = false, reason = '' } = options
  if (!dryRun && !isReason(reason)) {
    throw new WrongUsage(`Say why: --reason TEXT, at least ${MIN_REASON_LENGTH} characters. To count only: --dry-run`)
  }
  const subjects = await subjectsOf(app, context, options)
  const askedFor = options.transaction === undefined ? ('customer' as const) : ('transaction' as const)
  const wish = { askedFor, reason: dryRun ? 'dry run' : reason.trim(), despiteRetention, dryRun }
  const outcomes: Reported[] = []
  // Each in its own transaction: after a crash the same command continues with the rest.
  for (const subject of subjects) outcomes.push(await eraseOne(app, decider(app, options.as), subject, wish))
  return outcomes
}

async function eraseOne(
  app: CliApp,
  actor: Actor,
  subject: Subject,
  { dryRun, ...wish }: Wish & { dryRun: boolean },
): Promise<Reported> {
  try {
    // It decides nothing, so no one approves it.
    if (dryRun) return await eraseTransaction(app, actor, subject, { ...wish, dryRun })
    const asked = await makeProposal(app, actor, 'transaction.erase', { ...subject, ...wish }, { atOnce: true })
    if (asked.state === 'open') return { ...subject, outcome: 'proposed', change: asked.proposal.id }
    return asked.state === 'applied' ? asked.result : { ...subject, outcome: 'nothing left', rows: {}, kept: [] }
  } catch (error) {
    // Any other refusal, such as an unreachable database, is not about this transaction.
    if (!(error instanceof Refusal) || error.code !== 'INVALID_STATE' || isProofNeeded(error)) throw error
    return { ...subject, outcome: 'refused', refused: error }
  }
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

function sumRows(outcomes: Reported[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const { rows } of outcomes.filter(isDone))
    for (const [name, count] of Object.entries(rows)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

function describe(outcomes: Reported[]): string[] {
  if (outcomes.length === 0)
    return ['No transaction with this customer id: nothing to erase, or all of it was erased before.']
  const rows = outcomes.map((one) => [one.kind, one.id, inWords(one)])
  const kept = new Set<string>(outcomes.filter(isDone).flatMap((one) => one.kept.flatMap(noticeForTerminal)))
  return [
    ...table(['kind', 'transaction', 'outcome'], rows),
    ...helpAgainst(outcomes),
    '',
    `Rows: ${rowsInWords(sumRows(outcomes)) || 'none'}`,
    ...(kept.size > 0 ? ['', 'Kept until a person has decided about it; then run this again:', ...kept] : []),
  ]
}

function inWords(one: Reported): string {
  if (one.outcome === 'refused') return `refused: ${refusalText('en', one.refused)}`
  return one.outcome === 'proposed' ? `proposed as ${one.change}` : one.outcome
}

/** Each command once, below the list: most are refused for the same reason. */
function helpAgainst(outcomes: Reported[]): string[] {
  const said = outcomes.flatMap((one) => (one.outcome === 'refused' ? (one.refused.said ?? []) : []))
  return [...new Set(said.flatMap((one) => helpOf('cli', one)))].map((command) => `  ${command}`)
}

function rowsInWords(rows: Record<string, number>): string {
  return Object.entries(rows)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}
