import { VezneError } from '@vezne/sdk'
import { Command, CommanderError } from 'commander'
import { refusalForTerminal } from '../../../acts/refusals/say.ts'
import type { Why } from '../../../kernel/refusals/refuse.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { version } from '../../../platform/version.ts'
import type { CliContext } from './context.ts'
import { EXIT, Explained, NotRunning, WrongUsage } from './context.ts'
import { checkDecider } from './decider.ts'
import { addExample, nameSubcommands, shortenHelp } from './help.ts'
import { printToStderr, say } from './output.ts'

type Add = (program: Command, context: CliContext) => unknown

/** `commands`: by their first words. */
type Group = { heading: string; example: string; commands: Record<string, () => Promise<Add>> }

/** In the order of the help, each with an example: what most people look for comes first. A command reads no other's code. */
const GROUPS: Group[] = [
  {
    heading: 'Running:',
    example: 'npx vezne up',
    commands: {
      'up serve work migrate': async () => (await import('./run.ts')).addRunCommands,
      doctor: async () => (await import('../operator/doctor.ts')).addDoctorCommand,
    },
  },
  {
    heading: 'For developers:',
    example: 'npx vezne listen --forward http://127.0.0.1:3000/callbacks',
    commands: {
      'sign curl': async () => (await import('../developer/sign.ts')).addSignCommands,
      listen: async () => (await import('../developer/listen/listen.ts')).addListenCommand,
      events: async () => (await import('../developer/events.ts')).addEventCommands,
      verify: async () => (await import('../developer/verify.ts')).addVerifyCommand,
      endpoint: async () => (await import('../operator/endpoint.ts')).addEndpointCommands,
    },
  },
  {
    heading: 'Sandbox only:',
    example: 'npx vezne trigger paid',
    commands: {
      trigger: async () => (await import('../developer/trigger.ts')).addTriggerCommand,
      sim: async () => (await import('../sandbox/sim.ts')).addSimCommands,
    },
  },
  {
    heading: 'Payments:',
    example: 'npx vezne find "ayse yilmaz"',
    commands: {
      find: async () => (await import('../operator/find.ts')).addFindCommand,
      deposit: async () => (await import('../operator/deposit.ts')).addDepositCommands,
      withdrawal: async () => (await import('../operator/withdrawal.ts')).addWithdrawalCommands,
      payout: async () => (await import('../operator/payout.ts')).addPayoutCommands,
      batch: async () => (await import('../operator/batch.ts')).addBatchCommands,
    },
  },
  {
    heading: 'Bank lines and books:',
    example: 'npx vezne line list --state suspense',
    commands: {
      line: async () => (await import('../operator/line.ts')).addLineCommands,
      statement: async () => (await import('../operator/statement.ts')).addStatementCommands,
      journal: async () => (await import('../operator/journal.ts')).addJournalCommands,
      rule: async () => (await import('../operator/rule.ts')).addRuleCommands,
      books: async () => (await import('../operator/books.ts')).addBookCommands,
      export: async () => (await import('../operator/export.ts')).addExportCommands,
    },
  },
  {
    heading: 'Merchants and banks:',
    example: 'npx vezne merchant show demo',
    commands: {
      merchant: async () => (await import('../operator/merchant.ts')).addMerchantCommands,
      bank: async () => (await import('../operator/bank.ts')).addBankCommands,
      account: async () => (await import('../operator/account.ts')).addAccountCommands,
      connection: async () => (await import('../operator/connection.ts')).addConnectionCommands,
    },
  },
  {
    heading: 'People and decisions:',
    example: 'npx vezne operator list',
    commands: {
      operator: async () => (await import('../operator/operator.ts')).addOperatorCommands,
      admin: async () => (await import('../operator/invite.ts')).addAdminCommands,
      proposal: async () => (await import('../operator/proposal.ts')).addProposalCommands,
      audit: async () => (await import('../operator/audit.ts')).addAuditCommands,
      'login logout whoami': async () => (await import('../operator/login.ts')).addLoginCommands,
    },
  },
  {
    heading: 'Data and keys:',
    example: 'npx vezne backup /backups/vezne.tar.gz',
    commands: {
      'backup restore': async () => (await import('../operator/backup.ts')).addBackupCommands,
      'restored restore-check': async () => (await import('../operator/restored.ts')).addRestoredCommands,
      'master-key': async () => (await import('../operator/master-key.ts')).addMasterKeyCommands,
      prune: async () => (await import('../operator/prune.ts')).addPruneCommand,
      'erase erasures': async () => (await import('../operator/erase.ts')).addEraseCommands,
    },
  },
]

const isOf = (words: string, first: string | undefined) => first !== undefined && words.split(' ').includes(first)

/** Only the command that the first argument names, whose code is half of all; without one, or for its help, all of them. */
export async function buildProgram(context: CliContext, [first]: string[] = []): Promise<Command> {
  const program = new Command('vezne')
    .description('Payment service for bank transfers: run it, look after it, and try it out.')
    .version(version(), '--version', 'print the version')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExit codes: 0 done, 1 refused or failed, 2 wrong usage or settings, 3 nothing is running.')
    .addHelpText('after', '\nOptions and an example of each: npx vezne COMMAND --help')
  program.hook('preAction', (_program, command) => checkDecider(context, command))
  shortenHelp(program)
  const isKnown = GROUPS.some(({ commands }) => Object.keys(commands).some((words) => isOf(words, first)))
  for (const { heading, example, commands } of GROUPS) {
    program.commandsGroup(`${heading}\n  $ ${example}`)
    for (const [words, load] of Object.entries(commands))
      if (!isKnown || isOf(words, first)) (await load())(program, context)
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

export function everyCommand(command: Command, visit: (command: Command) => void): void {
  visit(command)
  for (const child of command.commands) everyCommand(child, visit)
}

/** The only error handler of this edge: every error becomes a message on stderr and an exit code. */
export async function runCli(args: string[], context: CliContext): Promise<number> {
  try {
    const program = await buildProgram(context, args)
    await program.parseAsync(args, { from: 'user' })
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
