import type { Command } from 'commander'
import { Argument, Option } from 'commander'
import type { JournalEntry, JournalKind, JournalState, ProposalField, Terms } from '../../../domain/books/index.ts'
import {
  approveEntry,
  JOURNAL_KINDS,
  JOURNAL_STATES,
  listEntries,
  PROPOSAL_FORMS,
  proposeEntry,
  rejectEntry,
  showEntry,
  withdrawEntry,
} from '../../../domain/books/index.ts'
import { readAccountNames } from '../core/account-names.ts'
import { collect } from '../core/collect.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { wholeKurus, wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { decider } from '../core/decider.ts'
import { print, table } from '../core/output.ts'
import { addReceivablesCommand, addRestsCommand } from './journal-receivables.ts'
import { describeEntry } from './journal-show.ts'

const PROPOSABLE = JOURNAL_KINDS.filter((kind) => kind !== 'reversal')
/** Options of the fields whose names differ. */
const OPTION: Partial<Record<ProposalField, string>> = {
  lines: '--line',
  parts: '--part',
  restOf: '--rest-of',
  notPayout: '--not-payout',
}

/** What each kind needs, and may have in brackets; a kind about different money has several rows. */
function optionsByKind(): string {
  const option = (field: ProposalField) => OPTION[field] ?? `--${field}`
  const forms = PROPOSAL_FORMS.filter(({ kind }) => kind !== 'reversal')
  const rows = forms.map(({ kind, line, needs, takes }) => {
    const all = [...(line === null ? [] : ['--line']), ...needs.map(option), ...takes.map((one) => `[${option(one)}]`)]
    return `  ${kind.padEnd(20)}${all.join(' ')}`
  })
  return `\nOptions of each kind:\n${rows.join('\n')}\n`
}

const TO = () =>
  new Option('--to <status>', 'what a deposit becomes whose money is taken back').choices(['failed', 'processing'])
const WHO = ['--as <name>', 'who decides'] as const
const WHY = ['--why <text>', 'why, without personal data'] as const

export function addJournalCommands(program: Command, context: CliContext): void {
  const journal = program
    .command('journal')
    .description('Journal entries: what two people say about lines that are neither deposits nor payouts.')
  addProposeCommand(journal, context)
  addReverseCommand(journal, context)
  journal
    .command('list')
    .description('The newest entries.')
    .addOption(new Option('--state <state>', 'only entries in this state').choices(JOURNAL_STATES))
    .option('--limit <n>', 'how many', '50')
    .addHelpText('after', '\nExample:\n  $ npx vezne journal list --state proposed')
    .action(async (options: { state?: JournalState; limit: string }, command: Command) => {
      const limit = wholeNumber(options.limit, '--limit')
      const entries = await withApp(context, ({ db }) => listEntries(db.pages, options.state, limit))
      const rows = entries.map((one) => [one.id, one.kind, one.state, one.proposedBy, one.decidedBy ?? '', one.reason])
      print(command, { entries }, table(['entry', 'kind', 'state', 'proposed by', 'decided by', 'why'], rows))
    })
  journal
    .command('show <entry>')
    .description('One entry: its bookings with the balances before and after, its lines, and what becomes of deposits.')
    .addHelpText('after', '\nExample:\n  $ npx vezne journal show 6920f1c2a4b8d0e6f1a2b3c4')
    .action(async (id: string, _options: object, command: Command) => {
      const { shown, words } = await withApp(context, (app) => gather(app, id))
      print(command, shown, words)
    })
  addReceivablesCommand(journal, context)
  addRestsCommand(journal, context)
  addDecideCommands(journal, context)
}

async function gather(app: CliApp, id: string) {
  const shown = await showEntry(app.db, id)
  return { shown, words: describeEntry(shown, await readAccountNames(app)) }
}

type ProposeOptions = Partial<
  Record<'deposit' | 'settles' | 'charge' | 'rest' | 'restOf' | 'iban' | 'name' | 'account' | 'amount' | 'day', string>
