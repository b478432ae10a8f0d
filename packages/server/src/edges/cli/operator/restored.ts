import type { Command } from 'commander'
import { findAccount, listAccounts } from '../../../domain/banks/index.ts'
import { makeProposal } from '../../../domain/proposals/index.ts'
import type { PaidPair, RestoreCheck } from '../../../domain/restores/index.ts'
import {
  canBeRecorded,
  checkRestored,
  doubtLost,
  listPaidPairs,
  markRestored,
  mustBeReleasable,
  recordUnsent,
} from '../../../domain/restores/index.ts'
import type { Withdrawal } from '../../../domain/withdrawals/index.ts'
import { findOpenRestore, findWithdrawalById } from '../../../domain/withdrawals/index.ts'
import { schemaState } from '../../../platform/postgres/migrate.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { AS, decider } from '../core/decider.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { moment, withApp, WrongUsage } from '../core/context.ts'
import { printToStderr, print, table } from '../core/output.ts'
import { sandboxConnection } from '../sandbox/sim-pay.ts'

type CheckOptions = Partial<Record<'as' | 'checked' | 'sent' | 'from' | 'unsent', string>> &
  Partial<Record<'release' | 'sentPairs', true>>

export function addRestoredCommands(program: Command, context: CliContext): void {
  program
    .command('restored')
    .description(
      'Say that the database was restored to an earlier moment. Nothing is sent until restore-check has released it.',
    )
    .requiredOption('--at <time>', 'the moment up to which it was restored')
    .option(...AS)
    .addHelpText('after', '\nRun it before the first vezne up or work.')
    .addHelpText('after', '\nExample:\n  $ npx vezne restored --at 2026-11-15T09:30:00Z --as ayse.yilmaz')
    .action(async (options: { at: string; as?: string }, command: Command) => {
      const to = moment(options.at, '--at')
      await withApp(context, async (app) => {
        if ((await schemaState(app.db)) === 'older')
          throw new Refusal('INVALID_STATE', 'The database is of an older version. First: npx vezne migrate')
        await markRestored(app, decider(app, options.as), to)
      })
      print(command, { restoredTo: to }, [
        `Marked as restored to ${to.toISOString()}. No payout is sent.`,
        'Next: npx vezne restore-check --as NAME',
      ])
    })
  program
    .command('restore-check')
    .description(
      'After a restore: read the statements, ask the bank about everything that may have been sent since, and release payouts.',
    )
    .option('--release', 'send payouts again, if nothing is open')
    .option('--checked <words>', 'with --release or --unsent: how you checked what only people can check; it is kept')
    .option('--sent-pairs', 'all that are probably paid already were: record them as sent, with the debits shown')
    .option('--sent <withdrawal>', 'the bank has this withdrawal: with the debit of its pair, or with --from')
    .option('--from <account>', 'without a debit: the account that it was sent from, its IBAN or the last four digits')
    .option('--unsent <withdrawal>', 'without a bank to ask: you found that this one was not sent; with --checked')
    .option(...AS)
    .addHelpText('after', '\nIn live two people give --release and --sent-pairs, one after the other.')
    .addHelpText('after', '\nExample:\n  $ npx vezne restore-check --release --as ayse.yilmaz')
    .action(async (options: CheckOptions, command: Command) => {
      if (options.from !== undefined && options.sent === undefined) throw new WrongUsage('--from goes with --sent.')
      if (options.unsent !== undefined && options.checked === undefined)
        throw new WrongUsage('With --unsent say how you checked it: --checked "where you looked it up"')
      await withApp(context, async (app) => run(await withBank(app, context), options, command))
    })
}

