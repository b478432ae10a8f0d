import type { BankProfile } from '@vezne/bank-formats'
import { createHash } from 'node:crypto'
import { formatMoney } from '../../kernel/money.ts'
import { writeCanonical } from '../../platform/json/canonical-json.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { FilePreview, StatementFile } from '../statements/index.ts'
import { beginImport, importKept, previewFile } from '../statements/index.ts'
import { findProposed, uploadedContent } from '../uploads/index.ts'
import type { ChangeDeps, ChangeKind, Difference } from './change.ts'

/** New lines of one account. */
type OfAccount = {
  iban: string
  currency: string
  period: string
  credits: { count: number; sum: bigint }
  debits: { count: number; sum: bigint }
}

/** Which bytes are imported, how they are read, and what the preview showed of them. */
export type ImportTerms = {
  sha256: string
  name: string
  connection: string | null
  /** Of a table that does not name it. */
  account: string | null
  /** As JSON: a mapping is a person's own. */
  profile: string | null
  accounts: OfAccount[]
  suspected: number
  unread: number
  /** SHA-256 of what the checks found. */
  findings: string
}

export function termsOfImport(preview: FilePreview, account: string | null): ImportTerms {
  const { sha256, name, connection, profile, counts, findings } = preview
  const found = JSON.stringify(findings.map(({ severity, what }) => [severity, what]))
  return {
    ...{ sha256, name, connection, account, profile: profile && JSON.stringify(profile) },
    ...{ accounts: accountsOf(preview), suspected: counts.suspected, unread: counts.unread },
    findings: createHash('sha256').update(found).digest('hex'),
  }
}

function accountsOf({ statements, added }: FilePreview): OfAccount[] {
  const ibans = [...new Set(statements.flatMap(({ account }) => account?.iban ?? []))]
  return ibans.flatMap((iban) => {
    const own = statements.filter(({ account }) => account?.iban === iban)
    const days = own.flatMap(({ fromDay, toDay }) => [fromDay ?? [], toDay ?? []].flat()).toSorted()
    const { credit, debit } = added[iban] ?? {}
    if (!credit || !debit) return []
    const period = [...new Set([days[0] ?? '', days.at(-1) ?? ''])].join(' – ')
    return [{ iban, currency: own[0]?.account?.currency ?? '', period, credits: credit, debits: debit }]
  })
}

function rowsOf({ name, accounts, suspected, unread, sha256 }: ImportTerms): Difference[] {
  const row = (field: string, after: string | number) => ({ field, as: 'text' as const, before: null, after })
  const money = ({ count, sum }: OfAccount['credits'], currency: string) => `${count}: ${formatMoney(sum, currency)}`
  return [
    row('file', name),
    ...accounts.flatMap(({ iban, currency, period, credits, debits }) => [
      ...[row('iban', iban), row('period', period)],
      ...[row('newCredits', money(credits, currency)), row('newDebits', money(debits, currency))],
    ]),
    ...(suspected > 0 ? [row('suspected', suspected)] : []),
    ...(unread > 0 ? [row('unread', unread)] : []),
    row('sha256', sha256),
  ]
}

export const targetOfFile = ({ sha256 }: { sha256: string }) => `statement:${sha256.slice(0, 16)}`

/** A file that a person uploaded: who approves it imports exactly these bytes, if the preview is still the same. */
export const STATEMENT_IMPORT: ChangeKind<ImportTerms, StatementFile> = {
  action: 'statement.import',
  targetOf: targetOfFile,
  merchantOf: () => null,
  describe: (_app, _db, terms) => Promise.resolve({ rows: rowsOf(terms) }),
  async apply(app, actor, terms, reason) {
    const content = await contentOf(app, terms)
    const { connection, account } = terms
    const profile = terms.profile === null ? null : (JSON.parse(terms.profile) as BankProfile)
    const options = { connection, account, profile, acceptProblems: reason }
    const preview = await previewFile(app, content, options)
    if (writeCanonical(termsOfImport(preview, account)) !== writeCanonical(terms))
      throw new Refusal(
        'INVALID_STATE',
        'What the file would bring is not what was proposed. Approve files of earlier days first, or reject it and upload the file again.',
      )
    return (await beginImport(app, actor, content, options)).file
  },
  finish: (app, file) => importKept(app, file),
}

async function contentOf({ db }: ChangeDeps, { name, sha256 }: ImportTerms) {
  const kept = await findProposed(db, sha256)
  if (kept) return { name, open: () => uploadedContent(db, kept.id) }
  throw new Refusal('INVALID_STATE', 'The file is not kept any more. Upload it again: the same file is approved by it.')
}
