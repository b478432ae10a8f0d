import { existsSync } from 'node:fs'
import { note } from '../../kernel/refusals/note.ts'
import { compareHeads, verifyChain } from '../audit/index.ts'
import type { DoctorApp, DoctorConfig } from './doctor-deps.ts'
import type { Check } from './check.ts'
import { judge } from './check.ts'

/** As many as a person looks through; `vezne audit verify` computes all of them. */
const NEWEST = 1000

/** The newest entries of the audit, and the newest head that was written outside of the database. */
export async function examineAudit({ db, marks }: DoctorApp, { auditHeads }: DoctorConfig): Promise<Check> {
  const reads = { db: db.pages }
  const { last, problem } = await verifyChain({ ...reads, marks }, { newest: NEWEST })
  const heads =
    auditHeads !== null && existsSync(auditHeads) ? await compareHeads(reads, auditHeads, { onlyLast: true }) : null
  const wrong = problem ?? heads?.problem ?? null
  const found =
    wrong === null
      ? note('check_audit_intact', { entries: last.number, head: heads?.newest ?? null })
      : note('check_audit_broken', { problem: wrong })
  return judge('audit', wrong === null, found, note('todo_audit'))
}
