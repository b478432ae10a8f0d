import { createHash, hash } from 'node:crypto'
import { formatMoney } from '../../../kernel/money.ts'
import type { Judged } from '../entered/replace-entered.ts'
import { keyOf } from '../entered/store.ts'

/** 96 bits of a hash for each line: a file may have a million. */
const BYTES = 12

/** `held`: it waits for a person, or stands for an entered line. */
const digest = (line: Judged, held: boolean) =>
  hash('sha256', `${keyOf(line)}|${held ? 'held' : 'new'}`, 'buffer').subarray(0, BYTES)

const isHeld = ({ correctsLineId }: Judged) => correctsLineId !== null

/** Collects the new lines of a preview. */
export function newLineKeys(): { add: (line: Judged) => void; all: () => Buffer } {
  let bytes = Buffer.alloc(BYTES * 64)
  let used = 0
  return {
    add: (line) => {
      if (used === bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)])
      used += digest(line, isHeld(line)).copy(bytes, used)
    },
    all: () => bytes.subarray(0, used),
  }
}

/** Whether two people saw the line as one that is booked so. One that now waits for a person is no more than they saw. */
export function approvedBy(keys: Buffer): (line: Judged) => boolean {
  const seen = new Set<string>()
  for (let at = 0; at < keys.length; at += BYTES) seen.add(keys.toString('latin1', at, at + BYTES))
  const has = (line: Judged, held: boolean) => seen.has(digest(line, held).toString('latin1'))
  return (line) => has(line, false) || (isHeld(line) && has(line, true))
}

export const hashOfKeys = (keys: Buffer | null) => keys && createHash('sha256').update(keys).digest('hex')

/** A file that two people approved has a line that they did not see as new: a known line was undone meanwhile, for example. */
export class NotApprovedError extends Error {
  override name = 'NotApprovedError'
  readonly line: string

  constructor({ direction, amount, currency, valueDate, bankReference }: Judged) {
    const sign = direction === 'credit' ? '+' : '-'
    const line = [valueDate, `${sign}${formatMoney(amount, currency)}`, bankReference ?? ''].join(' ').trim()
    super(`Two people did not see this line as new: ${line}`)
    this.line = line
  }
}
