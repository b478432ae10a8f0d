import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import type { ReturnOutcome } from '../../../domain/matching/index.ts'
import { decisionsOf, suspendByHand, debitByHand, returnByHand } from '../../../domain/matching/index.ts'
import { entriesAbout, findCandidates } from '../../../domain/books/index.ts'
import type { StoredLine, UnconfirmedLine } from '../../../domain/statements/index.ts'
import { findLine, LINE_STATES, listLines, rereadSource, selectUnconfirmed } from '../../../domain/statements/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { say } from '../../../acts/refusals/say.ts'
import type { Said } from '../../../platform/refusal.ts'
import { readAccountNames } from '../core/account-names.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { AS, decider, WHY } from '../core/decider.ts'
import { depositJson } from '../core/api-names.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { wholeKurus, wholeNumber, withApp } from '../core/context.ts'
import { addDismissCommands, addReviewCommands } from './line-review.ts'
import { addCandidatesCommand, candidatesTable } from './line-candidates.ts'
import { addEnterCommand } from './line-enter.ts'
import { inWords } from './next-step.ts'
import { addUnreadCommand } from './line-unread.ts'
import { facts, print, table } from '../core/output.ts'

export function addLineCommands(program: Command, context: CliContext): void {
  const line = program.command('line').description('Bank lines: what arrived, where it went and why.')
  line
    .command('list')
    .description('The newest lines with the decision about each.')
    .addOption(new Option('--state <state>', 'only lines in this state').choices(LINE_STATES).argParser(readState))
    .option('--limit <n>', 'how many', '50')
    .addHelpText('after', '\nExample:\n  $ npx vezne line list --state suspense')
    .action(async (options: { state?: string; limit: string }, command: Command) => {
      const lines = await withApp(context, async (app) => {
        const { db } = app
        const found = await listLines(db.pages, options.state, wholeNumber(options.limit, '--limit'))
        const decisions = Map.groupBy(
          await decisionsOf(
            db,
            found.map(({ id }) => id),
          ),
          ({ lineId }) => lineId,
        )
        const accountOf = await readAccountNames(app)
        return found.map((one) => {
          const account = accountOf(one.collectingAccountId)
          return { ...one, account, decisions: decisions.get(one.id) ?? [] }
        })
      })
      print(command, { lines }, linesTable(lines))
    })
  line
    .command('show <line>')
    .description('One line: what the bank wrote, the decisions about it, and the line that it may correct.')
    .addHelpText('after', '\nExample:\n  $ npx vezne line show 6920f1c2a4b8d0e6f1a2b3c4')
    .action(async (id: string, _options: object, command: Command) => {
      const shown = await withApp(context, (app) => gather(app, id))
      print(command, shown, describe(shown))
    })
  addDecisionCommands(line, context)
  addReviewCommands(line, context)
  addDismissCommands(line, context)
  addReturnCommand(line, context)
  addCandidatesCommand(line, context)
  addSentCommand(line, context)
  addUnreadCommand(line, context)
  addEnterCommand(line, context)
  addRereadCommand(line, context)
}

function readState(word: string): string {
  if (!LINE_STATES.some((state) => state === word))
    throw new InvalidArgumentError(`Allowed choices are ${LINE_STATES.join(', ')}.`)
  return word
}

type MatchOptions = { as?: string; why?: string; received?: string }

