import { balanceOf } from '../../domain/ledger/index.ts'
import type { TransactionKind } from '../../domain/overview/index.ts'
import { listTransactions, merchantTimeline, todaysTotals } from '../../domain/overview/index.ts'
import { findEvent, listEndpoints, listEvents, resendEvent } from '../../domain/webhooks/index.ts'
import type { Asked as AnyAsked, Form, Shown, View } from '../web/console/routes.ts'
import type { ConsoleDeps } from '../web/console/site.ts'
import { filterFrom } from '../web/console/transaction-list.ts'
import { callbacksFrom, callbacksPage, EVENTS_PER_PAGE } from './pages/callbacks.ts'
import { homePage } from './pages/home.ts'
import { noTransactionPage, transactionPage } from './pages/transaction.ts'
import { transactionsPage } from './pages/transactions.ts'
import type { Words } from './words-tr.ts'

export type MerchantDeps = ConsoleDeps & { currencies: readonly string[] }
export type MerchantKind = { app: MerchantDeps; words: Words; outcome: 'resent' }
type Asked = AnyAsked<MerchantKind>

export function outcomeText({ resent }: Words, given: unknown): string | undefined {
  return given === 'resent' ? resent : undefined
}

export const VIEWS: View<MerchantKind>[] = [
  { path: '/', show: home },
  { path: '/deposits', show: listOf('deposit') },
  { path: '/withdrawals', show: listOf('withdrawal') },
  { path: '/transactions/:id', show: transaction },
  { path: '/callbacks', show: callbacks },
]

export const FORMS: Form<MerchantKind>[] = [
  { path: '/callbacks/:id/resend', action: 'event.resend', back: '/callbacks', decide: resend },
]

/** Everything is read for the merchant of the session: no address and no field names another one. */
function own({ merchantId }: Asked): string {
  if (merchantId === null) throw new Error('A session of the merchant console has no merchant.')
  return merchantId
}

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
  return { page: transactionPage(viewer, timeline, await listEndpoints(app.db.pages, merchantId)) }
}

async function callbacks(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const { viewer, query } = asked
  const [merchantId, filter] = [own(asked), callbacksFrom(query)]
  const events = await listEvents(app.db.pages, merchantId, { ...filter, limit: EVENTS_PER_PAGE + 1 })
  const endpoints = await listEndpoints(app.db.pages, merchantId)
  return { page: callbacksPage(viewer, filter, events, endpoints) }
}

async function resend(app: MerchantDeps, asked: Asked): Promise<'resent' | null> {
  const merchantId = own(asked)
  if (!(await findEvent(app.db, merchantId, asked.id))) return null
  await resendEvent(app, asked.actor, merchantId, asked.id)
  return 'resent'
}
