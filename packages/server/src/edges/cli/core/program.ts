import { VezneError } from '@vezne/sdk'
import { Command, CommanderError } from 'commander'
import { refusalForTerminal } from '../../../acts/refusals/say.ts'
import type { Why } from '../../../kernel/refusals/refuse.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { addAccountCommands } from '../operator/account.ts'
import { addAuditCommands } from '../operator/audit.ts'
import { addBackupCommands } from '../operator/backup.ts'
import { addBankCommands } from '../operator/bank.ts'
import { addBatchCommands } from '../operator/batch.ts'
import { addChangeCommands } from '../operator/change.ts'
import { addConnectionCommands } from '../operator/connection.ts'
import { addBookCommands } from '../operator/books.ts'
import { addDepositCommands } from '../operator/deposit.ts'
import { version } from '../../../platform/version.ts'
import { addDoctorCommand } from '../operator/doctor.ts'
import type { CliContext } from './context.ts'
import { checkDecider } from './decider.ts'
import { EXIT, Explained, NotRunning, WrongUsage } from './context.ts'
import { addEndpointCommands } from '../operator/endpoint.ts'
import { addEraseCommands } from '../operator/erase.ts'
import { addEventCommands } from '../developer/events.ts'
import { addExportCommands } from '../operator/export.ts'
import { addFindCommand } from '../operator/find.ts'
import { addJournalCommands } from '../operator/journal.ts'
import { addLineCommands } from '../operator/line.ts'
import { addListenCommand } from '../developer/listen/listen.ts'
import { addMasterKeyCommands } from '../operator/master-key.ts'
import { addAdminCommands, addMerchantLogins, addOperatorLogins } from '../operator/invite.ts'
import { addLoginCommands } from '../operator/login.ts'
import { addMerchantCommands } from '../operator/merchant.ts'
import { addMerchantFees } from '../operator/merchant-fees.ts'
import { addMerchantFreeze } from '../operator/merchant-freeze.ts'
import { addMerchantHistory } from '../operator/merchant-history.ts'
import { addMerchantSettings } from '../operator/merchant-settings.ts'
import { addMerchantSettlement } from '../operator/merchant-settlement.ts'
import { addOperatorCommands } from '../operator/operator.ts'
import { addExample, nameSubcommands, shortenHelp } from './help.ts'
import { printToStderr, say } from './output.ts'
import { addPayoutCommands } from '../operator/payout.ts'
import { addPruneCommand } from '../operator/prune.ts'
import { addRestoredCommands } from '../operator/restored.ts'
import { addRunCommands } from './run.ts'
import { addSignCommands } from '../developer/sign.ts'
import { addSimCommands } from '../sandbox/sim.ts'
import { addStatementCommands } from '../operator/statement.ts'
import { addTriggerCommand } from '../developer/trigger.ts'
import { addVerifyCommand } from '../developer/verify.ts'
import { addWithdrawalCommands } from '../operator/withdrawal.ts'

type Group = { heading: string; example: string; add: ((program: Command, context: CliContext) => unknown)[] }

/** In the order of the help, each with an example: what most people look for comes first. */
const GROUPS: Group[] = [
  {
    heading: 'Running:',
    example: 'npx vezne up',
    add: [addRunCommands, addDoctorCommand],
  },
  {
    heading: 'For developers:',
    example: 'npx vezne listen --forward http://127.0.0.1:3000/callbacks',
    add: [addSignCommands, addListenCommand, addEventCommands, addVerifyCommand, addEndpointCommands],
  },
  {
    heading: 'Sandbox only:',
    example: 'npx vezne trigger paid',
    add: [addTriggerCommand, addSimCommands],
  },
  {
    heading: 'Payments:',
    example: 'npx vezne find "ayse yilmaz"',
    add: [addFindCommand, addDepositCommands, addWithdrawalCommands, addPayoutCommands, addBatchCommands],
  },
  {
    heading: 'Bank lines and books:',
    example: 'npx vezne line list --state suspense',
    add: [addLineCommands, addStatementCommands, addJournalCommands, addBookCommands, addExportCommands],
  },
  {
    heading: 'Merchants and banks:',
    example: 'npx vezne merchant show demo',
    add: [addAllMerchantCommands, addBankCommands, addAccountCommands, addConnectionCommands],
  },
  {
    heading: 'People and decisions:',
    example: 'npx vezne operator list',
    add: [addPeopleCommands],
  },
  {
    heading: 'Data and keys:',
    example: 'npx vezne backup /backups/vezne.tar.gz',
    add: [addBackupCommands, addRestoredCommands, addMasterKeyCommands, addPruneCommand, addEraseCommands],
  },
]

