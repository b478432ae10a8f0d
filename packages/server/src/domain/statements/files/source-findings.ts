import type { CollectingAccount } from '../../banks/index.ts'
import type { Check, Finding } from './statement-file.ts'

type Previewed = { statements: { account: CollectingAccount | null }[]; findings: Finding[] }

/** All accounts of the file must have one connection as their source of record: that of the file. */
export function sourceFindings(
  { statements, findings }: Previewed,
  wanted: string | null,
): { connection: string | null; findings: Finding[] } {
  const refused = (what: string, check: Check = 'source') => ({
    connection: null,
    findings: [{ severity: 'refused' as const, check, what }, ...findings],
  })
  const accounts = new Map(statements.flatMap(({ account }) => (account ? [[account.id, account]] : [])))
  if (statements.length === 0) return refused('the file has no statement', 'account')
  if (accounts.size === 0)
    return refused(findings[0]?.what ?? 'no statement of the file is of one of our accounts', 'account')
  const all = [...accounts.values()]
  const waiting = all.find(({ awaitsConnection }) => awaitsConnection)
  if (waiting) return refused(`account ${waiting.iban} has no connection yet: vezne account connect`)
  const connection = wanted ?? all.find((one) => one.connection !== null)?.connection ?? null
  if (connection === null)
    return refused(`account ${all[0]?.iban} has no source of record: name the connection with --connection NAME`)
  const other = all.find((one) => one.connection !== null && one.connection !== connection)
  if (other) return refused(`the source of record of account ${other.iban} is ${other.connection}, not ${connection}`)
  return { connection, findings }
}
