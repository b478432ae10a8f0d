import type { Queryable } from '../../../platform/postgres/db.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import type { ReadStatement } from './read-in-parts.ts'
import type { Finding, StatementFile } from './statement-file.ts'
import { FAMILY } from './statement-file.ts'
import { selectOverlapping } from './store.ts'

export type Previewed = {
  counts: { new: number; suspected: number; unread: number }
  statements: { isStored: boolean }[]
  findings: Finding[]
  already: StatementFile | null
}

const addsLines = ({ counts }: Previewed) => counts.new + counts.suspected + counts.unread > 0

/** Whether an import would change nothing: all of the file, balances included, was imported before. */
export function hasNothingNew(preview: Previewed): boolean {
  if (preview.already?.state === 'imported') return true
  const { statements, findings } = preview
  const isAllStored = statements.length > 0 && statements.every((one) => one.isStored)
  const differs = findings.some(({ severity, missing }) => severity === 'refused' || missing !== undefined)
  return isAllStored && !differs && !addsLines(preview)
}

/** Lines that came another way cannot be counted twice by a file whose lines are all known: that is only a note. Nor need they be proven. */
export function fittingFindings(preview: Previewed): Finding[] {
  if (addsLines(preview)) return preview.findings
  const others = preview.findings.filter(({ check }) => check !== 'proof')
  return others.map((one) => (one.check === 'api' ? { ...one, severity: 'note' } : one))
}

/** Whether a file with the same days, lines and balances of the account was imported. */
export async function isStored(
  db: Queryable,
  account: CollectingAccount | null,
  { head, foot, fromDay, toDay, lines, credits, debits }: ReadStatement,
): Promise<boolean> {
  if (account === null || fromDay === null || toDay === null) return false
  const stored = await selectOverlapping(db, { collectingAccountId: account.id, fromDay, toDay })
  const facts = (one: (bigint | number | string | null)[]) => one.join(' ')
  const wanted = facts([
    fromDay,
    toDay,
    lines,
    credits,
    debits,
    head.opening?.amount ?? null,
    foot.closing?.amount ?? null,
  ])
  return stored.some(
    (one) =>
      FAMILY[one.format] === FAMILY[head.format] &&
      facts([one.fromDay, one.toDay, one.lines, one.credits, one.debits, one.opening, one.closing]) === wanted,
  )
}
