import { writeCanonical } from '../json/canonical-json.ts'
import { hmacSha256 } from './hmac.ts'
import { sameText } from './tokens.ts'

/**
 * Marks rows that give a person power. A mark covers what the row says; its key is sealed by the master key, so who only writes to the
 * database cannot make one, nor move one to another row.
 */
export type Marks = {
  of: (row: string, says: unknown) => Promise<string>
  fits: (mark: string | null, row: string, says: unknown) => Promise<boolean>
}

type Mac = ReturnType<typeof hmacSha256>

/** The key is loaded when the first mark is needed. */
export function openMarks(loadKey: () => Promise<Buffer>): Marks {
  let loaded: Mac | undefined
  async function of(row: string, says: unknown): Promise<string> {
    loaded ??= hmacSha256(await loadKey())
    return loaded([writeCanonical([row, says])], 'hex')
  }
  return { of, fits: async (mark, row, says) => mark !== null && sameText(mark, await of(row, says)) }
}
