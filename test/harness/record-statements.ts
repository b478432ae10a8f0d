import { appendFileSync } from 'node:fs'
import pg from 'pg'

// Preloaded (`--import`) into the processes of a test: writes every distinct statement as a line of JSON to the file
// that RECORD_STATEMENTS names.

/** `off`: plan types that the connection's pool disables. */
export type Recorded = { text: string; off: string[] }

type Query = { text?: string } | string

const file = process.env['RECORD_STATEMENTS']
const known = new Set<string>()
// oxlint-disable-next-line typescript/unbound-method -- called with the client it was found on
const send = pg.Client.prototype.query as (...given: unknown[]) => unknown

/** Settings are the first statements of a pool on a new connection. */
const offOf = new WeakMap<pg.Client, string[]>()

function record(this: pg.Client, ...given: unknown[]): unknown {
  const query = given[0] as Query
  const text = typeof query === 'string' ? query : query.text
  const settings = text?.match(/(?<=set )enable_\w+(?= = off)/g)
  if (settings) offOf.set(this, settings)
  const off = offOf.get(this) ?? []
  const line = `${JSON.stringify({ text, off })}\n`
  if (file && text && !known.has(line)) {
    known.add(line)
    appendFileSync(file, line)
  }
  return send.apply(this, given)
}

if (file) pg.Client.prototype.query = record as typeof pg.Client.prototype.query
