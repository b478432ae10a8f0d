import type { Command } from 'commander'
import { Option } from 'commander'
import {
  bankHasOrder,
  decideDoubt,
  decideEnded,
  readPayoutBlocks,
  recordSentByHand,
  releaseTake,
  takesOf,
  takeToSend,
  withdrawOpinion,
  callsOf,
  findWithdrawalById,
  listByState,
  rejectWithdrawal,
  WITHDRAWAL_STATES,
  stopWithdrawal,
  waitsFor,
} from '../../../domain/withdrawals/index.ts'
import { makeProposal } from '../../../domain/proposals/index.ts'
import type { Withdrawal, WithdrawalState } from '../../../domain/withdrawals/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { MIN_REASON_LENGTH } from '../../../kernel/reason.ts'
import { withdrawalJson } from '../core/api-names.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { decider, findReader } from '../core/decider.ts'
import { withApp, WrongUsage } from '../core/context.ts'
import { print, table } from '../core/output.ts'
import { describe, DIFFER, gather, inWords, sayLine, statedWords, THIRD } from './withdrawal-facts.ts'

const PENDING =
  'Careful: the bank said pending, so it has the order and may still send it. Not found is right only if the bank has cancelled it.'

type Resolution = {
  as: string
  found?: string
  notFound?: string
  neverPaid?: string
  paidWithoutDebit?: string
  takeBack?: string
  unproven?: boolean
  notLine?: string[]
}

export function addWithdrawalCommands(program: Command, context: CliContext): void {
  const withdrawal = program
    .command('withdrawal')
    .description('Withdrawals: look, approve, stop, and settle what is in doubt.')
  withdrawal
    .command('show <transaction>')
    .description('One withdrawal: state, approvals, and every word exchanged with the bank.')
    .option('--as <name>', 'in a sandbox: who looks; in live the person who is logged in')
    .addHelpText('after', '\nExample:\n  $ npx vezne withdrawal show 6920f0aa17c3e5b2d4968f01')
    .action(async (id: string, { as }: { as?: string }, command: Command) => {
      const { json, shown } = await withApp(context, async (app) => {
        const found = await gather(app, id, await findReader(app, context.readConfig(), as))
        return {
          json: { ...found, ...inWords(found), withdrawal: withdrawalJson(app, found.withdrawal) },
          shown: found,
        }
      })
      print(command, json, describe(shown))
    })
  withdrawal
    .command('list')
    .description('Withdrawals in a state, oldest first.')
    .addOption(new Option('--state <state>', 'only these').choices(WITHDRAWAL_STATES).default('awaiting_approval'))
    .addHelpText('after', '\nExample:\n  $ npx vezne withdrawal list --state unknown')
    .action(async (options: { state: WithdrawalState }, command: Command) => {
      const { found, withdrawals } = await withApp(context, async (app) => {
        const heldBy = await readPayoutBlocks(app.db)
        const staged = (await listByState(app.db.pages, options.state, 100)).map((one) => {
          return { ...one, stateReason: waitsFor(one, heldBy(one.merchantId)) }
        })
        return { found: staged, withdrawals: staged.map((one) => withdrawalJson(app, one)) }
      })
      const rows = found.map(({ id, amount, currency, iban, stateReason, firstTimeIban }) => [
        id,
        formatMoney(amount, currency),
        iban,
        stateReason ?? '',
        firstTimeIban ? 'first time' : '',
      ])
      const others = WITHDRAWAL_STATES.filter((state) => state !== options.state).join(', ')
      const none = `No withdrawals in the state ${options.state}. Other states: --state ${others}`
      const header = ['withdrawal', 'amount', 'IBAN', 'why', '']
      print(command, { withdrawals }, rows.length > 0 ? table(header, rows) : none)
    })
  addDecisions(withdrawal, context)
  addStop(withdrawal, context)
  addResolutions(withdrawal, context)
}

type Approval = { seen: string; as: string; note?: string }

