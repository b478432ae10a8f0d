import { findCall, listCalls, listKeys } from '../../../domain/merchants/index.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, MerchantDeps, Section } from '../kind.ts'
import { idFrom, own } from '../kind.ts'
import { noSuchPage } from '../pages/transaction.ts'
import { callPage, CALLS_PER_PAGE, callsPage } from './calls.ts'

export const CALLS: Section = {
  views: [
    { path: '/calls', show: list },
    { path: '/calls/:id', show: call },
  ],
  forms: [],
  said: { tr: {}, en: {} },
}

async function list(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const failed = asked.query['result'] === 'failed'
  const page = { failed, before: idFrom(asked.query['before']), limit: CALLS_PER_PAGE + 1 }
  return { page: callsPage(asked.viewer, failed, await listCalls(app.db.pages, own(asked), page)) }
}

async function call(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const found = await findCall(app.db.pages, own(asked), asked.id)
  if (!found) return { page: noSuchPage(asked.viewer), status: 404 }
  const keys = await listKeys({ ...app, db: app.db.pages }, own(asked))
  const apiKey = keys.find(({ revokedAt }) => revokedAt === null)?.apiKey ?? 'vk_…'
  return { page: callPage(asked.viewer, found, { apiKey, base: app.publicUrl() }) }
}
