import type { BankLine, UnreadLine } from '../statements/index.ts'

/** A way to a bank. What it answers is a fact of the world, so it is a value and never an exception of ours. */
export type Rail = {
  /** Names the rail in logs and as the source of its lines. */
  name: string
  /** Lines after the cursor (from the beginning without one), and the cursor to go on from. */
  statement: (cursor: string | undefined) => Promise<StatementPage>
}

export type StatementPage =
  | { outcome: 'read'; lines: BankLine[]; unread: UnreadLine[]; cursor: string; more: boolean }
  | { outcome: 'unreachable'; why: string }