function addDecisions(withdrawal: Command, context: CliContext): void {
  const example = (rest: string) => `\nExample:\n  $ npx vezne withdrawal ${rest}`
  withdrawal
    .command('approve <transaction>')
    .description('Approve exactly what `withdrawal show` showed; two different people are needed.')
    .requiredOption('--seen <hash>', 'the hash that `withdrawal show` prints')
    .requiredOption('--as <name>', 'who decides')
    .option('--note <text>', 'why')
    .addHelpText('after', example('approve 6920f0aa17c3e5b2d4968f01 --seen 3f9a12c40b7e51d2 --as ayse.yilmaz'))
    .action((id: string, { seen, as, note }: Approval, command: Command) =>
      decideAndPrint(context, command, async (app) => {
        const terms = { withdrawalId: id, seen }
        const asked = await makeProposal(app, decider(app, as), 'withdrawal.approve', terms, { reason: note })
        return asked.state === 'applied' ? asked.result : ((await findWithdrawalById(app.db, id)) as Withdrawal)
      }),
    )
  withdrawal
    .command('reject <transaction>')
    .description('Reject: the money goes back to the merchant.')
    .requiredOption('--as <name>', 'who decides')
    .requiredOption('--note <text>', `why, in ${MIN_REASON_LENGTH} characters or more`)
    .addHelpText('after', example('reject 6920f0aa17c3e5b2d4968f01 --as ayse.yilmaz --note "wrong account"'))
    .action((id: string, { as, note }: { as: string; note: string }, command: Command) =>
      decideAndPrint(context, command, (app) => rejectWithdrawal(app, decider(app, as), id, note)),
    )
}

async function decideAndPrint(
  context: CliContext,
  command: Command,
  decide: (app: CliApp) => Promise<Withdrawal>,
): Promise<void> {
  const { state, json } = await withApp(context, async (app) => {
    const after = await decide(app)
    return { state: after.state, json: withdrawalJson(app, after) }
  })
  print(command, json, state === 'awaiting_approval' ? 'A second person is needed.' : `The withdrawal is ${state}.`)
}

function addStop(withdrawal: Command, context: CliContext): void {
  withdrawal
    .command('stop <transaction>')
    .description(
      'Stop a withdrawal that is queued or scheduled: it has failed, and the money goes back to the merchant.',
    )
    .requiredOption('--as <name>', 'who decides')
    .requiredOption('--why <text>', 'why')
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne withdrawal stop 6920f0aa17c3e5b2d4968f01 --as ayse.yilmaz --why "asked for by the merchant"',
    )
    .action(async (id: string, { as, why }: { as: string; why: string }, command: Command) => {
      const stopped = await withApp(context, async (app) => {
        return withdrawalJson(app, await stopWithdrawal(app, decider(app, as), id, why))
      })
      print(command, stopped, 'Stopped: the withdrawal has failed and the money is back with the merchant.')
    })
}

function addResolutions(withdrawal: Command, context: CliContext): void {
  withdrawal
    .command('resolve <transaction>')
    .description(
      'End a payout that has no end: found at the bank, or not; or a completed one that no debit shows. Two different people must say the same. Nothing is sent again.',
    )
    .requiredOption('--as <name>', 'who decides')
    .option('--found <reference>', "the bank's reference of the transfer")
    .option('--not-found <evidence>', 'what shows that it was never sent, such as the statement looked at')
    .option('--never-paid <evidence>', 'the bank accepted it, and its money never left: the merchant gets it back')
    .option('--paid-without-debit <evidence>', 'it was paid, and the bank shows no debit of its own')
    .option('--take-back <why>', 'take back what you said, as long as nothing was decided by it')
    .option('--unproven', 'with --not-found: neither the bank nor a statement shows it, and you are sure all the same')
    .option(
      '--not-line <line...>',
      'with --not-found: a line that names it, and that the bank says is not of this payout',
    )
    .addHelpText(
      'after',
      `\nUse exactly one of --found, --not-found, --never-paid, --paid-without-debit and --take-back. What you said before is replaced. Evidence has ${MIN_REASON_LENGTH} characters or more.` +
        '\n\nExample:\n  $ npx vezne withdrawal resolve 6920f0aa17c3e5b2d4968f01 --as ayse.yilmaz --found 0012345678',
    )
    .action(async (id: string, options: Resolution, command: Command) => {
      const { as, notFound, neverPaid } = options
      const [outcome, { payout, calls, naming, statements }] = await withApp(context, async (app) => [
        await resolve(app, id, options),
        await gather(app, id, { name: as, may: () => true }),
      ])
      const cautions = [
        ...(notFound !== undefined && payout && bankHasOrder(payout, calls) ? [PENDING] : []),
        ...naming.map(
          (line) =>
            `Careful: ${sayLine(line)}. ${neverPaid === undefined ? 'Not found' : 'Never paid'} is right only if it is not the payout's.`,
        ),
      ]
      const warnings = (notFound ?? neverPaid) === undefined ? [] : cautions
      const warning = warnings.length === 0 ? null : warnings.join('\n')
      const others = statements.filter(({ operator, submits }) => operator !== as && submits === payout?.submits)
      const stated = outcome === 'sent' || outcome === 'failed' ? [] : others.map(statedWords)
      if (outcome === 'opinions differ') stated.push(DIFFER)
      if (outcome === 'waiting for a third person' || outcome === 'waiting for the other to confirm') stated.push(THIRD)
      print(command, { outcome, warning }, [`The payout: ${outcome}.`, ...warnings, ...stated])
    })
  addTake(withdrawal, context)
  addSent(withdrawal, context)
}

