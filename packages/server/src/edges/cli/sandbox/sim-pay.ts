import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Deposit, DepositFlag } from '../../../domain/deposits/index.ts'
import { matchLines } from '../../../domain/matching/index.ts'
import type { Connection } from '../../../domain/connections/index.ts'
import { bankApiConnection, fetchLines, SANDBOX_BANK } from '../../../domain/connections/index.ts'
import type { StoredLine } from '../../../domain/statements/index.ts'
import { listLines } from '../../../domain/statements/index.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { mustFindDeposit } from '../operator/deposit.ts'
import { depositJson } from '../core/api-names.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { mustReadSandbox, NotRunning, readSandbox, sandboxOnly, wholeKurus, withApp } from '../core/context.ts'
import { linesTable } from '../operator/line.ts'
import { print } from '../core/output.ts'

type PayOptions = { amount?: string; sender?: string; reference?: string; twice?: boolean }
export type Bank = { baseUrl: string; key: string }
type Payment = { status: string; reason?: string }

export function addSimPayCommands(sim: Command, context: CliContext): void {
  sim
    .command('pay <transaction>')
    .description('Pay a deposit from the simulated bank into its assigned account, rightly or wrongly.')
    .option('--amount <kurus>', 'another amount than asked for')
    .option('--sender <name>', "another sender than the deposit's customer")
    .option('--reference <text>', 'another description than the code; "" for none')
    .option('--twice', 'send it two times')
    .addHelpText('after', '\nExample:\n  $ npx vezne sim pay 6920f0aa17c3e5b2d4968f01 --amount 100000')
    .action(async (id: string, options: PayOptions, command: Command) => {
      sandboxOnly(context)
      const bank = bankOf(context)
      const { deposit, json, suspended } = await withApp(context, async (app) => {
        const before = new Set((await newestInSuspense(app)).map((line) => line.id))
        await pay(app, bank, id, options)
        await readBank(context, app)
        const deposit = await mustFindDeposit(app, id)
        const suspended = (await newestInSuspense(app)).find(
          (line) => !before.has(line.id) && line.collectingAccountId === deposit.collectingAccountId,
        )
        return { deposit, json: await depositJson(app, deposit), suspended }
      })
      print(command, json, wordsOf(deposit, suspended))
    })
  sim
    .command('lines')
    .description('The newest bank lines that have been read, and what became of them.')
    .addHelpText('after', '\nExample:\n  $ npx vezne sim lines')
    .action(async (_options: object, command: Command) => {
      sandboxOnly(context)
      const lines = await withApp(context, ({ db }) => listLines(db.pages, undefined, 50))
      print(command, { lines }, linesTable(lines))
    })
}

const newestInSuspense = ({ db }: CliApp) => listLines(db, 'suspense', 50)

const FLAGS: Record<DepositFlag, string> = {
  late: 'the money came after its end',
  underpaid: 'less than its amount has come',
  overpaid: 'more than its amount has come',
  duplicate: 'it was paid more than once',
  name_mismatch: 'the sender has another name than the customer',
}

/** Money held for its deposit shows in the deposit's status; any other money in suspense would seem lost. */
function wordsOf({ status, flags, reason }: Deposit, suspended: StoredLine | undefined): string {
  const remarks = flags.map((flag) => FLAGS[flag])
  const why = reason ? ` (${reason})` : ''
  const sent = `Sent. The deposit is ${status}${remarks.length > 0 ? `: ${remarks.join(', ')}` : ''}${why}.`
  if (!suspended || status === 'processing') return sent
  return `${sent} The money is in suspense (${suspended.reason}). See: npx vezne line list --state suspense`
}

/** Funds through the simulated bank, if this sandbox has one: then the bank holds the money that a payout needs. */
export function payThroughBank(context: CliContext, app: CliApp): ((deposits: Deposit[]) => Promise<void>) | undefined {
  const bank = findBank(context)
  if (!bank) return undefined
  return async (deposits) => {
    for (const deposit of deposits) await payFromWorld(app, bank, deposit)
    await readBank(context, app)
  }
}

