import type { Command } from 'commander'
import type { Deposit } from '../../../domain/deposits/index.ts'
import { findDepositById } from '../../../domain/deposits/index.ts'
import { decisionsOf } from '../../../domain/matching/index.ts'
import { findWithdrawalById } from '../../../domain/withdrawals/index.ts'
import { linesOfDeposit } from '../../../domain/statements/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { depositJson } from '../core/api-names.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { withApp } from '../core/context.ts'
import { decisionText, linesTable } from './line.ts'
import { notFound } from '../core/not-found.ts'
import { facts, print } from '../core/output.ts'

export function addDepositCommands(program: Command, context: CliContext): void {
  const deposit = program.command('deposit').description('Deposits.')
  deposit
    .command('show <transaction>')
    .description('One deposit: status, account, code, bank lines and the decisions about them.')
    .addHelpText('after', '\nExample:\n  $ npx vezne deposit show 6920f0aa17c3e5b2d4968f01')
    .action(async (id: string, _options: object, command: Command) => {
      const { json, shown } = await withApp(context, async (app) => {
        const { account, lines, decisions, ...deposit } = await gather(app, id)
        const about = { account, lines, decisions }
        return { json: { ...(await depositJson(app, deposit)), ...about }, shown: { ...deposit, ...about } }
      })
      print(command, json, describe(shown))
    })
}

/** Finds a deposit by its id, for any merchant. */
/** `command`: what to run with the right id, if a processId was given. */
export async function mustFindDeposit(
  { db }: Pick<CliApp, 'db'>,
  id: string,
  command = 'deposit show',
): Promise<Deposit> {
  const deposit = await findDepositById(db, id)
  if (deposit) return deposit
  if (!(await findWithdrawalById(db, id))) throw await notFound({ db }, 'deposit', id, command)
  throw new Refusal('NOT_FOUND', `${id} is a withdrawal, not a deposit. See: npx vezne withdrawal show ${id}`)
}

async function gather(app: CliApp, id: string) {
  const deposit = await mustFindDeposit(app, id)
  const account = deposit.collectingAccountId ? await app.banks.account(deposit.collectingAccountId) : null
  const lines = await linesOfDeposit(app.db, deposit.merchantId, deposit.id)
  const decisions = await decisionsOf(
    app.db,
    lines.map((line) => line.id),
  )
  return { ...deposit, account: account ?? null, lines, decisions }
}

function describe({ account, lines, decisions, ...deposit }: Awaited<ReturnType<typeof gather>>): string[] {
  const money = (amount: bigint) => formatMoney(amount, deposit.currency)
  const rows: [string, string][] = [
    ['deposit', deposit.id],
    ['merchant', deposit.merchantId],
    ['processId', deposit.processId],
    ['status', [deposit.status, ...deposit.flags, ...(deposit.reason ? [`(${deposit.reason})`] : [])].join(' ')],
    ['amount', `${money(deposit.amount)}, received ${money(deposit.receivedAmount)}, fee ${money(deposit.fee)}`],
    [
      'given back',
      `refunded ${money(deposit.refundedAmount)}, taken back by the bank ${money(deposit.takenBackAmount)}`,
    ],
    ['code', deposit.referenceCode],
    [
      'account',
      account ? `${account.bankName}, ${account.title}, ${account.iban}` : 'none: the customer has not chosen a bank',
    ],
    ['expires', deposit.expiresAt.toISOString()],
  ]
  const why = decisions.map((one) => `${one.lineId}  ${decisionText(one)}`)
  return [...facts(rows), ...(lines.length > 0 ? ['', ...linesTable(lines), '', ...why] : [])]
}
