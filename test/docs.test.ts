import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import type { Command } from 'commander'
import { SETTINGS } from '../packages/server/src/config.ts'
import { ENTRY_KINDS } from '../packages/server/src/domain/ledger/index.ts'
import { ROUTES } from '../packages/server/src/edges/api/mount-v1.ts'
import { ERROR_STATUS } from '../packages/contract/src/index.ts'
import { NEXT } from '../packages/server/src/domain/withdrawals/payouts/payout.ts'
import { buildProgram, everyCommand } from '../packages/server/src/edges/cli/core/program.ts'
import { ibanProblem, normaliseIban } from '../packages/server/src/kernel/iban.ts'
import { sign } from '../packages/server/src/platform/crypto/signature.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** First cells of a table's rows whose first cell is code: | `NAME` | … | */
function tableRows(text: string): Map<string, string[]> {
  const rows = [...text.matchAll(/^\| `([^`]+)` \|(.+)\|$/gm)]
  return new Map(rows.map(([, name, rest]) => [name as string, (rest as string).split('|').map((cell) => cell.trim())]))
}

test('docs/api.md: the error table has every code with its status, and no other', () => {
  const rows = tableRows(read('docs/api.md'))
  const written = Object.fromEntries(
    [...rows].filter(([name]) => /^[A-Z_]{6,}$/.test(name)).map(([name, [status]]) => [name, Number(status)]),
  )
  assert.deepEqual(written, ERROR_STATUS)
})

test('docs/api.md: every endpoint is described', () => {
  const text = read('docs/api.md')
  for (const { method, path } of ROUTES) {
    const written = path.replace(/:(\w+)/g, '{$1}')
    assert.ok(text.includes(`${method} ${written}`), `${method} ${written}`)
  }
})

test('docs/api.md: the worked example of a signature is right', () => {
  const text = read('docs/api.md')
  const fact = (name: string) =>
    new RegExp(`^\\| ${name} \\| \`(.+)\` \\|$`, 'm').exec(text)?.[1] ?? assert.fail(`no row "${name}"`)
  const parts = { timestamp: fact('timestamp'), method: fact('method'), target: fact('path'), body: fact('body') }
  assert.equal(sign(fact('secret'), parts), fact('signature'))
})

