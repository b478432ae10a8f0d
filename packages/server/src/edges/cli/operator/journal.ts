import type { Command } from 'commander'
import { Argument, Option } from 'commander'
import type { JournalEntry, JournalKind, Proposed, ProposalField, Terms } from '../../../domain/books/index.ts'
import { entriesBefore, JOURNAL_KINDS, previewEntry, PROPOSAL_FORMS, showEntry } from '../../../domain/books/index.ts'
import { makeProposal } from '../../../domain/proposals/index.ts'
import { readAccountNames } from '../core/account-names.ts'
import { collect } from '../core/collect.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { HASH_SHOWN } from './proposal.ts'
import { wholeKurus, wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { decider } from '../core/decider.ts'
import { print, table } from '../core/output.ts'
import { addReceivablesCommand, addRestsCommand } from './journal-receivables.ts'
import { describeEntry, headOf } from './journal-show.ts'

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
const SECOND = ['--second', 'ask another person, also where one may book it'] as const
const WHO = ['--as <name>', 'who decides'] as const
const WHY = ['--why <text>', 'why, without personal data'] as const

export function addJournalCommands(program: Command, context: CliContext): void {
  const journal = program
    .command('journal')
    .description('Journal entries: what people say about lines that are neither deposits nor payouts.')
  addProposeCommand(journal, context)
  addReverseCommand(journal, context)
  journal
    .command('list')
    .description('The newest entries.')
    .option('--limit <n>', 'how many', '50')
    .addHelpText('after', '\nExample:\n  $ npx vezne journal list')
    .action(async (options: { limit: string }, command: Command) => {
      const limit = wholeNumber(options.limit, '--limit')
      const entries = await withApp(context, ({ db }) => entriesBefore(db.pages, null, limit))
      const rows = entries.map((one) => [
        one.id,
        one.kind,
        one.proposedBy ?? 'no one',
        one.approvedBy ?? '–',
        one.reason,
      ])
      print(command, { entries }, table(['entry', 'kind', 'proposed by', 'approved by', 'why'], rows))
    })
  journal
    .command('show <entry>')
    .description('One entry: its bookings with the balances, its lines, and what became of deposits.')
    .addHelpText('after', '\nExample:\n  $ npx vezne journal show 6920f1c2a4b8d0e6f1a2b3c4')
    .action(async (id: string, _options: object, command: Command) => {
      const { shown, words } = await withApp(context, (app) => gather(app, id))
      print(command, shown, words)
    })
  addReceivablesCommand(journal, context)
  addRestsCommand(journal, context)
}

async function gather(app: CliApp, id: string) {
  const shown = await showEntry(app.db, id)
  return { shown, words: [...headOf(shown.entry), '', ...describeEntry(shown, await readAccountNames(app))] }
}

type Who = { why: string; as: string; second?: boolean }
type ProposeOptions = Who &
  Partial<
    Record<
      'deposit' | 'settles' | 'charge' | 'rest' | 'restOf' | 'iban' | 'name' | 'account' | 'amount' | 'day',
      string
    >
  > & {
    line: string[]
    part: string[]
    notPayout: string[]
    withdrawal: string[]
    to?: Terms['to']
    costs?: Terms['costsBy']
  }

function addProposeCommand(journal: Command, context: CliContext): void {
  journal
    .command('propose')
    .addArgument(new Argument('<kind>', 'what it is').choices(PROPOSABLE))
    .description(
      'Say what lines are, or correct a match. It is booked at once where one person may; else another person approves it.',
    )
    .option(...SECOND)
    .option('--line <line>', 'a line that it is about; again for each further one', collect, [])
    .option(
      '--deposit <transaction>',
      'unmatch, deposit_payment: the deposit; receivable: whose refunded payment the bank took back',
    )
    .option('--part <transaction=kurus>', 'deposit_payment: a deposit and its part; again for each', collect, [])
    .option('--rest <kurus>', 'what is left of a credit and stays in suspense')
    .option('--charge <kurus>', 'payout_debit: what the bank charged besides; payout_return: what it gives back')
    .option('--rest-of <entry>', 'refund_unexplained, receivable: the entry whose rest is used, instead of a line')
    .addOption(TO())
    .option(
      '--withdrawal <transaction>',
      'payout_return: what came back, again for each that came in one credit; payout_debit: what the lines are the debit of, again for each that one line pays; receivable, bank_charge: what the debit exceeds; receivable: what was paid after all; unmatch: whose return was booked by mistake',
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
    .addOption(new Option('--costs <who>', 'payout_return: who bears the rest').choices(['merchant', 'operator']))
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
  await proposeAndPrint(context, command, { kind, terms: readTerms(options) }, options)
}

/** Who proposes exactly what another person has proposed approves it. */
async function proposeAndPrint(
  context: CliContext,
  command: Command,
  proposed: Proposed,
  { as, why, second = false }: Who,
) {
  const { data, words } = await withApp(context, async (app) => {
    const asked = await makeProposal(app, decider(app, as), 'journal.entry', proposed, { reason: why, second })
    if (asked.state === 'applied') {
      const { words: shown } = await gather(app, asked.result.id)
      return { data: asked.result, words: [...shown, '', appliedWords(asked.result)] }
    }
    if (asked.state === 'unchanged') throw new Error('A journal entry changes something.')
    const preview = await previewEntry(app, app.db, proposed)
    const { id, seenSha256 } = asked.proposal
    const next = [
      'Nothing is booked yet. Another person compares it and approves it:',
      `  npx vezne proposal show ${id}`,
      `  npx vezne proposal approve ${id} --seen ${seenSha256.slice(0, HASH_SHOWN)} --as NAME`,
    ]
    return { data: asked.proposal, words: [...describeEntry(preview, await readAccountNames(app)), '', ...next] }
  })
  print(command, data, words)
}

const appliedWords = ({ id, proposedBy, approvedBy }: JournalEntry) =>
  approvedBy === null ? `Booked: entry ${id}.` : `${proposedBy} had proposed the same: it is posted.`

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

function addReverseCommand(journal: Command, context: CliContext): void {
  journal
    .command('reverse <entry>')
    .description(
      'Take a posted entry back by a new one: at once where one person may; else another person approves it.',
    )
    .option(...SECOND)
    .addOption(TO())
    .requiredOption(...WHY)
    .requiredOption(...WHO)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne journal reverse 6920f1c2a4b8d0e6f1a2b3c4 --why "not a charge" --as ayse.yilmaz',
    )
    .action(async (id: string, { to, ...who }: Pick<ProposeOptions, 'to'> & Who, command: Command) => {
      const terms = { lineIds: [], ...(to !== undefined && { to }) }
      await proposeAndPrint(context, command, { kind: 'reversal', terms, reverses: id }, who)
    })
}
