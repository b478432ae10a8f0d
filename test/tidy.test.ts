import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { functionsOf, NO_ACTOR, writingWithoutActor } from './harness/decisions.ts'

// The rules of ARCHITECTURE.md that a program can check.

const ROOT = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const SERVER = 'packages/server/src'
const sources = globSync(`${SERVER}/**/*.ts`, { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'))

/** Domain folders and what each may use, besides `set-aside`. No cycles: a folder only names folders above it in this list. */
const DOMAIN: Record<string, readonly string[]> = {
  'set-aside': [],
  ledger: [],
  audit: [],
  uploads: [],
  people: ['audit'],
  merchants: ['audit', 'people', 'ledger'],
  banks: ['people', 'merchants'],
  identity: ['audit', 'people', 'merchants'],
  webhooks: ['people', 'merchants'],
  statements: ['people', 'banks', 'ledger'],
  connections: ['audit', 'people', 'banks', 'statements'],
  deposits: ['people', 'banks', 'merchants', 'ledger', 'webhooks', 'statements', 'connections'],
  withdrawals: 'people identity banks merchants ledger webhooks statements connections deposits'.split(' '),
  matching: ['people', 'banks', 'merchants', 'ledger', 'statements', 'deposits', 'withdrawals'],
  books: ['people', 'banks', 'merchants', 'ledger', 'statements', 'deposits', 'withdrawals', 'matching'],
  restores: 'people merchants ledger statements connections deposits withdrawals matching'.split(' '),
  erasures: ['people', 'webhooks', 'statements', 'deposits', 'withdrawals'],
  proposals: [
    ...['uploads', 'people', 'identity', 'banks', 'merchants', 'statements', 'connections', 'deposits', 'withdrawals'],
    ...['matching', 'books', 'restores', 'erasures'],
  ],
  overview: 'banks ledger webhooks statements deposits withdrawals matching books proposals'.split(' '),
  doctor: [
    ...['audit', 'people', 'identity', 'banks', 'merchants', 'ledger', 'webhooks', 'statements', 'connections'],
    ...['deposits', 'withdrawals', 'matching', 'books', 'proposals'],
  ],
}

type Import = { from: string; to: string }

function importsOf(file: string): Import[] {
  const found = [...read(file).matchAll(/^(?:import|export)\b[^'"]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gms)]
  return found.map(([, path, late]) => ({ from: file, to: normalize(join(dirname(file), (path ?? late) as string)) }))
}

const imports = sources.flatMap(importsOf)
const floorOf = (file: string) =>
  /^packages\/server\/src\/(platform|kernel|domain|acts|edges)\//.exec(file)?.[1] ?? 'root'
const roomOf = (file: string) => /^packages\/server\/src\/(?:domain|edges)\/([^/]+)\//.exec(file)?.[1]

function assertNone(violations: string[], rule: string): void {
  assert.deepEqual(violations, [], rule)
}

test('arrows point down: edges → acts → domain → kernel → platform, and nobody sees main, process, compose or config', () => {
  const below: Record<string, string[]> = {
    root: ['root', 'edges', 'acts', 'domain', 'kernel', 'platform'],
    edges: ['edges', 'acts', 'domain', 'kernel', 'platform'],
    acts: ['acts', 'domain', 'kernel', 'platform'],
    domain: ['domain', 'kernel', 'platform'],
    kernel: ['kernel', 'platform'],
    platform: ['platform'],
  }
  const wrong = imports.filter(({ from, to }) => !below[floorOf(from)]?.includes(floorOf(to)))
  assertNone(
    wrong.map(({ from, to }) => `${from} → ${to}`),
    'an import points up',
  )
})

test('edges do not import edges, except what page edges share', () => {
  const wrong = imports.filter(({ from, to }) => {
    return floorOf(from) === 'edges' && floorOf(to) === 'edges' && roomOf(from) !== roomOf(to) && roomOf(to) !== 'web'
  })
  assertNone(
    wrong.map(({ from, to }) => `${from} → ${to}`),
    'an edge imports another',
  )
})

test('the contract imports nothing of ours; of the server, edges and refusals import the contract', () => {
  const leaving = globSync('packages/{contract,simulator}/**/*.ts', { cwd: ROOT }).flatMap((file) => {
    const home = file.split('/').slice(0, 2).join('/')
    return importsOf(file).filter(({ to }) => !to.startsWith(`${home}/`))
  })
  assertNone(
    leaving.map(({ from, to }) => `${from} → ${to}`),
    'a package is left by a path',
  )
  const byName = globSync('packages/**/*.ts', { cwd: ROOT }).filter((file) => /from '@vezne\/contract/.test(read(file)))
  assert.ok(byName.length > 10)
  assertNone(
    byName.filter((file) => !/^packages\/server\/src\/(?:edges\/|platform\/refusal\.ts$)/.test(file)),
    'the domain does not know the wire',
  )
})

test('domain folders use only the folders they may, through index.ts', () => {
  const wrong = imports.filter(({ from, to }) => {
    if (floorOf(to) !== 'domain' || roomOf(from) === roomOf(to)) return false
    if (!to.endsWith('/index.ts')) return true
    return (
      floorOf(from) === 'domain' && !['set-aside', ...(DOMAIN[roomOf(from) ?? ''] ?? [])].includes(roomOf(to) ?? '')
    )
  })
  assertNone(
    wrong.map(({ from, to }) => `${from} → ${to}`),
    'a domain folder is entered where it may not be',
  )
  const folders = new Set(sources.filter((file) => floorOf(file) === 'domain').map((file) => roomOf(file) ?? ''))
  assert.deepEqual(
    [...folders].toSorted(),
    Object.keys(DOMAIN).toSorted(),
    'every domain folder has its line in DOMAIN',
  )
})

test('no import cycles', () => {
  const next = Map.groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    assert.ok(!path.includes(file), `cycle: ${[...path, file].join(' → ')}`)
    if (done.has(file)) return
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of sources) visit(file, [])
})

test('every decision takes an Actor: a domain function that an edge can call to write has one, or decides nothing', () => {
  const domain = sources.filter((file) => floorOf(file) === 'domain' && !file.endsWith('/store.ts'))
  assert.deepEqual(writingWithoutActor().toSorted(), Object.values(NO_ACTOR).flat().toSorted())
  assertNone(
    domain.filter((file) => /\b(?:by|operator)\??: string\b/.test(read(file))),
    'who decides is an Actor, not a text',
  )
  // So that an edge writes through the functions above. The sandbox's clock is no decision.
  const opens = (file: string) => floorOf(file) === 'edges' && /\.(?:transaction|oneStatement)\(/.test(read(file))
  assertNone(
    sources.filter((file) => opens(file) && !file.endsWith('/cli/sandbox/sim.ts')),
    'an edge opens a transaction',
  )
})

test('a table is named by exactly one store', () => {
  const tables = [...read('packages/server/schema.sql').matchAll(/^create table (\w+)/gm)].map(
    ([, name]) => name as string,
  )
  assert.ok(tables.length > 10)
  for (const table of tables) {
    const named = new RegExp(`\\b(?:from|join|into|update|table|delete from|lock table)\\s+${table}\\b`)
    const users = sources.filter((file) => named.test(read(file).replaceAll(/--.*$/gm, '')))
    assert.equal(users.length, 1, `${table} is named in ${users.join(', ') || 'no file'}`)
    assert.match(users[0] as string, /(\/store|platform\/\w+\/(migrate|deployment-mode|business-clock))\.ts$/, table)
  }
})

test('SQL is written only in stores and in the platform', () => {
  const allowed = /\/store\.ts$|\/src\/platform\//
  assertNone(
    sources.filter((file) => /\bsql`/.test(read(file)) && !allowed.test(file)),
    'SQL outside of a store',
  )
})

test('a file has at most 500 lines, a function at most 50', () => {
  const all = [
    ...sources,
    ...globSync(['packages/{contract,sdk}/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts'], { cwd: ROOT }),
  ]
  assertNone(
    all.filter((file) => read(file).split('\n').length > 500),
    'past 500 lines: which noun is missing?',
  )
  const long = sources.flatMap((file) => functionsOf(file, read(file))).filter(({ lines }) => lines > 50)
  assertNone(
    long.map(({ file, name }) => `${file}: ${name}`),
    'past 50 lines: which step wants a name?',
  )
})

const BANNED: { what: string; pattern: RegExp; except: RegExp }[] = [
  { what: 'process.env outside of config.ts', pattern: /process\.env\b/, except: /\/src\/config\.ts$/ },
  {
    what: 'the wall clock',
    pattern: /\bDate\.now\(|new Date\(\)/,
    except: /\/platform\/(time\/clock|embedded-postgres\/embedded-postgres)\.ts$/,
  },
  { what: 'Math.random', pattern: /Math\.random\(/, except: /^$/ },
  {
    what: 'writing past cli/core/output.ts, which escapes what cannot be seen',
    pattern: /process\.std(?:out|err)\b/,
    except: /\/src\/(?:edges\/cli\/core\/output|process)\.ts$/,
  },
  { what: 'console', pattern: /\bconsole\./, except: /^$/ },
  { what: 'floating-point parsing of money', pattern: /parseFloat\(/, except: /^$/ },
  {
    what: 'now() in SQL: time is a parameter',
    pattern: /(?<![.\w])now\(\)|current_timestamp/,
    except: /^$/,
  },
  {
    what: "the database's clock, except for leases and for following it",
    pattern: /clock_timestamp/,
    except: /\/(domain\/withdrawals\/payouts\/store|platform\/time\/business-clock)\.ts$/,
  },
  {
    what: "a pg client of one's own",
    pattern: /from 'pg'/,
    except: /\/platform\/(postgres\/db(-pool|-pooler|-listen|-primaries)?|embedded-postgres\/embedded-postgres)\.ts$/,
  },
  { what: 'select *, which hides columns', pattern: /select \* from (?!unnest)/, except: /^$/ },
  { what: 'a class that is not an error', pattern: /^(?:export )?class (?!\w+ extends Error)/m, except: /^$/ },
  { what: 'enum or namespace', pattern: /^(?:export )?(?:enum|namespace) /m, except: /^$/ },
]

for (const { what, pattern, except } of BANNED) {
  test(`banned: ${what}`, () => {
    assertNone(
      sources.filter((file) => !except.test(file) && pattern.test(read(file))),
      what,
    )
  })
}

test('a test file waits for nothing once its first test is registered: its process ends with the tests that it knows', () => {
  const waits = (file: string) => {
    const text = read(file)
    const first = text.search(/^(?:  )?(?:test|suite)\(/m)
    const rest = first === -1 ? [] : text.slice(first).split('\n')
    return rest.some((line) => /^(?!test\()[^\s/*].*\bawait /.test(line) && !/(?:=>|async).*await /.test(line))
  }
  assertNone(globSync('{packages,test}/**/*.test.ts', { cwd: ROOT }).filter(waits), 'tests after it may never run')
})

test('tests do not depend on the clock or on other files: they ask until something holds, in one place', () => {
  const tests = globSync(['packages/**/*.test.ts', 'test/**/*.ts'], { cwd: ROOT }).filter(
    (file) => !['test/tidy.test.ts', 'test/harness/until.ts'].includes(file),
  )
  const waits = /setTimeout\(|timers\/promises|\bsleep\(|from pg_locks/
  const inUtc = /valueDate: (?:now|[\w.()]+\.toISOString\(\))\.slice\(0, 10\)/
  assertNone(
    tests.filter((file) => inUtc.test(read(file)) || waits.test(read(file))),
    'a test waits for the clock or for locks of any file (see harness/lock-waits.ts), or takes the day in UTC, which is yesterday until 3:00 in Istanbul',
  )
  // Long runs that watch other processes poll at a pace.
  const imported = /\{[^}]*\bpause\b[^}]*\} from '[^']*\/until\.ts'/
  assertNone(
    tests.filter((file) => !/^test\/(chaos|faults)\//.test(file) && imported.test(read(file))),
    'who waits for something asks `until` it holds',
  )
})

test('a test ends by its own limit, not by one of its own making, which a busy machine reaches', () => {
  const ALLOWED = {
    'test/run.ts': 'the limit of the whole run',
    'test/harness/together.ts': 'a file whose tests have not begun has no limit',
    'test/harness/browser.ts': 'a browser that does not close ends with its process; no test waits for it',
    'test/callbacks/name-server.ts': 'the resolver under test needs one; what it asks answers at once',
    'test/operator-console/statements.long.test.ts': 'longer than what is usual for a page: as patient as `until`',
    'test/process/leftovers/times-out.ts': 'shows what a run says of a test that takes too long',
  }
  const limits = /\btimeout: ?[\d_]+|AbortSignal\.timeout\(/
  const found = globSync(['packages/**/*.test.ts', 'test/**/*.ts'], { cwd: ROOT }).filter(
    (file) => file !== 'test/tidy.test.ts' && limits.test(read(file)),
  )
  assert.deepEqual(found.toSorted(), Object.keys(ALLOWED).toSorted())
})

test('with the simulated bank, customers pay at it: else the bank lacks money that our books have', () => {
  const tests = globSync('test/**/*.test.ts', { cwd: ROOT }).filter((file) => /\bstartWithBank\(/.test(read(file)))
  assertNone(
    tests.filter((file) => /\bpayDeposit\(/.test(read(file))),
    'pays a deposit that the bank does not know',
  )
})

test('a subquery has an alias: PostgreSQL 15 does not accept it without', () => {
  const nameless = sources.filter((file) => {
    const text = read(file)
    return [...text.matchAll(/\b(?:from|join|lateral)\s*\(\s*(?:select|values)\b/g)].some(({ index }) => {
      let depth = 0
      let at = text.indexOf('(', index)
      do depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
      while (++at < text.length && depth > 0)
      return !/^\s*(?:as\s+)?(?!where|group|order|limit|on\b|for\b|union|join|left|cross|returning)\w+/.test(
        text.slice(at),
      )
    })
  })
  assertNone(nameless, 'a subquery without an alias')
})

test('file names are kebab-case and none is a drawer', () => {
  const drawers = /\/(utils?|helpers?|common|misc|shared|manager|service|data|info)\.ts$/
  assertNone(
    sources.filter((file) => drawers.test(file) || !/^[a-z0-9/.-]+$/.test(file)),
    'a name that says nothing',
  )
})

test('nothing is left unfinished', () => {
  const all = globSync(['packages/*/src/**/*', 'docs/**/*.md', 'bench/**/*.ts', 'test/**/*.ts', '*.md'], {
    cwd: ROOT,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile() && entry.name !== 'tidy.test.ts')
    .map((entry) => join(entry.parentPath, entry.name))
  const marks = /\b(?:TODO|FIXME|XXX)\b|not implemented|coming soon|\b(?:test|it|describe)\.(?:only|todo)\b/
  assertNone(
    all.filter((file) => marks.test(readFileSync(file, 'utf8'))),
    'unfinished or promised',
  )
})