const JUDGED_WITHIN_MS = 5000

/** Does what the workers would do within a second before the command returns, so that scripts need not wait. */
export async function readBank(context: CliContext, app: Omit<CliApp, 'clock'> & { clock: Clock }): Promise<void> {
  const connection = sandboxConnection(context)
  if (!connection) return
  while ((await fetchLines(app, connection)) > 0);
  while ((await matchLines(app)) > 0);
  // The running service may be matching the line right now.
  const deadline = performance.now() + JUDGED_WITHIN_MS
  while ((await listLines(app.db, 'new', 1)).length > 0 && performance.now() < deadline) await pause(20)
}

/** The simulated bank as the running sandbox knows it. */
export function sandboxConnection(context: CliContext): Connection | null {
  const bank = findBank(context)
  return bank && bankApiConnection({ ...bank, name: SANDBOX_BANK })
}

export function findBank(context: CliContext): Bank | null {
  const { bankUrl, bankKey } = readSandbox(context.readConfig()) ?? {}
  return bankUrl && bankKey ? { baseUrl: bankUrl, key: bankKey } : null
}

/** Pays from the only account that never runs empty; a customer's balance runs out after some hundred payments. */
export async function payFromWorld(
  app: CliApp,
  bank: Bank,
  { amount, currency, referenceCode, collectingAccountId, customer }: Deposit,
): Promise<void> {
  const account = await app.banks.account(collectingAccountId ?? '')
  const words = { currency, description: referenceCode, senderName: customer.name }
  const path = `accounts/${account?.iban}/fund`
  mustBeAccepted((await callBank(bank, 'POST', path, { amount: Number(amount), ...words })) as Payment)
}

/** A successful call can still return a rejected payment. */
function mustBeAccepted({ status, reason }: Payment): void {
  if (status !== 'accepted') throw new Refusal('INVALID_STATE', `The simulated bank refused the payment: ${reason}.`)
}

export async function callBank(bank: Bank, method: string, path: string, body?: object): Promise<unknown> {
  return (await fetchFromBank(bank, method, path, body)).json()
}

export async function fetchFromBank(bank: Bank, method: string, path: string, body?: object): Promise<Response> {
  const response = await fetch(`${bank.baseUrl}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${bank.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: Error) => {
    throw new NotRunning(
      `The simulated bank at ${bank.baseUrl} does not answer (${error.message}). Start it with: npm start`,
    )
  })
  if (!response.ok) throw new Refusal('INVALID_STATE', `The simulated bank refused: ${await response.text()}`)
  return response
}

export function bankOf(context: CliContext): Bank {
  mustReadSandbox(context.readConfig())
  const bank = findBank(context)
  if (!bank) throw new NotRunning('This sandbox has no simulated bank. Start one with: npm start')
  return bank
}

async function pay(app: CliApp, bank: Bank, id: string, options: PayOptions): Promise<void> {
  const deposit = await mustFindDeposit(app, id, 'sim pay')
  const account = deposit.collectingAccountId ? await app.banks.account(deposit.collectingAccountId) : undefined
  if (!account) {
    throw new Refusal(
      'INVALID_STATE',
      'No account is assigned to this deposit yet. Open its checkoutUrl and choose a bank, or create it with a bankCode such as "FAST".',
    )
  }
  const amount = options.amount === undefined ? Number(deposit.amount) : wholeKurus(options.amount, '--amount')
  const payment = {
    toIban: account.iban,
    amount,
    currency: deposit.currency,
    description: options.reference ?? deposit.referenceCode,
    senderName: options.sender ?? deposit.customer.name,
    times: options.twice ? 2 : 1,
  }
  const { payments } = (await callBank(bank, 'POST', 'payments', payment)) as { payments: Payment[] }
  for (const one of payments) mustBeAccepted(one)
}
