import { noticeForTerminal, say } from '../../../acts/refusals/say.ts'
import { note } from '../../../kernel/refusals/note.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { Command } from 'commander'
import { Option } from 'commander'
import type { Batch, Unfitting } from '../../../domain/withdrawals/index.ts'
import {
  BATCH_STATES,
  cancelBatch,
  listBatches,
  listUnfitting,
  retryBatch,
  showBatch,
} from '../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { readAccountNames } from '../core/account-names.ts'
import type { CliContext } from '../core/context.ts'
import { wholeNumber, withApp } from '../core/context.ts'
import { AS, decider } from '../core/decider.ts'
import { print, table } from '../core/output.ts'

export function addBatchCommands(program: Command, context: CliContext): void {
  const batch = program.command('batch').description('Order batches: files of payouts for a bank.')
  addList(batch, context)
  addShow(batch, context)
  addReports(batch, context)
  batch
    .command('cancel <id>')
    .description('Take a batch back before the bank has fetched its file. Its payouts wait, and then leave in another.')
    .option(...AS)
    .requiredOption('--why <reason>', 'why it is cancelled')
    .option('--hold <minutes>', 'how long its payouts wait; meanwhile two people can end them', '60')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne batch cancel 6920f0aa17c3e5b2d4968f01 --as ayse.yilmaz --why "wrong account"',
    )
    .action(async (id: string, options: { as?: string; why: string; hold: string }, command: Command) => {
      const wish = { reason: options.why, holdMinutes: wholeNumber(options.hold, '--hold') }
      const cancelled = await withApp(context, (app) => cancelBatch(app, decider(app, options.as), id, wish))
      const until = cancelled.holdUntil?.toISOString()
      print(command, { batch: inWords(cancelled) }, [
        `${cancelled.fileName} was taken back before any tool moved it out of outbox/. If your tool sends files without moving them first, ask the bank whether it has it.`,
        `Its ${cancelled.orders} payout(s) leave in another batch after ${until}. To end one before: vezne withdrawal resolve ID --not-found EVIDENCE, by two people.`,
      ])
    })
  batch
    .command('retry <id>')
    .description('Take a batch that is held up to its next step now, for example after its folder was repaired.')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne batch retry 6920f0aa17c3e5b2d4968f01')
    .action(async (id: string, options: { as?: string }, command: Command) => {
      const moved = await withApp(context, (app) => retryBatch(app, decider(app, options.as), id))
      print(command, { batch: inWords(moved) }, `The batch is ${moved.state}.`)
    })
}

function addList(batch: Command, context: CliContext): void {
  batch
    .command('list')
    .description('The newest order batches, and what holds them up.')
    .addOption(new Option('--state <state>', 'only these').choices(BATCH_STATES))
    .option('--limit <n>', 'how many', '50')
    .addHelpText('after', '\nExample:\n  $ npx vezne batch list --state released')
    .action(async (options: { state?: string; limit: string }, command: Command) => {
      const limit = wholeNumber(options.limit, '--limit')
      const batches = await withApp(context, async (app) => {
        const accountOf = await readAccountNames(app)
        const found = await listBatches(app.db.pages, options.state, limit)
        return found.map((one) => ({ ...one, account: accountOf(one.sourceAccountId) }))
      })
      const head = ['batch', 'made', 'over', 'from', 'orders', 'amount', 'state', 'file', '']
      const rows = batches.map((one) => [
        ...[one.id, one.createdAt.toISOString(), one.connection, one.account, String(one.orders)],
        ...[formatMoney(one.amount, one.currency), one.state, one.fileName, one.problem ? say('en', one.problem) : ''],
      ])
      print(command, { batches: batches.map(inWords) }, table(head, rows))
    })
}

