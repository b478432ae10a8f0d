import type { Command } from 'commander'
import { findAccount } from '../../../domain/banks/index.ts'
import { noticeForTerminal, say } from '../../../acts/refusals/say.ts'
import type { ConnectionCheck } from '../../../domain/connections/index.ts'
import { checkConnection, findConnection, recordTestTransfer } from '../../../domain/connections/index.ts'
import { readCursor } from '../../../domain/statements/index.ts'
import { ibanProblem, normaliseIban } from '../../../kernel/iban.ts'
import { AS, decider } from '../core/decider.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { wholeKurus, wholeNumber, withApp, WrongUsage } from '../core/context.ts'
import { print } from '../core/output.ts'

type Given = { send?: string[]; from?: string; to?: string; wait: string; realMoney?: true; as?: string }

export function addConnectionTest(connection: Command, context: CliContext): void {
  connection
    .command('test <name>')
    .description(
      'Check that it keeps the rules of docs/connections.md. Changes nothing without --send. Exit code 1 if not.',
    )
    .option(
      '--send <iban-and-amount...>',
      'http-api: send a real transfer, IBAN and at most 100 kuruş, and check what becomes of it',
    )
    .option('--from <account>', 'with --send: the collecting account it leaves from')
    .option('--to <name>', 'with --send: the name of the recipient', 'Vezne Test')
    .option('--wait <seconds>', 'with --send: how long to wait for its line on the statement', '30')
    .option('--real-money', 'with --send in live: yes, real money')
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne connection test garanti' +
        '\n  $ npx vezne connection test garanti --send TR620006200029500006291296 100 --from TR270004600000000001000040',
    )
    .action(async (name: string, options: Given, command: Command) => {
      const checks = (await withApp(context, (app) => runChecks(app, name, options))).map(inWords)
      const passed = checks.every(({ ok }) => ok)
      const lines = checks.flatMap(({ check, ok, expected, found }) =>
        ok ? [`ok      ${check}: ${found}`] : [`FAILED  ${check}: ${found}`, ...expectation(expected)],
      )
      const failed = checks.filter(({ ok }) => !ok).length
      const end = passed ? `All ${checks.length} checks passed.` : `${failed} of ${checks.length} checks failed.`
      print(command, { name, passed, checks }, [...lines, end])
      process.exitCode = passed ? 0 : 1
    })
}

function expectation(expected: string): string[] {
  return expected.split('\n').map((line, index) => `        ${index === 0 ? 'expected: ' : ''}${line}`)
}

function inWords({ expected, found, ...one }: ConnectionCheck) {
  return {
    ...one,
    expected: typeof expected === 'string' ? expected : noticeForTerminal(expected).join('\n'),
    found: typeof found === 'string' ? found : say('en', found),
  }
}

async function runChecks(app: CliApp, name: string, options: Given): Promise<ConnectionCheck[]> {
  const { kind } = await findConnection(app, name)
  if (options.send && kind !== 'http_api') throw new WrongUsage(`--send is for http-api; ${name} is ${kind}.`)
  return checkConnection(app, name, options.send && (await prepareSending(app, name, options.send, options)))
}

/** Recorded before it is sent, so that the debit has an author whatever happens then. */
async function prepareSending(app: CliApp, name: string, send: string[], options: Given) {
  const [iban = '', kurus = '', ...more] = send
  if (more.length > 0 || kurus === '')
    throw new WrongUsage('--send takes an IBAN without spaces and an amount in kuruş.')
  if (options.from === undefined) throw new WrongUsage('--send needs --from, the collecting account it leaves from.')
  if (!app.sandbox && !options.realMoney) throw new WrongUsage('This sends real money. If you mean it: --real-money')
  const problem = ibanProblem(normaliseIban(iban))
  if (problem) throw new WrongUsage(`--send: the IBAN ${problem}.`)
  const { iban: fromIban, currency, connection } = await findAccount(app, options.from)
  if (connection !== name)
    throw new WrongUsage(`${fromIban} belongs to connection ${connection ?? 'none'}, not ${name}.`)
  const reference = app.ids.next()
  const toIban = normaliseIban(iban)
  const amount = BigInt(wholeKurus(kurus, '--send'))
  const waitSeconds = wholeNumber(options.wait, '--wait')
  await recordTestTransfer(app, decider(app, options.as), name, { reference, fromIban, toIban, amount: String(amount) })
  const terms = { rail: 'fast', purposeCode: '06', description: `Vezne test ${reference}` }
  const order = { reference, fromIban, toIban, toName: options.to ?? '', amount, currency, ...terms }
  return { order, cursor: (await readCursor(app.db, name))?.cursor || '0', waitSeconds }
}
