import type { AuditEntry } from '../../../domain/audit/index.ts'
import { auditState, listAudit } from '../../../domain/audit/index.ts'
import { writtenReasons } from '../../../domain/overview/index.ts'
import { exportAudit, listOperators } from '../../../domain/people/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import type { Cell, Column } from '../../../platform/files/table-cells.ts'
import { streamTable } from '../../../platform/files/table-stream.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked, Section } from '../kind.ts'
import { filterOf, wantedFrom } from './filter.ts'
import { auditPage, PAGE_SIZE } from './page.ts'

const AUDIT_PATH = '/audit'

export const AUDIT: Section = {
  views: [{ path: AUDIT_PATH, action: 'audit.read', show: audit }],
  forms: [{ path: '/audit/export', action: 'audit.read', back: AUDIT_PATH, decide: download }],
  said: { tr: {}, en: {} },
}

async function audit({ db }: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const wanted = wantedFrom((name) => query[name])
  const entries = await listAudit(db.pages, filterOf(wanted), PAGE_SIZE + 1)
  const people = (await listOperators(db.pages)).map(({ name }) => name)
  const reasons = await writtenReasons(db.pages, entries)
  return { page: auditPage(viewer, wanted, { entries, reasons, state: await auditState(db.pages), people }) }
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
  const filter = filterOf(wantedFrom((name) => fields.get(name)))
  const body = await streamTable(
    { format: 'csv', title: 'audit', columns },
    (write) => exportAudit(app, actor, filter, (entries) => write(entries.map(cellsOf))),
    {
      onEnd(error) {
        if (error !== null && !(error instanceof Refusal)) app.log.error({ err: error }, 'an export broke off')
      },
    },
  )
  const name = `audit-${istanbul(viewer.now).day}.csv`
  return { download: { name, type: 'text/csv; charset=utf-8', body } }
}
