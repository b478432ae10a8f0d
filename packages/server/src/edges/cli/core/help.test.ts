import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import type { CliContext } from './context.ts'
import { buildProgram } from './program.ts'

const never = () => assert.fail('help opens nothing')
const context = {
  ...{
    readConfig: never,
    runProcess: never,
    runMigrations: never,
    runBackup: never,
    runRestore: never,
    openApp: never,
  },
} satisfies CliContext
const program = await buildProgram(context)

/** All that is printed, with the examples after the options. */
function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => void (text += part) })
  command.outputHelp()
  return text
}

const isCommand = (example: string) => {
  let found: Command | undefined = program
  for (const word of example.split(' ')) {
    const next: Command | undefined = found.commands.find((one) => one.name() === word)
    if (!next) break
    found = next
  }
  return found !== program && found.commands.length === 0
}

test('every command is under a heading, with an example that exists', () => {
  const help = helpOf(program)
  const headings = [...help.matchAll(/^(\S.*:)\n {2}\$ npx vezne (.*)$/gm)]
  assert.deepEqual(
    headings.map(([, heading]) => heading),
    [
      ...['Running:', 'For developers:', 'Sandbox only:', 'Payments:', 'Bank lines and books:'],
      ...['Merchants and banks:', 'People and decisions:', 'Data and keys:'],
    ],
  )
  for (const [, , example = ''] of headings) assert.ok(isCommand(example), example)
  assert.doesNotMatch(help, /^Commands:/m)
  for (const command of program.commands) assert.match(help, new RegExp(`^  ${command.name()} `, 'm'))
  assert.ok(help.split('\n').length < 100, 'it fits on two screens')
})

test('after a subcommand that does not exist come those that do, and how to find deposits', async () => {
  const errorOf = async (...args: string[]) => {
    let text = ''
    const built = await buildProgram(context, args)
    for (const one of built.commands) one.configureOutput({ writeErr: (part) => void (text += part) })
    await assert.rejects(built.parseAsync(args, { from: 'user' }), { code: 'commander.unknownCommand' })
    return text
  }
  assert.match(await errorOf('line', 'foo'), /^error: unknown command 'foo'\nCommands of line: .*\blist\b.*\n$/)
  assert.match(await errorOf('deposit', 'list'), /Commands of deposit: show\nFind deposits with: npx vezne find TEXT/)
})

test('a command is built alone as among all', async () => {
  for (const command of program.commands) {
    const alone = (await buildProgram(context, [command.name()])).commands.find((one) => one.name() === command.name())
    assert.equal(alone && helpOf(alone), helpOf(command))
  }
})

test('a command of several has an example that exists', () => {
  for (const command of program.commands.filter(({ commands }) => commands.length > 0)) {
    const [, example = ''] = /Example:\n {2}\$ npx vezne (.*)/.exec(helpOf(command)) ?? []
    assert.ok(example.startsWith(`${command.name()} `) && isCommand(example), `${command.name()}: "${example}"`)
  }
})