async function run(app: CliApp, options: CheckOptions, command: Command): Promise<void> {
  const actor = decider(app, options.as)
  const { sent, from, unsent } = options
  if (options.sentPairs)
    return recordPairs(app, actor, (await listPaidPairs(app.db)).filter(canBeRecorded), '--sent-pairs', command)
  if (sent !== undefined && from === undefined)
    return recordPairs(app, actor, [await pairOf(app, sent)], `--sent ${sent}`, command)
  if (sent !== undefined) await recordSent(app, actor, sent, from as string)
  if (unsent !== undefined) await recordUnsent(app, actor, await mustFind(app, unsent), options.checked as string)
  if (sent !== undefined || unsent !== undefined) return print(command, { sent, unsent }, ['Recorded.', CHECK_AGAIN])
  const check = await checkRestored(app, actor)
  if (options.release !== true) return print(command, check, [...describe(check), next(check)])
  await release(app, actor, check, options.checked ?? null, command)
}

const CHECK_AGAIN = 'Next: npx vezne restore-check --as NAME'

async function release(
  app: CliApp,
  actor: Actor,
  check: RestoreCheck,
  checked: string | null,
  command: Command,
): Promise<void> {
  if (isOpen(check)) printToStderr(describe(check))
  mustBeReleasable(check, checked)
  const { number } = check.restore
  const asked = await makeProposal(
    { ...app, releasing: { check, checked } },
    actor,
    'restore.release',
    { number },
    {
      reason: checked,
      atOnce: true,
    },
  )
  const released = asked.state === 'applied'
  const said = released ? 'Released: payouts are sent again.' : byAnother('--release')
  print(command, { ...check, released }, [...describe(check), said])
}

const byAnother = (option: string) =>
  `Proposed. Nothing is changed until another person does the same, within seven days: npx vezne restore-check ${option} --as NAME`

async function recordPairs(app: CliApp, actor: Actor, pairs: PaidPair[], option: string, command: Command) {
  const restore = await findOpenRestore(app.db)
  if (!restore || pairs.length === 0)
    throw new Refusal(
      'INVALID_STATE',
      'No withdrawal here and debit of a lost one are a pair. See: vezne restore-check',
    )
  const ids = pairs.map(({ withdrawalId, line }) => ({ withdrawalId, lineId: line.id }))
  const terms = { number: restore.number, pairs: ids }
  const asked = await makeProposal(app, actor, 'restore.pairs', terms, { atOnce: true })
  const said = asked.state === 'applied' ? [`Recorded as sent: ${pairs.length}`, CHECK_AGAIN] : [byAnother(option)]
  print(command, { state: asked.state, pairs: ids }, said)
}

async function pairOf(app: CliApp, id: string): Promise<PaidPair> {
  const withdrawal = await mustFind(app, id)
  const pair = (await listPaidPairs(app.db)).find(({ withdrawalId }) => withdrawalId === withdrawal.id)
  if (pair) return pair
  throw new WrongUsage('No debit of a lost withdrawal fits it. Say which account it was sent from: --from IBAN')
}

/** The simulated bank of a sandbox runs in another process. */
async function withBank(app: CliApp, context: CliContext): Promise<CliApp> {
  await app.loadConnections()
  const fromEnvironment = app.connections.some(({ name }) => name.startsWith('bank-api:'))
  const simulated = app.sandbox && !fromEnvironment ? sandboxConnection(context) : null
  return simulated ? { ...app, connections: [simulated, ...app.connections] } : app
}

async function recordSent(app: CliApp, actor: Actor, id: string, from: string): Promise<void> {
  const withdrawal = await mustFind(app, id)
  const account = await findAccount(app, await ibanOf(app, from))
  const [connection] = app.connections
  if (!connection) throw new Refusal('INVALID_STATE', 'No bank is known here. Set VEZNE_BANK_API_URL.')
  await doubtLost(app, actor, withdrawal, { connection: account.connection ?? connection.name, accountId: account.id })
}

/** `vezne line show` names an account by the last four digits. */
async function ibanOf({ db }: CliApp, from: string): Promise<string> {
  const [, digits] = /^(?:.*…)?(\d{4})$/.exec(from) ?? []
  if (digits === undefined) return from
  const [account, another] = (await listAccounts(db)).filter(({ iban }) => iban.endsWith(digits))
  if (account && another) throw new WrongUsage(`Several accounts end in ${digits}. Give the whole IBAN.`)
  return account?.iban ?? from
}

