import { writeCanonical } from '../json/canonical-json.ts'
import { hmacSha256 } from './hmac.ts'
import type { Random } from './random.ts'
import { sameText } from './tokens.ts'

/**
 * Marks rows that give a person power or say where money goes. A mark covers what the row says; its key is sealed by the master key, so who
 * only writes to the database cannot make one, nor move one to another row.
 */
export type Marks = {
  of: (row: string, says: unknown) => Promise<string>
  fits: (mark: string | null, row: string, says: unknown) => Promise<boolean>
  /** Of a row whose key is not known before it is stored: a number of its own, and the mark. The table has each once. */
  ofNew: (table: string, says: unknown) => Promise<string>
  fitsNew: (mark: string | null, table: string, says: unknown) => Promise<boolean>
}

const NUMBER_BYTES = 12

type Mac = ReturnType<typeof hmacSha256>

/** The key is loaded once, when the first mark is needed; after a failure, with the next. */
export function openMarks(random: Random, loadKey: () => Promise<Buffer>): Marks {
  let loaded: Promise<Mac> | undefined
  const load = () =>
    (loaded ??= loadKey().then(hmacSha256, (error: unknown) => {
      loaded = undefined
      throw error
    }))
  async function of(row: string, says: unknown): Promise<string> {
    return (await load())([writeCanonical([row, says])], 'hex')
  }
  const numbered = async (number: string, table: string, says: unknown) =>
    `${number}.${await of(`${table}/${number}`, says)}`
  return {
    of,
    fits: async (mark, row, says) => mark !== null && sameText(mark, await of(row, says)),
    ofNew: (table, says) => numbered(random.hex(NUMBER_BYTES), table, says),
    fitsNew: async (mark, table, says) =>
      mark !== null && sameText(mark, await numbered(mark.split('.', 1).join(), table, says)),
  }
}

/** A row that carries its mark: the name it is marked under, with its table and key, and what it says. */
export type Marked = { name: string; says: unknown; mark: string | null }

/** `forged`: someone else has written the row, or changed it. */
export async function partByMark<Row>(
  marks: Marks,
  rows: readonly Row[],
  markedOf: (row: Row) => Marked,
): Promise<{ genuine: Row[]; forged: Row[] }> {
  const fits = await Promise.all(
    rows.map((row) => {
      const { name, says, mark } = markedOf(row)
      return marks.fits(mark, name, says)
    }),
  )
  return { genuine: rows.filter((_, at) => fits[at]), forged: rows.filter((_, at) => !fits[at]) }
}