function addTake(withdrawal: Command, context: CliContext): void {
  withdrawal
    .command('take <transaction>')
    .description("Say that you are sending this payout in the bank's own program, for 15 minutes. Prints what to type.")
    .requiredOption('--as <name>', 'who sends it')
    .option('--release', 'say that you have not sent it, and will not')
    .addHelpText('after', '\nExample:\n  $ npx vezne withdrawal take 6920f0aa17c3e5b2d4968f01 --as ayse.yilmaz')
    .action(async (id: string, options: { as: string; release?: true }, command: Command) => {
      if (options.release) {
        await withApp(context, (app) => releaseTake(app, decider(app, options.as), id))
        return print(command, { transactionId: id, released: true }, 'Released; another person may send it.')
      }
      const { payout, left } = await withApp(context, async (app) => {
        const taken = await takeToSend(app, decider(app, options.as), id)
        return { payout: taken, ...takesOf(await callsOf(app.db, taken.merchantId, id), app.clock.now()) }
      })
      const { accountName, iban, amount, currency, description, rail, sourceAccountId } = payout
      print(command, { accountName, iban, amount, currency, description, rail, sourceAccountId, opened: left }, [
        ...left.map(({ name }) => `${name} took it before and recorded nothing: check the bank's program first.`),
        `${formatMoney(amount, currency)} to ${accountName}, ${iban}, by ${rail}, with the description: ${description}`,
      ])
    })
}

function addSent(withdrawal: Command, context: CliContext): void {
  withdrawal
    .command('sent <transaction>')
    .description("Record a payout that you have sent in the bank's own program (for accounts without a connection).")
    .requiredOption('--as <name>', 'who sent it')
    .requiredOption('--bank-reference <reference>', "the bank's reference")
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne withdrawal sent 6920f0aa17c3e5b2d4968f01 --as ayse.yilmaz --bank-reference 0012345678',
    )
    .action(async (id: string, options: { as: string; bankReference: string }, command: Command) => {
      await withApp(context, (app) => recordSentByHand(app, decider(app, options.as), id, options.bankReference))
      print(command, { transactionId: id, recorded: true }, 'Recorded; the withdrawal is completed.')
    })
}

function resolve(app: CliApp, id: string, options: Resolution): Promise<string> {
  const { as, found, notFound, neverPaid, paidWithoutDebit, takeBack, unproven = false, notLine = [] } = options
  const given = [found, notFound, neverPaid, paidWithoutDebit, takeBack].filter((one) => one !== undefined)
  const [evidence, ...more] = given
  if (evidence === undefined || more.length > 0)
    throw new WrongUsage('Give exactly one of --found, --not-found, --never-paid, --paid-without-debit, --take-back.')
  if (unproven && notFound === undefined) throw new WrongUsage('--unproven is for --not-found only.')
  if (notLine.length > 0 && notFound === undefined) throw new WrongUsage('--not-line is for --not-found only.')
  const actor = decider(app, as)
  if (takeBack !== undefined) return withdrawOpinion(app, actor, id, takeBack).then(() => 'opinion taken back')
  if (neverPaid !== undefined) return decideEnded(app, actor, id, { verdict: 'never_paid', evidence })
  if (paidWithoutDebit !== undefined) return decideEnded(app, actor, id, { verdict: 'paid', evidence })
  const verdict = found === undefined ? 'not_found' : 'found'
  return decideDoubt(app, actor, id, { verdict, evidence, unproven, notLines: notLine })
}
