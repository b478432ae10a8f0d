import type { Command } from 'commander'
import { findAccount } from '../../../domain/banks/index.ts'
import type { RestoreCheck } from '../../../domain/restores/index.ts'
import {
  checkRestored,
  doubtLost,
  markRestored,
  recordUnsent,
  releaseRestored,
} from '../../../domain/restores/index.ts'
import type { Withdrawal } from '../../../domain/withdrawals/index.ts'
import { findWithdrawalById } from '../../../domain/withdrawals/index.ts'
import { schemaState } from '../../../platform/postgres/migrate.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { AS, decider } from '../core/decider.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { moment, withApp, WrongUsage } from '../core/context.ts'
import { printToStderr, print, table } from '../core/output.ts'
import { sandboxConnection } from '../sandbox/sim-pay.ts'

type CheckOptions = { as?: string; release?: true; checked?: string; sent?: string; from?: string; unsent?: string }

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
        await markRestored(app, decider(options.as), to)
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
    .option('--sent <withdrawal>', 'the bank has this withdrawal and no statement line shows it; with --from')
    .option('--from <iban>', 'the account that it was sent from')
    .option('--unsent <withdrawal>', 'without a bank to ask: you found that this one was not sent; with --checked')
    .option(...AS)
    .addHelpText('after', '\nExample:\n  $ npx vezne restore-check --release --as ayse.yilmaz')
    .action(async (options: CheckOptions, command: Command) => {
      if ((options.sent === undefined) !== (options.from === undefined))
        throw new WrongUsage('--sent and --from go together.')
      if (options.unsent !== undefined && options.checked === undefined)
        throw new WrongUsage('With --unsent say how you checked it: --checked "where you looked it up"')
      await withApp(context, async (app) => run(await withBank(app, context), options, command))
    })
}

async function run(app: CliApp, options: CheckOptions, command: Command): Promise<void> {
  const actor = decider(options.as)
  if (options.sent !== undefined) await recordSent(app, actor, options.sent, options.from as string)
  if (options.unsent !== undefined)
    await recordUnsent(app, actor, await mustFind(app, options.unsent), options.checked as string)
  const check = await checkRestored(app, actor)
  if (options.release !== true) return print(command, check, [...describe(check), next(check)])
  if (isOpen(check)) printToStderr(describe(check))
  await releaseRestored(app, actor, check, options.checked ?? null)
  print(command, { ...check, released: true }, [...describe(check), 'Released: payouts are sent again.'])
}

/** The simulated bank of a sandbox runs in another process. */
async function withBank(app: CliApp, context: CliContext): Promise<CliApp> {
  await app.loadConnections()
  const fromEnvironment = app.connections.some(({ name }) => name.startsWith('bank-api:'))
  const simulated = app.sandbox && !fromEnvironment ? sandboxConnection(context) : null
  return simulated ? { ...app, connections: [simulated, ...app.connections] } : app
}

async function recordSent(app: CliApp, actor: Actor, id: string, iban: string): Promise<void> {
  const withdrawal = await mustFind(app, id)
  const account = await findAccount(app, iban)
  const [connection] = app.connections
  if (!connection) throw new Refusal('INVALID_STATE', 'No bank is known here. Set VEZNE_BANK_API_URL.')
  await doubtLost(app, actor, withdrawal, { connection: account.connection ?? connection.name, accountId: account.id })
}

async function mustFind({ db }: CliApp, id: string): Promise<Withdrawal> {
  const withdrawal = await findWithdrawalById(db, id)
  if (!withdrawal) throw new Refusal('NOT_FOUND', `There is no withdrawal ${id}.`)
  return withdrawal
}

function isOpen({ incomplete, uncertain, byHand, debits }: RestoreCheck): boolean {
  return incomplete.length + uncertain.length + byHand.length + debits.length > 0
}

function next(check: RestoreCheck): string {
  if (check.incomplete.length + check.uncertain.length > 0)
    return 'Not ready: run it again when the bank has said more.'
  const checked = isOpen(check) ? ' --checked "what you compared it with"' : ''
  return `Ready. When you have read this: npx vezne restore-check --release${checked} --as NAME`
}

function describe({ restore, incomplete, settled, refused, open, uncertain, byHand, debits }: RestoreCheck): string[] {
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
      'Debits since that moment that belong to no payout',
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