function addShow(batch: Command, context: CliContext): void {
  batch
    .command('show <id>')
    .description('A batch with its payouts, and what the bank reported about them.')
    .addHelpText('after', '\nExample:\n  $ npx vezne batch show 6920f0aa17c3e5b2d4968f01')
    .action(async (id: string, _options: object, command: Command) => {
      const shown = await withApp(context, ({ db }) => showBatch(db, id))
      const { batch: found, payouts, reports } = shown
      const rows = payouts.map((one) => [
        ...[String(one.number), one.withdrawalId, formatMoney(one.amount, one.currency), one.state],
        ...[one.reason ?? one.bankReference ?? '', one.cancelled ? 'cancelled' : ''],
      ])
      const told = reports.map(({ items, ...report }) => ({ ...report, items: items.map(itemInWords) }))
      print(command, { ...shown, batch: inWords(found), reports: told }, [
        ...describe(found),
        ...table(['', 'withdrawal', 'amount', 'payout', 'bank says', ''], rows),
        ...told.flatMap(({ receivedAt, name, items }) => [
          `report ${name}, received ${receivedAt.toISOString()}`,
          ...items.map(({ endToEndId, status, outcome, why }) =>
            ['  ', endToEndId, status ?? '-', outcome, why ?? ''].join(' ').trimEnd(),
          ),
        ]),
      ])
    })
}

function addReports(batch: Command, context: CliContext): void {
  batch
    .command('reports')
    .description(
      'The newest reports that name no batch, and orders in reports that are unknown or contradict a payout.',
    )
    .option('--limit <n>', 'how many', '50')
    .addHelpText('after', '\nExample:\n  $ npx vezne batch reports')
    .action(async (options: { limit: string }, command: Command) => {
      const limit = wholeNumber(options.limit, '--limit')
      const reports = await withApp(context, ({ db }) => listUnfitting(db.pages, new Date(0), limit))
      const rows = reports.map((one) => [
        ...[one.receivedAt.toISOString(), one.connection, one.name, subjectOf(one)],
        ...[`${one.status ?? ''} ${one.outcome ?? ''}`.trim(), one.why ? say('en', one.why) : whyUnfitting(one)],
      ])
      print(
        command,
        { reports: reports.map(itemInWords) },
        table(['received', 'over', 'file in done/', 'about', 'says', ''], rows),
      )
    })
}

/** As `--json` has it. */
const inWords = <One extends Batch>({ problem, ...batch }: One) => {
  return { ...batch, problem: problem && say('en', problem) }
}
const itemInWords = <One extends { why: Said | null }>({ why, ...item }: One) => {
  return { ...item, why: why && say('en', why) }
}

function subjectOf({ batchId, messageId, endToEndId }: Unfitting): string {
  return batchId === null ? `message ${messageId ?? 'without id'}` : `batch ${batchId}, order ${endToEndId}`
}

function problemLines(problem: Said, id: string): string[] {
  const [text, ...commands] = noticeForTerminal(problem)
  return [`problem: ${text}`, ...commands, `  vezne batch retry ${id}`]
}

const whyUnfitting = ({ batchId, endToEndId }: Unfitting) =>
  batchId === null
    ? say('en', note('report_of_no_file'))
    : `the payout had ended otherwise, and was not changed: vezne withdrawal show ${endToEndId}`

function describe(batch: Batch): string[] {
  const at = (what: string, time: Date | null) => (time ? [`${what} ${time.toISOString()}`] : [])
  return [
    `${batch.fileName} over ${batch.connection}: ${batch.state}`,
    `${batch.orders} order(s), ${formatMoney(batch.amount, batch.currency)}, ${batch.format}, sha256 ${batch.sha256}`,
    [
      ...at('made', batch.createdAt),
      ...at('in outbox/', batch.releasedAt),
      ...at(batch.state === 'released' ? 'put back after it was taken' : 'fetched', batch.fetchedAt),
      ...at(`cancelled by ${batch.cancelledBy} (${batch.cancelReason})`, batch.cancelledAt),
    ].join(', '),
    ...(batch.problem === null ? [] : problemLines(batch.problem, batch.id)),
  ]
}
