import type { Actor } from '../../kernel/actor.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { AuditEntry, AuditFilter } from '../audit/index.ts'
import { listAudit } from '../audit/index.ts'
import type { Authority } from './authorize.ts'
import { authorized } from './authorize.ts'

const PAGE = 500

/**
 * All entries of a filter, newest first, a page at a time. Who takes a copy of the audit is in the audit; the entry about it is not in
 * the copy.
 */
export async function exportAudit(
  app: Authority & { db: Db },
  actor: Actor,
  filter: AuditFilter,
  write: (entries: AuditEntry[]) => Promise<void>,
): Promise<void> {
  const until = filter.until ?? app.clock.now()
  await authorized(app, actor, 'audit.read', async (_, audit) => audit('audit:export', { after: filter }))
  let page = await listAudit(app.db.pages, { ...filter, until }, PAGE)
  await write(page)
  while (page.length === PAGE) {
    page = await listAudit(app.db.pages, { ...filter, until, before: page.at(-1)?.number }, PAGE)
    await write(page)
  }
}
