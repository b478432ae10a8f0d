import { rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { makeTemplate } from '../harness/database.ts'
import { startTestPostgres } from '../harness/ends-with-us.ts'
import { makeDatabaseFolder } from '../harness/temporary-folder.ts'
import { MIXES } from './mixes.ts'
import type { Options } from './month.ts'
import { playMonth } from './month.ts'
import { reportOf } from './report.ts'

// A random accounting month against the real service. Exit code 1 if the books differ from the story in anything.
// Usage: npm run prove -- month --seed N [--lines 2000] [--kind hard|ordinary] [--rules] [--days 30] [--digest FILE]

const isKind = (text: string): text is Options['kind'] => Object.hasOwn(MIXES, text)

function readOptions(): Options & { file: string | undefined } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      lines: { type: 'string', default: '2000' },
      days: { type: 'string', default: '30' },
      kind: { type: 'string', default: 'hard' },
      rules: { type: 'boolean', default: false },
      digest: { type: 'string' },
    },
  })
  if (positionals.join(' ') !== 'month') throw new Error('What is to be proved? npm run prove -- month')
  const { kind, rules, digest: file } = values
  if (!isKind(kind)) throw new Error(`--kind takes one of ${Object.keys(MIXES).join(', ')}`)
  const whole = (name: 'seed' | 'lines' | 'days', least: number) => {
    const number = Number(values[name])
    if (!Number.isSafeInteger(number) || number < least) throw new Error(`--${name} takes a whole number from ${least}`)
    return number
  }
  return { seed: whole('seed', 0), lines: whole('lines', 10), days: whole('days', 2), kind, rules, file }
}

async function main(): Promise<boolean> {
  const { file, ...options } = readOptions()
  const folder = makeDatabaseFolder()
  // It is never crashed: it need not wait for the disk.
  const postgres = await startTestPostgres(folder, ['fsync=off', 'full_page_writes=off'])
  try {
    await makeTemplate(postgres.url)
    process.env['VEZNE_TEST_DATABASE'] = postgres.url
    const month = await playMonth(options, (text) => void process.stdout.write(`${text}\n`))
    process.stdout.write(`\n${reportOf(month)}`)
    if (file !== undefined) writeFileSync(file, `${month.digest.text}sha256 ${month.digest.sha256}\n`)
    return month.differences.length === 0 && month.closed === options.days + 1
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

let code = 1
try {
  code = (await main()) ? 0 : 1
} catch (error) {
  process.stderr.write(`${(error as Error).stack}\n`)
}
process.exit(code)
