import type { BankProfile } from '@vezne/bank-formats'
import { BANK_PROFILES } from '@vezne/bank-formats'
import { createHash } from 'node:crypto'
import { formatMoney } from '../../kernel/money.ts'
import { writeCanonical } from '../../platform/json/canonical-json.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import type { Said } from '../../platform/refusal.ts'
import type { FilePreview, Finding, StatementFile } from '../statements/index.ts'
import { beginImport, importKept, previewFile, tellUnread } from '../statements/index.ts'
import { findProposed, uploadedContent } from '../uploads/index.ts'
import type { Difference } from '../people/index.ts'
import type { ProposalDeps, ProposalKind } from './proposal-kind.ts'

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
  format: string | null
  /** As JSON: a mapping is a person's own. */
  profile: string | null
  /** Its name, and whether it is none of those that Vezne has. */
  layout: { name: string; isOwn: boolean } | null
  accounts: OfAccount[]
  suspected: number
  unread: number
  /** The first of them: day, amount and why. */
  unreadLines: Said[]
  /** What the checks found, the first of each. */
  problems: Said[]
  notes: Said[]
  moreFindings: number
  /** SHA-256 of all that the checks found. */
  findings: string
}

/** A card has room for them; the page of the proposal shows all. */
const MAX_SHOWN = { problem: 50, note: 10, unread: 50 }

export function termsOfImport(preview: FilePreview, account: string | null): ImportTerms {
  const { sha256, name, connection, format, profile, counts, findings } = preview
  const found = JSON.stringify(findings.map(({ severity, what }) => [severity, what]))
  return {
    ...{ sha256, name, connection, account, format, profile: profile && JSON.stringify(profile) },
    layout: profile && { name: profile.name, isOwn: isOwn(profile) },
    ...{ accounts: accountsOf(preview), suspected: counts.suspected, unread: counts.unread },
    unreadLines: preview.unreadLines.slice(0, MAX_SHOWN.unread).map(tellUnread),
    ...shownOf(findings),
    findings: createHash('sha256').update(found).digest('hex'),
  }
}

const isOwn = (profile: BankProfile) =>
  Object.values(BANK_PROFILES).every((one) => JSON.stringify(one) !== JSON.stringify(profile))

function shownOf(findings: Finding[]) {
  const texts = (wanted: 'problem' | 'note') =>
    findings.flatMap(({ severity, what }) => (severity === wanted ? what : [])).slice(0, MAX_SHOWN[wanted])
  const [problems, notes] = [texts('problem'), texts('note')]
  return { problems, notes, moreFindings: findings.length - problems.length - notes.length }
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

function rowsOf(terms: ImportTerms): Difference[] {
  const { name, accounts, suspected, unread, moreFindings, sha256 } = terms
  const row = (field: string, after: string | number) => ({ field, as: 'fact' as const, before: null, after })
  const money = ({ count, sum }: OfAccount['credits'], currency: string) => `${count}: ${formatMoney(sum, currency)}`
  return [
    row('file', name),
    ...accounts.flatMap(({ iban, currency, period, credits, debits }) => [
      ...[row('iban', iban), row('period', period)],
      ...[row('newCredits', money(credits, currency)), row('newDebits', money(debits, currency))],
    ]),
    ...(suspected > 0 ? [row('suspected', suspected)] : []),
    ...(unread > 0 ? [row('unread', unread)] : []),
    ...found('unreadLines', terms.unreadLines),
    ...found('problems', terms.problems),
    ...found('notes', terms.notes),
    ...(moreFindings > 0 ? [row('moreFindings', moreFindings)] : []),
    ...readRows(terms),
    row('sha256', sha256),
  ]
}

const found = (field: string, after: (string | Said)[]): Difference[] =>
  after.length > 0 ? [{ field, as: 'findings', before: null, after }] : []

/** How the file is read. */
function readRows({ connection, account, format, layout, profile }: ImportTerms): Difference[] {
  const rows = { format, connection, chosenAccount: account, [layout?.isOwn ? 'ownLayout' : 'layout']: layout?.name }
  const shown = Object.entries(rows).flatMap(([field, after]): Difference[] =>
    after ? [{ field, as: 'fact', before: null, after }] : [],
  )
  if (!layout?.isOwn || profile === null) return shown
  return [
    ...shown,
    { field: 'columns', as: 'findings', before: null, after: columnsOf(JSON.parse(profile) as BankProfile) },
  ]
}

/** A wrong column, sign or decimal mark makes other money of the same file. */
function columnsOf({ columns, amounts, decimals, dates, marks, alwaysSigned }: BankProfile): string[] {
  const read = {
    amounts,
    decimals,
    dates,
    debitMarks: marks.debit,
    creditMarks: marks.credit,
    ...(alwaysSigned && { alwaysSigned }),
  }
  return [...Object.entries(columns), ...Object.entries(read)].map(
    ([name, of]) => `${name}: ${[of].flat().join(' | ')}`,
  )
}

export const targetOfFile = ({ sha256 }: { sha256: string }) => `statement:${sha256.slice(0, 16)}`

/** A file that a person uploaded: who approves it imports exactly these bytes, if the preview is still the same. */
export const STATEMENT_IMPORT: ProposalKind<ImportTerms, StatementFile> = {
  action: 'statement.import',
  targetOf: targetOfFile,
  merchantOf: () => null,
  describe: (_app, _db, terms) => Promise.resolve({ rows: rowsOf(terms) }),
  async apply(app, actor, terms, reason) {
    const { content, options, preview, isAsProposed } = await previewProposed(app, terms)
    if (!isAsProposed) throw refuse('proposed_file_differs')
    const approved = { ...options, acceptProblems: reason, approvedLines: preview.newKeys }
    return (await beginImport(app, actor, content, approved)).file
  },
  finish: (app, file) => importKept(app, file),
}

/** The kept file as it would be imported now. */
export async function previewProposed(app: ProposalDeps, terms: ImportTerms) {
  const content = await contentOf(app, terms)
  const { connection, account } = terms
  const profile = terms.profile === null ? null : (JSON.parse(terms.profile) as BankProfile)
  const options = { connection, account, profile }
  const preview = await previewFile(app, content, options)
  const isAsProposed = writeCanonical(termsOfImport(preview, account)) === writeCanonical(terms)
  return { content, options, preview, isAsProposed }
}

async function contentOf({ db }: ProposalDeps, { name, sha256 }: ImportTerms) {
  const kept = await findProposed(db, sha256)
  if (kept) return { name, open: () => uploadedContent(db, kept.id) }
  throw refuse('proposed_file_gone')
}