export function buildProgram(context: CliContext): Command {
  const program = new Command('vezne')
    .description('Payment service for bank transfers: run it, look after it, and try it out.')
    .version(version(), '--version', 'print the version')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExit codes: 0 done, 1 refused or failed, 2 wrong usage or settings, 3 nothing is running.')
    .addHelpText('after', '\nOptions and an example of each: npx vezne COMMAND --help')
  program.hook('preAction', (_program, command) => checkDecider(context, command))
  shortenHelp(program)
  for (const { heading, example, add } of GROUPS) {
    program.commandsGroup(`${heading}\n  $ ${example}`)
    for (const command of add) command(program, context)
  }
  everyCommand(program, (command) => {
    command.exitOverride().configureOutput({
      writeOut: (text) => say(text.trimEnd().split('\n')),
      writeErr: (text) => printToStderr(text.trimEnd().split('\n')),
    })
    if (command !== program) command.option('--json', 'print the result as JSON')
    addExample(command)
    nameSubcommands(command)
  })
  return program
}

/** People, their logins, and what they have decided. */
function addPeopleCommands(program: Command, context: CliContext): void {
  addOperatorLogins(addOperatorCommands(program, context), context)
  addAdminCommands(program, context)
  addChangeCommands(program, context)
  addAuditCommands(program, context)
  addLoginCommands(program, context)
}

function addAllMerchantCommands(program: Command, context: CliContext): void {
  const merchant = addMerchantCommands(program, context)
  addMerchantSettings(merchant, context)
  addMerchantFreeze(merchant, context)
  addMerchantFees(merchant, context)
  addMerchantSettlement(merchant, context)
  addMerchantHistory(merchant, context)
  addMerchantLogins(merchant, context)
}

export function everyCommand(command: Command, visit: (command: Command) => void): void {
  visit(command)
  for (const child of command.commands) everyCommand(child, visit)
}

/** The only error handler of this edge: every error becomes a message on stderr and an exit code. */
export async function runCli(args: string[], context: CliContext): Promise<number> {
  try {
    await buildProgram(context).parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage
    const { name } = error as Error
    printToStderr(wordsOf(error as Error))
    if (error instanceof NotRunning || noService(error)) return EXIT.notRunning
    const usage = error instanceof WrongUsage || codeOf(error) === 'INVALID_OPTIONS' || name === 'SettingsError'
    return usage || lacksName(error) ? EXIT.usage : EXIT.failed
  }
}

function wordsOf(error: Error): string | string[] {
  const { message, name, stack = message } = error
  if (error instanceof Explained) return error.lines
  if (name === 'SettingsError') return message.split('\n')
  if (error instanceof Refusal) return refusalForTerminal(error)
  if (noService(error)) return [message, 'Start the sandbox with: npm start']
  const known = [NotRunning, WrongUsage, VezneError].some((kind) => error instanceof kind)
  return known ? message : stack.split('\n')
}

/** The API was called, but no Vezne service responded. */
function noService(error: unknown): boolean {
  return ['UNREACHABLE', 'UNREADABLE_ANSWER'].includes(codeOf(error) ?? '')
}

/** A required option is missing. Only the domain can tell: whether a name is needed depends on the decision. */
function lacksName(error: unknown): boolean {
  return error instanceof Refusal && error.why === ('decider_missing' satisfies Why)
}

function codeOf(error: unknown): string | null {
  return error instanceof VezneError ? error.code : null
}
