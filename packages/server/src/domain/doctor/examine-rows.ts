import { existsSync } from 'node:fs'
import { note } from '../../kernel/refusals/note.ts'
import { compareHeads, verifyChain } from '../audit/index.ts'
import { findDeposit } from '../deposits/index.ts'
import { listMerchants } from '../merchants/index.ts'
import { findUnlikeWithdrawal, findWithdrawal } from '../withdrawals/index.ts'
import { listEvents } from '../webhooks/index.ts'
import type { DoctorApp, DoctorConfig } from './doctor-deps.ts'
import type { Check } from './check.ts'
import { judge } from './check.ts'

/** The newest ones: the whole table would take hours. */
const EVENTS_PER_MERCHANT = 100
const FINAL = new Set(['completed', 'failed', 'expired', 'cancelled'])

/** Rows that the service cannot have written: someone else writes to the database. */
export async function examineRows(app: DoctorApp): Promise<Check[]> {
  return [await payouts(app), await events(app)]
}

async function payouts(app: DoctorApp): Promise<Check> {
  const unlike = await findUnlikeWithdrawal(app)
  return judge(
    'payouts and their withdrawals',
    unlike.length === 0,
    unlike.length === 0
      ? note('check_payouts_as_asked')
      : note('check_payouts_differ', { withdrawals: unlike.map(({ withdrawalId }) => withdrawalId) }),
    note('todo_payouts_differ'),
  )
}

async function events(app: DoctorApp): Promise<Check> {
  const untrue: string[] = []
  for (const { id } of await listMerchants(app.db)) {
    const seen = new Set<string>()
    for (const event of await listEvents(app.db.pages, id, { limit: EVENTS_PER_MERCHANT })) {
      // Newest first: the others of its transaction are outdated.
      if (!seen.has(event.transactionId) && (await isUntrue(app, id, event))) untrue.push(event.id)
      seen.add(event.transactionId)
    }
  }
  return judge(
    'events',
    untrue.length === 0,
    untrue.length === 0
      ? note('check_events_true', { count: EVENTS_PER_MERCHANT })
      : note('check_events_untrue', { events: untrue.slice(0, 10) }),
    note('todo_events'),
  )
}

type Event = { transactionId: string; sequence: number; type: string; body: string }

/** It announces an end that its transaction does not have. The transaction is read later, so it may have gone on since. */
async function isUntrue({ db }: DoctorApp, merchantId: string, event: Event): Promise<boolean> {
  if (event.type === 'endpoint.test') return false
  const status = statusIn(event.body)
  if (status !== null && !FINAL.has(status)) return false
  const found =
    (await findDeposit(db, merchantId, event.transactionId)) ??
    (await findWithdrawal(db, merchantId, event.transactionId))
  if (!found) return true
  return event.sequence > found.sequence || (event.sequence === found.sequence && status !== found.status)
}

function statusIn(body: string): string | null {
  try {
    return (JSON.parse(body) as { data: { status: string } }).data.status
  } catch {
    return null
  }
}

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