function addDecisionCommands(line: Command, context: CliContext): void {
  line
    .command('match <line> <transaction>')
    .description('Say that this money is for that deposit. It is credited with everything held for the deposit.')
    .option(...AS)
    .option(...WHY)
    .option('--received <kurus>', 'what the deposit is completed with, if it asks for another amount')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne line match 6920f1c2a4b8d0e6f1a2b3c4 6920f0aa17c3e5b2d4968f01 --as ayse.yilmaz',
    )
    .action(async (lineId: string, depositId: string, options: MatchOptions, command: Command) => {
      const received = options.received === undefined ? null : BigInt(wholeKurus(options.received, '--received'))
      const { asked, json, isConfirmed } = await withApp(context, async (app) => {
        const answer = await askProposal(app, options, 'line.match', { lineId, depositId, received })
        const json = answer.state === 'applied' ? await depositJson(app, answer.result) : {}
        return { asked: answer, json, isConfirmed: (await selectUnconfirmed(app.db, [lineId])).length === 0 }
      })
      printAsked(command, asked, (deposit) => {
        const credited = formatMoney(deposit.receivedAmount, deposit.currency)
        const unless = isConfirmed ? '' : ' No final statement contains the line yet: its money cannot leave.'
        print(command, json, `Deposit ${deposit.id} is ${deposit.status}: ${credited} received.${unless}`)
      })
    })
  line
    .command('suspend <line>')
    .description("Say that this money is nobody's for now. A deposit in review because of it alone has then failed.")
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne line suspend 6920f1c2a4b8d0e6f1a2b3c4 --as ayse.yilmaz')
    .action(async (lineId: string, options: { as?: string }, command: Command) => {
      const suspended = await withApp(context, (app) => suspendByHand(app, decider(app, options.as), lineId))
      print(command, suspended, `${formatMoney(suspended.amount, suspended.currency)} is in suspense.`)
    })
}

const OUTCOME: Record<ReturnOutcome, string> = {
  credited: 'The payout came back: its merchant has the money.',
  reopened: 'The refund came back: the money that it had sent to its sender is in suspense again.',
  noted: 'The payout was booked as returned before; this is its line.',
  cancelled: 'The bank had refused the payout: its debit and this line cancel each other.',
}

function addReturnCommand(line: Command, context: CliContext): void {
  line
    .command('return <line>')
    .description('Say that this money is the return of a payout. It must equal the payout.')
    .requiredOption('--withdrawal <transaction>', 'the withdrawal that was paid out')
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne line return 6920f1c2a4b8d0e6f1a2b3c4 --withdrawal 6920f0aa17c3e5b2d4968f01 --as ayse.yilmaz',
    )
    .action(async (lineId: string, options: { withdrawal: string; as?: string }, command: Command) => {
      const outcome = await withApp(context, (app) =>
        returnByHand(app, decider(app, options.as), lineId, options.withdrawal),
      )
      print(command, { lineId, withdrawalId: options.withdrawal, outcome }, OUTCOME[outcome])
    })
}

function addSentCommand(line: Command, context: CliContext): void {
  line
    .command('sent <line>')
    .description(
      'Say that this debit, which needs review, is that of a completed payout, although its text does not show it.',
    )
    .requiredOption('--withdrawal <transaction>', 'the withdrawal that was paid out')
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne line sent 6920f1c2a4b8d0e6f1a2b3c4 --withdrawal 6920f0aa17c3e5b2d4968f01 --as ayse.yilmaz',
    )
    .action(async (lineId: string, options: { withdrawal: string; as?: string }, command: Command) => {
      await withApp(context, (app) => debitByHand(app, decider(app, options.as), lineId, options.withdrawal))
      print(command, { lineId, withdrawalId: options.withdrawal }, 'The payout has its debit.')
    })
}

function addRereadCommand(line: Command, context: CliContext): void {
  line
    .command('reread <source>')
    .description('Read a statement again from the beginning, when the bank no longer knows our cursor.')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne line reread bank-api:bank.example')
    .action(async (source: string, options: { as?: string }, command: Command) => {
      await withApp(context, (app) => rereadSource(app, decider(app, options.as), source))
      print(command, { source }, `${source} is read from the beginning. Lines that are known change nothing.`)
    })
}

async function gather(app: CliApp, id: string) {
  const { db } = app
  const line = await findLine(db, id)
  if (!line) throw refuse('line_unknown', { line: id })
  const corrects = line.correctsLineId === null ? null : ((await findLine(db, line.correctsLineId)) ?? null)
  const account = (await readAccountNames(app))(line.collectingAccountId)
  const journal = await entriesAbout(db, id)
  const isOpen = line.state === 'suspense' || line.state === 'needs_review'
  const candidates = isOpen ? (await findCandidates(app, line)).map(inWords) : []
  const [unconfirmed] = await selectUnconfirmed(db, [id])
  const decisions = await decisionsOf(db, [id])
  return { ...line, confirmed: confirmation(line, unconfirmed), account, corrects, journal, candidates, decisions }
}

