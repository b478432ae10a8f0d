import { appendFileSync } from 'node:fs'
import pg from 'pg'

// Loaded before everything else (`--import`) into the processes of a test: every statement that one sends, once, goes as a line of
// JSON to the file that RECORD_STATEMENTS names.

export type Recorded = { text: string; inTransaction: boolean }

type Query = { text?: string } | string

const file = process.env['RECORD_STATEMENTS']
const known = new Set<string>()
// oxlint-disable-next-line typescript/unbound-method -- called with the client it was found on
const send = pg.Client.prototype.query as (...given: unknown[]) => unknown

function record(this: pg.Client & { connectionParameters?: { options?: string } }, ...given: unknown[]): unknown {
  const query = given[0] as Query
  const text = typeof query === 'string' ? query : query.text
  // The pool of transactions plans with nested loops only; that of lone reads does not.
  const inTransaction = this.connectionParameters?.options?.includes('enable_hashjoin=off') ?? false
  const line = `${JSON.stringify({ text, inTransaction })}\n`
  if (file && text && !known.has(line)) {
    known.add(line)
    appendFileSync(file, line)
  }
  return send.apply(this, given)
}

if (file) pg.Client.prototype.query = record as typeof pg.Client.prototype.query
