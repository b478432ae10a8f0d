import {
  BATCH_STATES,
  cancelBatch,
  findBatch,
  listBatches,
  listUnfitting,
  overdueBatches,
  retryBatch,
  showBatch,
} from '../../../domain/withdrawals/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { accountNames } from '../names.ts'
import { batchPage } from './batch-page.ts'
import { batchesPage, PAGE_SIZE } from './list-page.ts'
import { MAX_UNFITTING, unfittingPage } from './reports-page.ts'
import { ORDER_FILES, ORDER_WORDS } from './words.ts'

const MAX_HOLD_MINUTES = 7 * 24 * 60
const ID = /^[0-9a-f]{24}$/

/** Workers take files on within seconds. */
const NEWEST = {
  name: 'orders',
  async load({ db: { report } }: OperatorDeps) {
    return (await listBatches(report, undefined, PAGE_SIZE)).map(({ id, state, problem }) => ({ id, state, problem }))
  },
}

export const ORDERS: Section = {
  views: [
    { path: ORDER_FILES, live: NEWEST, show: list },
    { path: `${ORDER_FILES}/reports`, show: unfitting },
    { path: `${ORDER_FILES}/:id`, live: NEWEST, show: one },
  ],
  forms: [
    { path: `${ORDER_FILES}/:id/cancel`, action: 'batch.cancel', back: `${ORDER_FILES}/:id`, decide: cancel },
    { path: `${ORDER_FILES}/:id/retry`, action: 'batch.retry', back: `${ORDER_FILES}/:id`, decide: retry },
  ],
  said: { tr: ORDER_WORDS.tr.said, en: ORDER_WORDS.en.said },
}

async function list(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const state = BATCH_STATES.find((known) => known === query['state'])
  const before = ID.test(String(query['before'])) ? await findBatch(app.db.pages, String(query['before'])) : undefined
  const batches = await listBatches(app.db.pages, state, PAGE_SIZE + 1, before)
  const overdue = await overdueBatches(app)
  return { page: batchesPage(viewer, { batches, overdue, state, before: before?.id }, await accountNames(app)) }
}

async function unfitting({ db }: OperatorDeps, { viewer }: Asked): Promise<Shown> {
  return { page: unfittingPage(viewer, await listUnfitting(db.pages, new Date(0), MAX_UNFITTING)) }
}

async function one(app: OperatorDeps, { viewer, id }: Asked): Promise<Shown> {
  return { page: batchPage(viewer, await showBatch(app.db.pages, id), await accountNames(app)) }
}

async function cancel(app: OperatorDeps, { actor, id, fields, viewer }: Asked): Promise<string | null> {
  if (!(await findBatch(app.db, id))) return null
  const holdMinutes = Number(/^\d{1,5}$/.exec((fields.get('hold') ?? '').trim())?.[0] ?? NaN)
  if (!(holdMinutes <= MAX_HOLD_MINUTES)) throw new Refusal('VALIDATION_ERROR', ORDER_WORDS[viewer.language].wrongHold)
  await cancelBatch(app, actor, id, { reason: fields.get('why') ?? '', holdMinutes })
  return 'batchCancelled'
}

async function retry(app: OperatorDeps, { actor, id }: Asked): Promise<string | null> {
  if (!(await findBatch(app.db, id))) return null
  await retryBatch(app, actor, id)
  return 'batchMoved'
}