> & {
  line: string[]
  part: string[]
  notPayout: string[]
  withdrawal: string[]
  to?: Terms['to']
  costs?: Terms['costsBy']
  why: string
  as: string
}

function addProposeCommand(journal: Command, context: CliContext): void {
  journal
    .command('propose')
    .addArgument(new Argument('<kind>', 'what it is').choices(PROPOSABLE))
    .description('Say what lines are, or correct a match. Nothing is booked until another person approves it.')
    .option('--line <line>', 'a line that it is about; again for each further one', collect, [])
    .option(
      '--deposit <transaction>',
      'unmatch, reassign: the deposit; receivable: whose refunded payment the bank took back',
    )
    .option('--part <transaction=kurus>', 'split: a deposit and its part; again for each', collect, [])
    .option('--rest <kurus>', 'split, payout_return, receivable: what is left of the line and stays in suspense')
    .option('--charge <kurus>', 'payout_debit: what the bank charged besides; payout_return: what it gives back')
    .option('--rest-of <entry>', 'refund_unexplained, receivable: the entry whose rest is used, instead of a line')
    .addOption(TO())
    .option(
      '--withdrawal <transaction>',
      'return_with_costs, payout_return: what came back, again for each that came in one credit; payout_debit: what the lines are the debit of, again for each that one line pays; receivable, bank_charge: what the debit exceeds; receivable: what was paid after all; unmatch: whose return was booked by mistake',
      collect,
      [],
    )
    .option(
      '--not-payout <transaction>',
      'a debit: the withdrawal whose payout it is not; refund_unexplained: whose return it is not; again for each',
      collect,
      [],
    )
    .option(
      '--settles <entry>',
      'receivable, payout_return: which one the credit gives back, or which charge of a merchant; bank_charge: which one will not come back',
    )
    .addOption(new Option('--costs <who>', 'return_with_costs: who bears them').choices(['merchant', 'operator']))
    .option('--iban <iban>', 'refund_unexplained: where to, if the line does not show it')
    .option('--name <name>', 'refund_unexplained: to whom, if the line does not show it')
    .option('--account <account>', 'opening_balance: the collecting account, by id or IBAN')
    .option('--amount <kurus>', 'opening_balance: how much')
    .option('--day <day>', 'opening_balance: of which day, like 2026-01-31')
    .requiredOption(...WHY)
    .requiredOption(...WHO)
    .addHelpText('after', optionsByKind())
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne journal propose bank_charge --line 6920f1c2a4b8d0e6f1a2b3c4 --why "EFT ücreti" --as ayse.yilmaz',
    )
    .action((kind: JournalKind, options: ProposeOptions, command: Command) => propose(context, kind, options, command))
}

async function propose(context: CliContext, kind: JournalKind, options: ProposeOptions, command: Command) {
  if (options.withdrawal.length > 1 && kind !== 'payout_debit' && kind !== 'payout_return')
    throw new WrongUsage('Several --withdrawal are for payout_debit and payout_return only.')
  const proposal = { kind, terms: readTerms(options), reason: options.why }
  const { shown, words } = await withApp(context, async (app) => {
    return gather(app, (await proposeEntry(app, decider(app, options.as), proposal)).id)
  })
  print(command, shown, [...words, '', next(shown.entry)])
}

function readTerms({
  line,
  part,
  notPayout,
  deposit,
  withdrawal: [withdrawal, ...others],
  settles,
  charge,
  rest,
  restOf,
  costs,
  account,
  amount,
  to,
  iban,
  name,
  day,
}: ProposeOptions): Terms {
  return {
    lineIds: line,
    ...(deposit !== undefined && { depositId: deposit }),
    ...(part.length > 0 && { parts: part.map(readPart) }),
    ...(notPayout.length > 0 && { notPayouts: notPayout }),
    ...(to !== undefined && { to }),
    ...(withdrawal !== undefined && others.length === 0 && { withdrawalId: withdrawal }),
    ...(withdrawal !== undefined && others.length > 0 && { withdrawalIds: [withdrawal, ...others] }),
    ...(settles !== undefined && { settles }),
    ...(charge !== undefined && { charge: { amount: BigInt(wholeKurus(charge, '--charge')) } }),
    ...(rest !== undefined && { rest: { amount: BigInt(wholeKurus(rest, '--rest')) } }),
    ...(restOf !== undefined && { restOf }),
    ...(costs !== undefined && { costsBy: costs }),
    ...(iban !== undefined && { iban }),
    ...(name !== undefined && { name }),
    ...(account !== undefined && { accountId: account }),
    ...(amount !== undefined && { amount: BigInt(wholeKurus(amount, '--amount')) }),
    ...(day !== undefined && { day }),
  }
}