test('docs/payouts.md: the IBANs to try outcomes with are valid and have the ending of their row', () => {
  const rows = [...read('docs/payouts.md').matchAll(/^\| (000\d) \| `([^`]+)` \|/gm)].map(([, ending, iban]) => ({
    ending,
    iban: normaliseIban(iban as string),
  }))
  assert.deepEqual(
    rows.map(({ iban }) => [iban.slice(-4), ibanProblem(iban)]),
    rows.map(({ ending }) => [ending, null]),
  )
  assert.equal(new Set(rows.map(({ ending }) => ending)).size, 9)
})

test('docs/ledger.md: the table of entries has every kind of the code, and no other', () => {
  const text = read('docs/ledger.md')
  const section = text.slice(text.indexOf('| kind | business event |'), text.indexOf('### Accounting date'))
  assert.deepEqual([...tableRows(section).keys()], [...ENTRY_KINDS])
})

test('docs/payouts.md: the states of a payout and what comes next are those of the table in the code', () => {
  const [, section = ''] = /^## States of a payout\n([^]*?)^## /m.exec(read('docs/payouts.md')) ?? []
  const written = [...tableRows(section)].map(([state, cells]) => [
    state,
    [...(cells.at(-1) ?? '').matchAll(/`(\w+)`/g)].map(([, next]) => next),
  ])
  assert.deepEqual(Object.fromEntries(written), NEXT)
})

test('docs/glossary.md: in alphabetical order, each word once', () => {
  const words = [...read('docs/glossary.md').matchAll(/^\| (.+?) \|/gm)].map(([, word]) => word as string).slice(1)
  assert.ok(words.length > 50)
  assert.deepEqual(words, [...new Set(words)].toSorted(new Intl.Collator('en').compare))
})

test('docs/operations.md: every setting is described, and no other', () => {
  const names = [...tableRows(read('docs/operations.md')).keys()].filter((name) =>
    /^(VEZNE_\w+|OTEL_\w+|PORT|HOST|DATABASE_URL)$/.test(name),
  )
  assert.deepEqual(names.toSorted(), Object.keys(SETTINGS).toSorted())
})

test('docs/deploy.md: its files, roles and the values of the chart are those of deploy/', () => {
  const text = read('docs/deploy.md')
  for (const [path] of text.matchAll(/\bdeploy\/[\w.]+(?:\/[\w.-]+)*\b/g)) {
    if (path !== 'deploy/.env') assert.ok(existsSync(join(ROOT, path)), path)
  }
  const roles = new Set(read('deploy/roles.sql').match(/\bvezne_\w+/g))
  const named = new Set(text.match(/^\| vezne_\w+(?= \|)/gm)?.map((cell) => cell.slice(2)))
  assert.deepEqual([...named].toSorted(), [...roles].toSorted())
  const values = [...read('deploy/helm/values.yaml').matchAll(/^(\w+):/gm)].map(([, name]) => name as string)
  const chart = text.slice(text.indexOf('| value | meaning |'), text.indexOf('## Database roles'))
  const described = [...chart.matchAll(/^\| ([\w, ]+) \|/gm)].flatMap(([, cell]) => (cell as string).split(', '))
  assert.deepEqual(described.slice(1).toSorted(), values.toSorted())
})

test('docs/cli.md: every command and every option is described; every command has an example in its help', async () => {
  const text = read('docs/cli.md')
  const program = await buildProgram({} as never)
  everyCommand(program, (command) => {
    const path = fullName(command)
    assert.ok(text.includes(path), `${path} is not in docs/cli.md`)
    for (const { long } of command.options)
      assert.ok(text.includes(long ?? ''), `${path} ${long} is not in docs/cli.md`)
    if (command.commands.length > 0) return
    let help = ''
    command.configureOutput({ writeOut: (part) => (help += part) }).outputHelp()
    assert.match(help, /Example:\n {2}\$ /, `${path} --help has no example`)
    assert.match(help, /--json/, `${path} has no --json`)
  })
})

test('docs/backup.md: the commands, options and settings that it names exist', async () => {
  const text = read('docs/backup.md')
  const program = await buildProgram({} as never)
  const options = new Map<string, string[]>()
  everyCommand(program, (command) =>
    options.set(
      fullName(command),
      command.options.map(({ long }) => long ?? ''),
    ),
  )
  const named = [...text.matchAll(/(?:npx |`)(vezne [a-z-]+(?: [a-z-]+)?)([^`\n]*)/g)]
  assert.ok(named.length > 10)
  for (const [line, name = '', rest = ''] of named) {
    const command = options.has(name) ? name : name.split(' ').slice(0, 2).join(' ')
    assert.ok(options.has(command), `${line}: there is no ${command}`)
    for (const [option] of rest.matchAll(/--[a-z-]+/g)) assert.ok(options.get(command)?.includes(option), line)
  }
  for (const [setting] of text.matchAll(/\bVEZNE_[A-Z_]+\b/g)) assert.ok(setting in SETTINGS, setting)
})

function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()
}

const RECORD_HEAD =
  /^# (\d{4}): (.+)\n\nDate: \d{4}-\d\d-\d\d\nStatus: (accepted|superseded)\n((?:Superseded by: .+\n)?)((?:Amended by: .+\n)?)\n/

test('docs/decisions: numbered without gaps, one head, one page; the index has every record', () => {
  const records = globSync('docs/decisions/[0-9]*.md', { cwd: ROOT }).toSorted()
  const files = new Set(records.map((record) => basename(record)))
  const rows = records.map((record, place) => {
    const text = read(record)
    const file = basename(record)
    const [, number = '', title = '', status = '', supersededBy = '', amendedBy = ''] =
      RECORD_HEAD.exec(text) ?? assert.fail(`${record} does not start with the head that README.md shows`)
    assert.equal(number, String(place + 1).padStart(4, '0'), record)
    assert.ok(file.startsWith(`${number}-`), record)
    assert.equal(supersededBy !== '', status === 'superseded', `${record}: Status or "Superseded by" is wrong`)
    for (const line of [supersededBy, amendedBy].filter(Boolean)) {
      const named = [...line.matchAll(/\[(\d{4})\]\(([^)]+)\)/g)]
      const isLater = ([, later, target = '']: string[]) =>
        files.has(target) && target.startsWith(`${later}-`) && target > file
      assert.ok(named.length > 0 && named.every(isLater), `${record}: ${line}`)
    }
    assert.ok(text.split('\n').length <= 65, `${record} is longer than a page`)
    return `| [${number}](${file}) | ${title} | ${status} |`
  })
  assert.deepEqual(read('docs/decisions/README.md').match(/^\| \[.+$/gm), rows)
})

test('every dependency has its reason in docs/decisions', () => {
  const names = ['package.json', ...globSync('packages/*/package.json', { cwd: ROOT })].flatMap((file) => {
    const manifest = JSON.parse(read(file)) as Record<string, Record<string, string>>
    return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.keys(manifest[kind] ?? {}).filter((name) => !name.startsWith('@vezne/')),
    )
  })
  const reasons = globSync('docs/decisions/*.md', { cwd: ROOT }).map(read).join('\n')
  assert.deepEqual(
    names.filter((name) => !reasons.includes(`\`${name}\``)),
    [],
  )
})

test('links between documents lead somewhere', () => {
  for (const file of globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })) {
    for (const [, target] of read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)) {
      assert.ok(existsSync(join(ROOT, dirname(file), target as string)), `${file} → ${target}`)
    }
  }
})

test('README: the first screen has the two commands; ARCHITECTURE keeps to 200 lines', () => {
  const firstScreen = read('README.md').split('\n').slice(0, 40).join('\n')
  assert.match(firstScreen, /npm start/)
  assert.match(firstScreen, /npm test/)
  assert.ok(read('ARCHITECTURE.md').split('\n').length <= 200)
})
