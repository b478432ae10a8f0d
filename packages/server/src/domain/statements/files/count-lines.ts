import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { accountsByIban } from '../../banks/index.ts'
import type { BankLine } from '../bank-line.ts'
import type { Judged } from '../entered/replace-entered.ts'
import { isSuspected, judgeLines } from '../import-lines.ts'
import { lineProblem, toBankLine } from './file-line.ts'
import { keptContent } from './keep-content.ts'
import { selectKnown } from './lines/store.ts'
import { readerOf } from './open-file.ts'
import { PART_LINES, readInParts } from './read-in-parts.ts'
import { resolveAccount } from './resolve-account.ts'
import type { FileScope } from './same-booking.ts'
import { newScope } from './same-booking.ts'
import { findFile } from './store.ts'
import type { Counts as Occurrences } from './hash-counts.ts'

export type CountDeps = { db: Db; clock: Clock; ids: Ids }
type Counted = { source: string; lines: BankLine[]; scope: FileScope }
type Counts = { new: number; suspected: number; unread: number }

/** Compares lines with stored ones, which the scope then has as claimed, and stores nothing. */
export async function countLines(
  app: CountDeps,
  { source, lines, scope }: Counted,
  onNew: (line: Judged) => void = () => undefined,
): Promise<Counts> {
  const readable = lines.filter((line) => lineProblem(line) === null)
  const counts = { new: 0, suspected: 0, unread: lines.length - readable.length }
  for (let at = 0; at < readable.length; at += PART_LINES) {
    const some = readable.slice(at, at + PART_LINES)
    await app.db.transaction(async (tx) => {
      const { fresh, notBooked } = await judgeLines(app, tx, source, some, scope)
      const stored = fresh.length > 0 ? await selectKnown(tx, fresh) : []
      for (const id of stored) scope.claimed.add(id)
      counts.unread += notBooked.length
      counts.new += fresh.length - stored.length
      counts.suspected += fresh.filter(isSuspected).length
      for (const line of fresh) onNew(line)
    })
  }
  return counts
}

/** `occurrences`: to which their lines without a number are added. Null: each is counted for itself. */
type Pages = { fileIds: string[]; occurrences: Occurrences | null }

/** Reads pages again that were imported before, so that the stored lines that they have are claimed too. */
export async function claimPages(app: CountDeps, whole: FileScope, { fileIds, occurrences }: Pages): Promise<void> {
  const accounts = await accountsByIban(app.db)
  for (const id of fileIds) {
    const file = await findFile(app.db, id)
    if (!file) continue
    const none = { missing: [], holidays: whole.holidays }
    const own = newScope(id, file.format, none)
    const scope = { ...own, claimed: whole.claimed, occurrences: occurrences ?? own.occurrences }
    for await (const part of readInParts(readerOf(file.format, file.profile)(keptContent(app.db, id)))) {
      if (part.kind === 'statement' || !part.head.page) continue
      const accountIban = resolveAccount(accounts, part.head.account, file.accountIban).account?.iban ?? ''
      const booked = part.lines.filter(({ status }) => status === 'booked')
      const lines = booked.map((line) => toBankLine(line, accountIban))
      await countLines(app, { source: file.connection, lines, scope })
    }
  }
}
