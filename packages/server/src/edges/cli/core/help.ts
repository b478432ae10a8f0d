import type { Argument, Command } from 'commander'

/** For commands that only have subcommands, whose own examples are one step further. */
const EXAMPLES: Record<string, string> = {
  account: 'account list',
  admin: 'admin create ayse.yilmaz',
  audit: 'audit list',
  bank: 'bank list',
  batch: 'batch list',
  books: 'books day 2026-11-16',
  connection: 'connection list',
  deposit: 'deposit show 6920f0aa17c3e5b2d4968f01',
  endpoint: 'endpoint list demo',
  events: 'events list --state waiting',
  export: 'export fees --from 2026-11-01 --to 2026-11-30 --out fees.csv',
  journal: 'journal list',
  line: 'line list --state suspense',
  'master-key': 'master-key check',
  merchant: 'merchant show demo',
  operator: 'operator list',
  payout: 'payout list --state unknown',
  proposal: 'proposal list',
  rule: 'rule list',
  sim: 'sim fund demo 1000000',
  statement: 'statement list',
  withdrawal: 'withdrawal list --state unknown',
}

/** The list of commands: one sentence each, without what all of them take. Inherited by subcommands, so it comes first. */
export function shortenHelp(program: Command): void {
  program.configureHelp({
    visibleCommands: (command) => [...command.commands],
    subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
    subcommandDescription: (command) => command.description().split('. ')[0]?.replace(/\.$/, '') ?? '',
  })
}

export function addExample(command: Command): void {
  const example = command.commands.length > 0 ? EXAMPLES[command.name()] : undefined
  if (example !== undefined && command.parent?.parent === null)
    command.addHelpText('after', `\nExample:\n  $ npx vezne ${example}`)
}

/** Deposits are searched: no one reads a list of all of them. */
const INSTEAD: Record<string, string> = {
  deposit:
    "Find deposits with: npx vezne find TEXT. List the demo merchant's with: npx vezne curl '/v1/transactions?type=deposit'",
}

/** Said after a subcommand that does not exist. */
export function nameSubcommands(command: Command): void {
  if (command.parent === null || command.commands.length === 0) return
  const names = command.commands.map((one) => one.name()).join(', ')
  command.showHelpAfterError(
    [`Commands of ${command.name()}: ${names}`, INSTEAD[command.name()] ?? []].flat().join('\n'),
  )
}

function argumentTerm(argument: Argument): string {
  const word = argument.name() + (argument.variadic ? '...' : '')
  return argument.required ? `<${word}>` : `[${word}]`
}