/** Whether a final statement contains it, and else what would. */
function confirmation(line: StoredLine, unconfirmed: UnconfirmedLine | undefined): string {
  const { day } = istanbul(line.bookedAt)
  if (line.state === 'dismissed' && line.confirmedBy === null) return 'no'
  if (!unconfirmed) return line.confirmedBy?.length === 24 ? `yes, by file ${line.confirmedBy}` : 'yes'
  const origin = unconfirmed.entered ? 'entered by hand' : 'from a report during the day'
  const lacks = unconfirmed.lackedBy === null ? `import the statement of ${day}` : `file ${unconfirmed.lackedBy} of ${day} does not contain it: ask the bank` // prettier-ignore
  return `no: ${origin}; ${lacks}. Its money cannot leave`
}

function describe({
  account,
  confirmed,
  corrects,
  journal,
  candidates,
  decisions,
  ...line
}: Awaited<ReturnType<typeof gather>>): string[] {
  const written = (one: StoredLine, name: string): [string, string][] => [
    [name, `${one.id}, ${one.state}${one.reason === null ? '' : ` (${one.reason})`}`],
    ['  amount', `${lineMoney(one)} (${one.direction})`],
    ['  dates', `value ${one.valueDate}, booked ${one.bookedAt.toISOString()}`],
    ['  number', one.bankReference ?? 'none'],
    [one.direction === 'debit' ? '  recipient' : '  sender', `${one.senderName} ${one.senderIban ?? ''}`.trim()],
    ['  text', one.narrative],
    ['  source', `${one.source}, read ${one.createdAt.toISOString()}`],
  ]
  const where: [string, string][] = [
    ['account', account],
    ['confirmed', confirmed],
  ]
  const entries = journal.map(({ id, kind }) => `journal entry ${id}: ${kind}`)
  const all = [...written(line, 'line'), ...where, ...(corrects ? written(corrects, 'repeats') : [])]
  const offered = candidates.length > 0 ? ['', ...candidatesTable(candidates, line)] : []
  return [...facts(all), '', ...decisions.map(decisionText), ...entries, ...offered]
}

/** Who decided what about a line, and why. */
export function decisionText({ decidedBy, verdict, why, reasons }: Awaited<ReturnType<typeof decisionsOf>>[number]) {
  const texts = (reasons as { field: string; verdict: string; said?: Said }[]).map(
    (one) => `${one.field}: ${one.said ? say('en', one.said) : one.verdict}`,
  )
  return [`${decidedBy}: ${verdict} (${why})`, ...texts].join('; ')
}

/** Outgoing money has a minus sign. */
export function lineMoney({
  direction,
  amount,
  currency,
}: Pick<StoredLine, 'direction' | 'amount' | 'currency'>): string {
  return formatMoney(direction === 'debit' ? -amount : amount, currency)
}

/** With the column *account* if the lines have it. */
export function linesTable(lines: (StoredLine & { account?: string })[]): string[] {
  const named = lines.some(({ account }) => account !== undefined)
  const rows = lines.map((line) => [
    line.id,
    ...(named ? [line.account ?? ''] : []),
    lineMoney(line),
    line.senderName.slice(0, 24),
    line.narrative.slice(0, 32),
    line.state,
    line.reason ?? '',
    transactionOf(line),
  ])
  return table(
    ['line', ...(named ? ['account'] : []), 'amount', 'counterparty', 'text', 'state', 'why', 'transaction'],
    rows,
  )
}

/** The deposit, withdrawal or journal entry. A question mark marks a payout that the line's text names but that does not match the line. */
function transactionOf({ depositId, withdrawalId, journalId, candidateWithdrawalId }: StoredLine): string {
  return depositId ?? withdrawalId ?? journalId ?? (candidateWithdrawalId === null ? '' : `${candidateWithdrawalId}?`)
}
