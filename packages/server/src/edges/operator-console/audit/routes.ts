import type { AuditEntry, AuditFilter } from '../../../domain/audit/index.ts'
import { auditedOf, auditState, listAudit, notVerified } from '../../../domain/audit/index.ts'
import { hiddenEntries, searchAll, writtenReasons } from '../../../domain/overview/index.ts'
import { exportAudit, listOperators } from '../../../domain/people/index.ts'
import { actorName } from '../../../kernel/actor.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import type { Cell, Column } from '../../../platform/files/table-cells.ts'
import { streamTable } from '../../../platform/files/table-stream.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import type { AuditWanted } from './filter.ts'
import { filterOf, wantedFrom } from './filter.ts'
import { auditPage, PAGE_SIZE } from './page.ts'
import { WORDS } from './words.ts'

const AUDIT_PATH = '/audit'

export const AUDIT: Section = {
  views: [{ path: AUDIT_PATH, show: audit }],
  forms: [{ path: '/audit/export', action: 'audit.read', back: AUDIT_PATH, decide: download }],
  said: { tr: {}, en: {} },
}

/** Without the right: one's own decisions only, whatever the address asks for. */
async function audit(app: OperatorDeps, { viewer, actor, query }: Asked): Promise<Shown> {
  const { db } = app
  const wanted = wantedFrom((name) => query[name])
  const seesAll = viewer.may('audit.read')
  const filter = { ...(await filterFor(db, wanted)), ...(!seesAll && { actor: actorName(actor) }) }
  const entries = await listAudit(db.pages, filter, PAGE_SIZE + 1)
  const reasons = await writtenReasons(db.pages, entries)
  const hidden = await hiddenEntries(app, db.pages, entries, viewer)
  const doubted = await notVerified(app.marks, entries)
  const people = seesAll ? (await listOperators(db.pages)).map(({ name }) => name) : []
  const chain = seesAll ? { state: await auditState(db.pages), people } : null
  return { page: auditPage(viewer, wanted, { entries, reasons, hidden, doubted, chain }) }
}

async function filterFor(db: Db, wanted: AuditWanted): Promise<AuditFilter> {
  const { subject } = wanted
  const kinds = Object.keys(WORDS.tr.subjects)
  return { ...filterOf(wanted), ...(subject !== '' && { subjects: await auditSubjects(db, kinds, subject) }) }
}

const COLUMNS = ['number', 'at', 'actor', 'action', 'subject', 'before', 'after', 'reason', 'origin'] as const
const HASHES = ['previousHash', 'hash'] as const
const columns = [...COLUMNS, ...HASHES].map((name): Column => ({ name, kind: 'text' }))

/** The fields of the chain, as `vezne audit show` has them. */
function cellsOf(entry: AuditEntry): Cell[] {
  const cell = (value: unknown): Cell => {
    if (value === null) return null
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  return [...COLUMNS, ...HASHES].map((name) => cell(entry[name]))
}

async function download(app: OperatorDeps, { viewer, actor, fields }: Asked): Promise<Shown> {
  const filter = await filterFor(
    app.db,
    wantedFrom((name) => fields.get(name)),
  )
  const hidingOpen = async (entries: AuditEntry[]) => {
    const hidden = await hiddenEntries(app, app.db.pages, entries, viewer)
    const reason = viewer.words.moments.hiddenStatement
    return entries.map((one) => (hidden.has(one.number) ? { ...one, before: null, after: null, reason } : one))
  }
  const body = await streamTable(
    { format: 'csv', title: 'audit', columns },
    (write) => exportAudit(app, actor, filter, async (entries) => write((await hidingOpen(entries)).map(cellsOf))),
    {
      onEnd(error) {
        if (error !== null && !(error instanceof Refusal)) app.log.error({ err: error }, 'an export broke off')
      },
    },
  )
  const name = `audit-${istanbul(viewer.now).day}.csv`
  return { download: { name, type: 'text/csv; charset=utf-8', body } }
}

const MAX_TRANSACTIONS = 20

/**
 * What the audit calls this. A whole subject (`merchant:ID`) is as it is; else an id of any kind, or a merchant's number of a
 * transaction, which several merchants may have used.
 */
async function auditSubjects(db: Db, kinds: readonly string[], text: string): Promise<string[]> {
  if (text.includes(':')) return [text]
  const { found } = await searchAll(db.search, text, MAX_TRANSACTIONS)
  const named = found.filter(({ matched }) => matched.split(', ').includes('processId')).map(({ id }) => id)
  return auditedOf(
    db.pages,
    [text, ...named].flatMap((id) => kinds.map((kind) => `${kind}:${id}`)),
  )
}
