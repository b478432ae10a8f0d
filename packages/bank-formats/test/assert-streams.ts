import assert from 'node:assert/strict'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readCamt } from '../src/camt.ts'
import { BANK_PROFILES } from '../src/bank-profiles.ts'
import { readCsv } from '../src/csv.ts'
import { readMt940 } from '../src/mt940.ts'
import type { StatementReader } from '../src/statement.ts'
import { balance, camtFile, details, entry, statement } from './camt-file.ts'

const MEGABYTE = 1024 * 1024
/** What a reader may take from the file before it returns the lines in it: a piece of 64 KiB and the rest of the last one. */
const AHEAD_BYTES = 192 * 1024
/** All lines of 50 MB would take more than twice as much. */
const HEAP_BYTES = 24 * MEGABYTE

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

type Source = {
  name: string
  read: StatementReader
  before: string
  line: (index: number, text: string) => string
  after: string
}

const dayOf = (days: number) => new Date(Date.UTC(1990, 0, 1 + days)).toISOString().slice(0, 10)

const [BEFORE, AFTER] = camtFile([statement(`${balance('OPBD', '0')}@`)]).split('@') as [string, string]
export const SOURCES: Source[] = [
  {
    name: 'camt.053',
    read: readCamt,
    before: BEFORE,
    line: (_, text) => entry({ amount: '1', more: details(`<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`) }),
    after: AFTER,
  },
  {
    name: 'MT942',
    read: readMt940,
    before: ':20:X\n:25:123456\n:28C:1/1\n:34F:TRY0,\n',
    line: (index, text) => `:61:2601310131C1,NTRFNONREF//${index}\n:86:${text}\n`,
    after: ':90D:0TRY0,\n',
  },
  {
    name: 'CSV',
    read: readCsv(BANK_PROFILES.garanti),
    before: 'Tarih;Açıklama;Tutar;Bakiye;Dekont No\n',
    // The lines of a day are held, to put them in order.
    line: (index, text) => `${dayOf(Math.floor(index / 10))};${text};1,00;${index + 1},00;${index}\n`,
    after: '',
  },
]

/** Lines come while the file is read, and are not kept. Longer texts make a file of the same size with fewer lines, which is read faster. */
export async function assertStreams(
  { read, before, line, after }: Source,
  megabytes: number,
  textLength: number,
): Promise<void> {
  const textOf = (index: number) => `line ${index} `.padEnd(textLength, 'x')
  let [sentBytes, written, found] = [0, 0, 0]
  const ends: number[] = []
  async function* file(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(before)
    while (sentBytes < megabytes * MEGABYTE) {
      let group = ''
      while (group.length < 16 * 1024) {
        group += line(written, textOf(written++))
        ends.push(sentBytes + group.length)
      }
      yield Buffer.from(group)
      sentBytes += group.length
    }
    yield Buffer.from(after)
  }
  collectGarbage()
  const heapAtStart = process.memoryUsage().heapUsed
  let [ahead, heap, checkAt] = [0, 0, (megabytes / 4) * MEGABYTE]
  for await (const event of read(file())) {
    if (event.kind !== 'line') continue
    if (event.line.narrative !== textOf(found).trim()) assert.fail(`found ${event.line.narrative} as line ${found}`)
    const readBytes = ends[found++] as number
    ahead = Math.max(ahead, sentBytes - readBytes)
    if (readBytes < checkAt) continue
    checkAt += (megabytes / 4) * MEGABYTE
    collectGarbage()
    heap = Math.max(heap, process.memoryUsage().heapUsed - heapAtStart)
  }
  assert.equal(found, written)
  assert.ok(ahead <= AHEAD_BYTES, `read ${ahead} bytes ahead`)
  assert.ok(heap <= HEAP_BYTES, `kept ${heap} bytes`)
}
