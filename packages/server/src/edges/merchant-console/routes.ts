import { balanceOf } from '../../domain/ledger/index.ts'
import type { TransactionKind } from '../../domain/overview/index.ts'
import { listTransactions, merchantTimeline, todaysTotals } from '../../domain/overview/index.ts'
import { findEvent, listEndpoints, listEvents, resendEvent } from '../../domain/webhooks/index.ts'
import type { Shown } from '../web/console/routes.ts'
import { filterFrom } from '../web/console/transaction-list.ts'
import type { Asked, MerchantDeps, Section } from './kind.ts'
import { own } from './kind.ts'
import { INSTRUCTIONS } from './instructions/routes.ts'
import { BALANCE } from './balance/routes.ts'
import { BRAND } from './brand/routes.ts'
import { CALLS } from './calls/routes.ts'
import { OWN } from '../web/console/own/routes.ts'
import { TEAM } from './team/routes.ts'
import { REFUNDS } from './refunds/routes.ts'
import { LINKS } from './links/routes.ts'
import { DEVELOPER } from './developer/routes.ts'
import { callbacksFrom, callbacksPage, EVENTS_PER_PAGE } from './pages/callbacks.ts'
import { homePage } from './pages/home.ts'
import { noTransactionPage, transactionPage } from './pages/transaction.ts'
import { transactionsPage } from './pages/transactions.ts'
import { WORDS } from './page.ts'

const PAGES: Section = {
  views: [
    { path: '/', show: home },
    { path: '/deposits', show: listOf('deposit') },
    { path: '/withdrawals', show: listOf('withdrawal') },
    { path: '/transactions/:id', show: transaction },
    { path: '/callbacks', show: callbacks },
  ],
  forms: [{ path: '/callbacks/:id/resend', action: 'event.resend', back: '/callbacks', decide: resend }],
  said: { tr: { resent: WORDS.tr.resent }, en: { resent: WORDS.en.resent } },
}

export const SECTIONS: readonly Section[] = [
  ...[PAGES, REFUNDS, LINKS, INSTRUCTIONS, BALANCE],
  ...[CALLS, DEVELOPER, TEAM, BRAND, OWN],
]

async function home(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const merchantId = own(asked)
  const { viewer } = asked
  const balances = await Promise.all(
    app.currencies.map(async (currency) => ({ currency, ...(await balanceOf(app.db.pages, merchantId, currency)) })),
  )
  const totals = await todaysTotals(app.db.report, merchantId, viewer.now)
  const endpoints = await listEndpoints(app.db.pages, merchantId)
  return { page: homePage(viewer, { balances, totals, endpoints }) }
}

function listOf(kind: TransactionKind) {
  return async (app: MerchantDeps, asked: Asked): Promise<Shown> => {
    const { viewer, query } = asked
    const filter = { ...filterFrom(query, viewer.now, kind), merchantId: own(asked) }
    return { page: transactionsPage(viewer, filter, await listTransactions(app.db.pages, filter)) }
  }
}

async function transaction(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const { viewer, id } = asked
  const merchantId = own(asked)
  const timeline = await merchantTimeline(app.db.pages, merchantId, id)
  if (!timeline) return { page: noTransactionPage(viewer), status: 404 }
  return { page: transactionPage(viewer, timeline, await listEndpoints(app.db.pages, merchantId), app.ids.next()) }
}

async function callbacks(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const { viewer, query } = asked
  const [merchantId, filter] = [own(asked), callbacksFrom(query)]
  const events = await listEvents(app.db.pages, merchantId, { ...filter, limit: EVENTS_PER_PAGE + 1 })
  const endpoints = await listEndpoints(app.db.pages, merchantId)
  return { page: callbacksPage(viewer, filter, events, endpoints) }
}

async function resend(app: MerchantDeps, asked: Asked): Promise<string | null> {
  const merchantId = own(asked)
  if (!(await findEvent(app.db, merchantId, asked.id))) return null
  await resendEvent(app, asked.actor, merchantId, asked.id)
  return 'resent'
}
