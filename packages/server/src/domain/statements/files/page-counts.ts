import type { StatementHead } from '@vezne/bank-formats'
import { istanbul } from '../../../kernel/istanbul.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import type { CountDeps } from './count-lines.ts'
import { claimPages } from './count-lines.ts'
import { pagesOf } from './pages.ts'
import type { Placed } from './repeated-lines.ts'
import type { FileScope } from './same-booking.ts'

type Part = { head: StatementHead; account: CollectingAccount | null; lines: Placed[] }

/**
 * Equal lines without a number on several pages are several payments. Before the first such line of a page, those of the pages that
 * were imported before are counted. Called for each part.
 */
export function newPageCounts(app: CountDeps): (scope: FileScope, part: Part) => Promise<void> {
  const counted = new WeakSet<StatementHead>()
  return async (scope, { head, account, lines }) => {
    if (!head.page || !account || counted.has(head) || lines.every(({ line }) => line.bankReference)) return
    counted.add(head)
    const days = lines.map(({ line }) => istanbul(line.bookedAt).day).toSorted()
    const statement = { head, fromDay: days[0] ?? null, toDay: days.at(-1) ?? null }
    const others = await pagesOf(app.db, { statement, account }, [])
    const fileIds = others.flatMap(({ number, fileId }) => (number === head.page?.number ? [] : (fileId ?? [])))
    await claimPages(app, scope, { fileIds, occurrences: scope.occurrences })
  }
}
