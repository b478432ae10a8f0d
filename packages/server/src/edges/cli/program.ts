import { readFileSync } from 'node:fs'
import { VezneError } from '@vezne/sdk'
import { Command, CommanderError } from 'commander'
import { Refusal } from '../../platform/refusal.ts'
import { addAccountCommands } from './account.ts'
import { addBackupCommands } from './backup.ts'
import { addBankCommands } from './bank.ts'
import { addDepositCommands } from './deposit.ts'
import { addDoctorCommand } from './doctor/doctor.ts'
import type { Doors } from './doors.ts'
import { Explained, NotRunning, WrongUsage } from './doors.ts'
import { addEndpointCommands } from './endpoint.ts'
import { addEraseCommands } from './erase.ts'
import { addEventCommands } from './events.ts'
import { addFindCommand } from './find.ts'
import { addLineCommands } from './line.ts'
import { addListenCommand } from './listen/listen.ts'
import { addMasterKeyCommands } from './master-key.ts'
import { addMerchantCommands } from './merchant.ts'
import { addMerchantFees } from './merchant-fees.ts'
import { addMerchantFreeze } from './merchant-freeze.ts'
import { addMerchantSettings } from './merchant-settings.ts'
import { addOperatorCommands } from './operator.ts'
import { note, say } from './output.ts'
import { addPayoutCommands } from './payout.ts'
import { addPruneCommand } from './prune.ts'
import { addRestoredCommands } from './restored.ts'
import { addRunCommands } from './run.ts'
import { addSignCommands } from './sign.ts'
import { addSimCommands } from './sim.ts'
import { addStatementCommands } from './statement.ts'
import { addTriggerCommand } from './trigger.ts'
import { addVerifyCommand } from './verify.ts'
import { addWithdrawalCommands } from './withdrawal.ts'

/** 0 done · 1 refused or failed · 2 wrong usage or settings · 3 nothing is running to talk to. */
const EXIT = { failed: 1, usage: 2, notRunning: 3 } as const

export function buildProgram(doors: Doors): Command {
  const program = new Command('vezne')
    .description('Payment service for bank transfers: run it, look after it, and try it out.')
    .version(version(), '--version', 'print the version')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExit codes: 0 done, 1 refused or failed, 2 wrong usage or settings, 3 nothing is running.')
    .addHelpText('after', '\nExample:\n  $ npx vezne curl GET /v1/available-banks')
  addRunCommands(program, doors)
  addDoctorCommand(program, doors)
  addMasterKeyCommands(program, doors)
  const merchant = addMerchantCommands(program, doors)
  addMerchantSettings(merchant, doors)
  addMerchantFreeze(merchant, doors)
  addMerchantFees(merchant, doors)
  addEndpointCommands(program, doors)
  addEventCommands(program, doors)
  addListenCommand(program, doors)
  addBankCommands(program, doors)
  addAccountCommands(program, doors)
  addFindCommand(program, doors)
  addDepositCommands(program, doors)
  addLineCommands(program, doors)
  addStatementCommands(program, doors)
  addOperatorCommands(program, doors)
  addWithdrawalCommands(program, doors)
  addPayoutCommands(program, doors)
  addBackupCommands(program, doors)
  addRestoredCommands(program, doors)
  addPruneCommand(program, doors)
  addEraseCommands(program, doors)
  addSignCommands(program, doors)
  addVerifyCommand(program, doors)
  addSimCommands(program, doors)
  addTriggerCommand(program, doors)
  everyCommand(program, (command) => {
    command.exitOverride().configureOutput({
      writeOut: (text) => say(text.trimEnd().split('\n')),
      writeErr: (text) => note(text.trimEnd().split('\n')),
    })
    if (command !== program) command.option('--json', 'print the result as JSON')
  })
  return program
}

function version(): string {
  const file = new URL('../../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

export function everyCommand(command: Command, visit: (command: Command) => void): void {
  visit(command)
  for (const child of command.commands) everyCommand(child, visit)
}

/** The one catch of this edge: every error becomes words on stderr and an exit code. */
export async function runCli(args: string[], doors: Doors): Promise<number> {
  try {
    await buildProgram(doors).parseAsync(args, { from: 'user' })
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage
    const { name } = error as Error
    note(wordsOf(error as Error))
    if (error instanceof NotRunning || noService(error)) return EXIT.notRunning
    const usage = error instanceof WrongUsage || codeOf(error) === 'INVALID_OPTIONS' || name === 'SettingsError'
    return usage ? EXIT.usage : EXIT.failed
  }
}

function wordsOf(error: Error): string | string[] {
  const { message, name, stack = message } = error
  if (error instanceof Explained) return error.lines
  if (name === 'SettingsError') return message.split('\n')
  if (noService(error)) return [message, 'Start the sandbox with: npm start']
  const known = [Refusal, NotRunning, WrongUsage, VezneError].some((kind) => error instanceof kind)
  return known ? message : stack.split('\n')
}

/** The API was called, and no Vezne answered. */
function noService(error: unknown): boolean {
  return ['UNREACHABLE', 'UNREADABLE_ANSWER'].includes(codeOf(error) ?? '')
}

function codeOf(error: unknown): string | null {
  return error instanceof VezneError ? error.code : null
}