function readPart(text: string) {
  const [depositId = '', amount] = text.split('=')
  if (amount === undefined) throw new WrongUsage(`--part ${text} must be like 6920f0aa17c3e5b2d4968f01=125000.`)
  return { depositId, amount: BigInt(wholeKurus(amount, '--part')) }
}

const next = ({ id }: Pick<JournalEntry, 'id'>) =>
  `Nothing is booked yet. Another person: npx vezne journal approve ${id} --as NAME`

function addReverseCommand(journal: Command, context: CliContext): void {
  journal
    .command('reverse <entry>')
    .description('Propose to take a posted entry back: a new entry, which another person must approve.')
    .addOption(TO())
    .requiredOption(...WHY)
    .requiredOption(...WHO)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne journal reverse 6920f1c2a4b8d0e6f1a2b3c4 --why "not a charge" --as ayse.yilmaz',
    )
    .action(async (id: string, { to, why, as }: Pick<ProposeOptions, 'to' | 'why' | 'as'>, command: Command) => {
      const terms = { lineIds: [], ...(to !== undefined && { to }) }
      const proposal = { kind: 'reversal' as const, terms, reason: why, reverses: id }
      const { shown, words } = await withApp(context, async (app) =>
        gather(app, (await proposeEntry(app, decider(app, as), proposal)).id),
      )
      print(command, shown, [...words, '', next(shown.entry)])
    })
}

function addDecideCommands(journal: Command, context: CliContext): void {
  journal
    .command('approve <entry>')
    .description('Approve what another person has proposed, as `journal show` tells it. It is booked at once.')
    .requiredOption(...WHO)
    .addHelpText('after', '\nExample:\n  $ npx vezne journal approve 6920f1c2a4b8d0e6f1a2b3c4 --as mehmet.kaya')
    .action(async (id: string, options: { as: string }, command: Command) => {
      const entry = await withApp(context, (app) => approveEntry(app, decider(app, options.as), id))
      print(
        command,
        entry,
        `${entry.kind} ${id} is posted: ${entry.proposedBy} proposed it, ${entry.decidedBy} approved it.`,
      )
    })
  journal
    .command('reject <entry>')
    .description('Reject a proposal: it is kept and books nothing.')
    .requiredOption(...WHY)
    .requiredOption(...WHO)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne journal reject 6920f1c2a4b8d0e6f1a2b3c4 --why "it is rent" --as mehmet.kaya',
    )
    .action(async (id: string, { why, as }: { why: string; as: string }, command: Command) => {
      const entry = await withApp(context, (app) => rejectEntry(app, decider(app, as), id, why))
      print(command, entry, `${entry.kind} ${id} is rejected. Its lines are as they were.`)
    })
  journal
    .command('withdraw <entry>')
    .description('Take your own proposal back: it is kept and books nothing.')
    .requiredOption(...WHY)
    .requiredOption(...WHO)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne journal withdraw 6920f1c2a4b8d0e6f1a2b3c4 --why "wrong line" --as ayse.yilmaz',
    )
    .action(async (id: string, { why, as }: { why: string; as: string }, command: Command) => {
      const entry = await withApp(context, (app) => withdrawEntry(app, decider(app, as), id, why))
      print(command, entry, `${entry.kind} ${id} is taken back. Its lines are as they were.`)
    })
}
