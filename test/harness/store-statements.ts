import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from '../../packages/server/src/platform/postgres/sql.ts'
import type { Recorded } from './record-statements.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Placeholder for states inlined in statements; real states are recorded as they are sent. */
const STAND_IN = 'stand_in'

/**
 * Stands in for any argument of a store function: a text, a date, a list of one, a row with every field. A generic plan
 * does not depend on values.
 */
function standIn(): unknown {
  const one = () => [standIn()]
  const known: Record<PropertyKey, unknown> = {
    length: 1,
    map: (make: (item: unknown, index: number) => unknown) => [make(standIn(), 0)],
    flatMap: (make: (item: unknown, index: number) => unknown) => [make(standIn(), 0)].flat(),
    filter: one,
    toISOString: () => '2026-01-01T00:00:00Z',
    [Symbol.iterator]: () => one().values(),
    [Symbol.toPrimitive]: () => STAND_IN,
  }
  return new Proxy(() => undefined, {
    // Not a promise: awaiting it continues at once.
    get: (_, key) => (key === 'then' ? undefined : Object.hasOwn(known, key) ? known[key] : standIn()),
    apply: () => standIn(),
  })
}

/** The pool settings of packages/server/src/platform/postgres/db.ts. */
const LONE_READ = ['enable_seqscan']
const IN_TRANSACTION = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']

export type StoreFunction = { name: string; statements: Recorded[] }

/** Statements that every exported function of every store sends. Functions that only build SQL send none. */
export async function storeStatements(): Promise<StoreFunction[]> {
  const found: StoreFunction[] = []
  for (const file of globSync('packages/server/src/domain/**/store.ts', { cwd: ROOT })) {
    const source = readFileSync(join(ROOT, file), 'utf8')
    const exported = (await import(join(ROOT, file))) as Record<string, unknown>
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value !== 'function') continue
      const [, parameter, others = ''] =
        new RegExp(`function ${name}\\(\\s*(tx: Tx|db: Queryable)([^)]*)`).exec(source) ?? []
      // A function that takes a part of a statement sends what the functions that call it give.
      if (!parameter || /: Sql\b/.test(others)) continue
      const texts = await textsOf(value as (...given: unknown[]) => unknown)
      // Functions that take a `Queryable` are called inside and outside of transactions.
      const pools = parameter === 'tx: Tx' ? [IN_TRANSACTION] : [IN_TRANSACTION, LONE_READ]
      const whole = texts.filter((text) => !text.includes(`'${STAND_IN}'`))
      const statements = whole.flatMap((text) => pools.map((off) => ({ text, off })))
      found.push({ name, statements })
    }
  }
  return found
}

async function textsOf(send: (...given: unknown[]) => unknown): Promise<string[]> {
  const texts: string[] = []
  const query = (statement: Sql) => {
    texts.push(statement.text)
    return Promise.resolve([])
  }
  try {
    await send({ query }, ...Array.from({ length: 5 }, standIn))
  } catch {
    // Some throw without rows; only the statements they sent matter.
  }
  return texts
}