async function mustFind({ db }: CliApp, id: string): Promise<Withdrawal> {
  const withdrawal = await findWithdrawalById(db, id)
  if (!withdrawal) throw refuse('withdrawal_unknown', { withdrawal: id })
  return withdrawal
}

function isOpen({ incomplete, uncertain, pairs, byHand, debits }: RestoreCheck): boolean {
  return incomplete.length + uncertain.length + pairs.length + byHand.length + debits.length > 0
}

function next(check: RestoreCheck): string {
  if (check.incomplete.length + check.uncertain.length > 0)
    return 'Not ready: run it again when the bank has said more.'
  if (check.pairs.length > 0)
    return 'Not ready: first record what is paid already: npx vezne restore-check --sent-pairs --as NAME. See docs/backup.md.'
  const checked = isOpen(check) ? ' --checked "what you compared it with"' : ''
  return `Ready. When you have read this: npx vezne restore-check --release${checked} --as NAME`
}

function describe(check: RestoreCheck): string[] {
  const { restore, incomplete, settled, refused, open, uncertain, pairs, byHand, debits } = check
  return [
    `Restored to ${restore.restoredTo.toISOString()}, marked by ${restore.markedBy}.`,
    ...incomplete.map((name) => `The statement of ${name} was not read to its end: the bank does not answer.`),
    `Sent after that moment, found on the statement and settled now: ${settled.length}`,
    ...list(
      'Refused by the bank after that moment, failed now',
      ['withdrawal', 'amount', 'reason'],
      refused.map(({ id, amount, currency, failureReason }) => [
        id,
        formatMoney(amount, currency),
        failureReason ?? '',
      ]),
    ),
    ...describeOpen(open),
    ...list(
      'Wait here, but the bank has them or does not say',
      ['withdrawal', 'amount', 'bank says'],
      uncertain.map(({ withdrawal: { id, amount, currency }, said }) => [id, formatMoney(amount, currency), said]),
    ),
    ...describePairs(pairs),
    ...list(
      "To be looked up in the bank's own program",
      ['withdrawal', 'amount', 'IBAN'],
      byHand.map((one) => [
        'withdrawalId' in one ? one.withdrawalId : one.id,
        formatMoney(one.amount, one.currency),
        one.iban,
      ]),
    ),
    ...list(
      'Other debits since that moment that belong to no payout',
      ['line', 'amount', 'booked', 'text'],
      debits.map(({ id, amount, currency, bookedAt, narrative }) => [
        id,
        formatMoney(amount, currency),
        bookedAt.toISOString(),
        narrative,
      ]),
    ),
  ]
}

/** The text of the debit names the withdrawal that is lost. */
function describePairs(pairs: PaidPair[]): string[] {
  return list(
    'Probably paid already: withdrawals here, and debits of lost ones with the same amount and recipient',
    ['withdrawal', 'merchant', 'amount', 'IBAN', 'name', 'line', 'booked', 'text', 'to record'],
    pairs.map((one) => [
      one.withdrawalId,
      one.merchantId,
      formatMoney(one.amount, one.currency),
      one.iban,
      one.accountName,
      one.line.id,
      one.line.bookedAt.toISOString(),
      one.line.narrative,
      canBeRecorded(one) ? '--sent-pairs' : 'vezne withdrawal resolve: its payout is of another account',
    ]),
  )
}

const END_ONE =
  'To end one before the release: its merchant cancels it, or npx vezne withdrawal stop (reject, resolve). See docs/backup.md.'

function describeOpen(open: RestoreCheck['open']): string[] {
  const rows = list(
    'Not ended, and what a release does with them',
    ['withdrawal', 'merchant', 'amount', 'IBAN', 'name', 'created', 'bank says', 'when released'],
    open.map((one) => [
      one.withdrawalId,
      one.merchantId,
      formatMoney(one.amount, one.currency),
      one.iban,
      one.accountName,
      one.createdAt.toISOString(),
      one.said,
      one.next,
    ]),
  )
  return rows.length > 0 ? [...rows, END_ONE] : []
}

function list(title: string, head: string[], rows: string[][]): string[] {
  return rows.length > 0 ? [`${title}: ${rows.length}`, ...table(head, rows), ''] : []
}
