import { note } from '../../../kernel/refusals/note.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import type { Check, Finding } from './statement-file.ts'

type Previewed = { statements: { account: CollectingAccount | null }[]; findings: Finding[] }

/** All accounts of the file must have one connection as their source of record: that of the file. */
export function sourceFindings(
  { statements, findings }: Previewed,
  wanted: string | null,
): { connection: string | null; findings: Finding[] } {
  const refused = (what: Said, check: Check = 'source') => ({
    connection: null,
    findings: [{ severity: 'refused' as const, check, what }, ...findings],
  })
  const accounts = new Map(statements.flatMap(({ account }) => (account ? [[account.id, account]] : [])))
  if (statements.length === 0) return refused(note('finding_no_statement'), 'account')
  if (accounts.size === 0) return refused(findings[0]?.what ?? note('finding_none_ours'), 'account')
  const all = [...accounts.values()]
  const waiting = all.find(({ awaitsConnection }) => awaitsConnection)
  if (waiting) return refused(note('finding_account_unconnected', { account: waiting.iban }))
  const connection = wanted ?? all.find((one) => one.connection !== null)?.connection ?? null
  if (connection === null) return refused(note('finding_account_without_source', { account: all[0]?.iban ?? '' }))
  const other = all.find((one) => one.connection !== null && one.connection !== connection)
  if (other) {
    const facts = { account: other.iban, source: other.connection ?? '', connection }
    return refused(note('finding_other_source', facts))
  }
  return { connection, findings }
}
