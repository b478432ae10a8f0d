import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { PassThrough } from 'node:stream'
import type { Table, TableKind } from './table-file.ts'
import { openTable } from './table-file.ts'

/** A reader that takes longer than this holds up others: the rows come from one transaction. */
const MAX_MS = 10 * 60_000

type Ends = { onEnd: (error: unknown) => void }

/**
 * A table that is written while it is read, no faster. Fails before anything is given if `fill` fails before its first rows; later its
 * stream breaks off, so that no one takes a part for the whole. `onEnd` is called once, with the error or null.
 */
export async function streamTable(
  kind: TableKind,
  fill: (write: Table['write']) => Promise<void>,
  { onEnd }: Ends,
): Promise<Readable> {
  const out = new PassThrough()
  const left = new AbortController()
  out.once('close', () => left.abort())
  const signal = AbortSignal.any([left.signal, AbortSignal.timeout(MAX_MS)])
  const table = openTable(async (bytes) => {
    signal.throwIfAborted()
    if (!out.write(bytes)) await once(out, 'drain', { signal })
  }, kind)
  const started = Promise.withResolvers<Readable>()
  const write: Table['write'] = (rows) => {
    started.resolve(out)
    return table.write(rows)
  }
  fill(write)
    .then(() => table.finish())
    .then(() => {
      out.end()
      onEnd(null)
    })
    .catch((error: unknown) => {
      started.reject(error)
      out.destroy(error as Error)
      onEnd(left.signal.aborted ? null : error)
    })
  return started.promise
}
