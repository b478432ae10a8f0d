import type { BankProfile, StatementFormat, StatementHead } from '@vezne/bank-formats'
import { BankFileError } from '@vezne/bank-formats'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import { accountsByIban } from '../../banks/index.ts'
import { isSuspected, judgeLines } from '../import-lines.ts'
import type { Previous } from './check-statement.ts'
import { checkStatement } from './check-statement.ts'
import { lineProblem, toBankLine } from './file-line.ts'
import { fingerprint } from './keep-content.ts'
import { countKnown } from './lines/store.ts'
import type { FileContent } from './open-file.ts'
import { openFile } from './open-file.ts'
import type { ReadLine, ReadPart, ReadStatement } from './read-in-parts.ts'
import { PART_LINES, readInParts } from './read-in-parts.ts'
import { resolveAccount } from './resolve-account.ts'
import type { FileScope } from './same-booking.ts'
import { newScope } from './same-booking.ts'
import { sourceFindings } from './source-findings.ts'
import type { Finding, StatementFile } from './statement-file.ts'
import { findBySha } from './store.ts'

export type FileOptions = {
  /** Null: that of the account. */
  connection: string | null
  /** IBAN of the account, for a file that does not name it. */
  account: string | null
  /** Null: found by the content. */
  profile: BankProfile | null
}

type PreviewedStatement = Omit<ReadStatement, 'days' | 'head' | 'foot'> & {
  format: StatementFormat
  bankId: string | null
  /** Null for a statement of an account that is not ours. */
  account: CollectingAccount | null
  opening: bigint | null
  closing: bigint | null
}

/** What an import would do. `unread` lines are kept for a person; `pending` ones come again when they are booked. */
export type FilePreview = {
  name: string
  sha256: string
  size: number
  format: StatementFormat | null
  profile: BankProfile | null
  connection: string | null
  statements: PreviewedStatement[]
  findings: Finding[]
  counts: { lines: number; new: number; known: number; suspected: number; unread: number; pending: number }
  /** The same content, imported before or being imported. */
  already: StatementFile | null
}

export type CheckedFile = Omit<FilePreview, 'counts'>

export type Deps = { db: Db; clock: Clock; ids: Ids }
export type OnProgress = (lines: number) => void

/** Reads the whole file once, compares it with what is stored, and stores nothing. */
export function previewFile(
  app: Deps,
  content: FileContent,
  options: FileOptions,
  onProgress: OnProgress = () => undefined,
): Promise<FilePreview> {
  let scope: FileScope | null = null
  return readFile(app, content, options, async (preview, account, { head, lines }) => {
    scope ??= newScope(preview.already?.id ?? '', head.format)
    await countPart(app, preview, { account, connection: options.connection, lines, scope })
    onProgress(preview.counts.lines)
  })
}

/** The preview without its counts: the import compares the lines itself, which takes longer than to read them. */
export function checkFile(
  app: Deps,
  content: FileContent,
  options: FileOptions,
  onProgress: OnProgress = () => undefined,
): Promise<CheckedFile> {
  let lines = 0
  return readFile(app, content, options, (_preview, _account, part) => onProgress((lines += part.lines.length)))
}

type OnPart = (
  preview: FilePreview,
  account: CollectingAccount | null,
  part: ReadPart & { kind: 'part' },
) => Promise<void> | void

async function readFile(app: Deps, content: FileContent, options: FileOptions, onPart: OnPart): Promise<FilePreview> {
  try {
    return await readParts(app, content, options, onPart)
  } catch (error) {
    if (!(error instanceof BankFileError)) throw error
    throw new Refusal('INVALID_STATE', `${content.name}, ${error.message}. Nothing was imported.`)
  }
}

async function readParts(app: Deps, content: FileContent, options: FileOptions, onPart: OnPart): Promise<FilePreview> {
  const preview = await newPreview(app, content)
  if (preview.already?.state === 'imported') return preview
  const { profile, reader } = await openFile(content, options.profile)
  preview.profile = profile
  const accounts = await accountsByIban(app.db)
  const resolve = (head: StatementHead) => resolveAccount(accounts, head.account, options.account)
  const last = new Map<string, Previous>()
  for await (const part of readInParts(reader(content.open()))) {
    if (part.kind === 'part') {
      await onPart(preview, resolve(part.head).account, part)
      continue
    }
    const { statement } = part
    preview.format = statement.head.format
    const found = resolve(statement.head)
    preview.statements.push(previewOf(statement, found.account))
    if (found.account === null) preview.findings.push({ severity: 'note', what: found.problem })
    else await addChecks(app, preview, { account: found.account, statement, last })
  }
  return { ...preview, ...sourceFindings(preview, options.connection) }
}

async function newPreview(app: Deps, content: FileContent): Promise<FilePreview> {
  const { sha256, size } = await fingerprint(content)
  const already = (await findBySha(app.db, sha256)) ?? null
  const counts = { lines: 0, new: 0, known: 0, suspected: 0, unread: 0, pending: 0 }
  const unknown = { format: null, profile: null, connection: null, statements: [], findings: [] }
  return { name: content.name, sha256, size, ...unknown, counts, already }
}

type Checked = { account: CollectingAccount; statement: ReadStatement; last: Map<string, Previous> }

async function addChecks(app: Deps, preview: FilePreview, { account, statement, last }: Checked): Promise<void> {
  preview.findings.push(...(await checkStatement(app, account, statement, last.get(account.id))))
  if (statement.toDay !== null)
    last.set(account.id, { toDay: statement.toDay, closing: statement.foot.closing?.amount ?? null })
}

type Part = { account: CollectingAccount | null; connection: string | null; lines: ReadLine[]; scope: FileScope }

async function countPart(
  app: Deps,
  { counts }: FilePreview,
  { account, connection, lines, scope }: Part,
): Promise<void> {
  const booked = lines.filter(({ status }) => status === 'booked')
  counts.lines += lines.length
  counts.pending += lines.length - booked.length
  const all = booked.map((line) => toBankLine(line, account?.iban ?? ''))
  const readable = all.filter((line) => lineProblem(line) === null)
  counts.unread += all.length - readable.length
  const source = connection ?? account?.connection ?? ''
  for (let at = 0; at < readable.length; at += PART_LINES) {
    const some = readable.slice(at, at + PART_LINES)
    await app.db.transaction(async (tx) => {
      const { drafted, fresh, notBooked } = await judgeLines(app, tx, source, some, scope)
      const stored = fresh.length > 0 ? await countKnown(tx, fresh) : 0
      counts.unread += notBooked.length
      counts.known += drafted - fresh.length + stored
      counts.new += fresh.length - stored
      counts.suspected += fresh.filter(isSuspected).length
    })
  }
}

function previewOf(
  { days: _, head, foot, ...sums }: ReadStatement,
  account: CollectingAccount | null,
): PreviewedStatement {
  const { format, id: bankId, opening } = head
  return { ...sums, format, bankId, account, opening: opening?.amount ?? null, closing: foot.closing?.amount ?? null }
}
