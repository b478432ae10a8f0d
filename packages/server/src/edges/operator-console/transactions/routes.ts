import { listTransactions, transactionTimeline } from '../../../domain/overview/index.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked, Section } from '../kind.ts'
import { accountNames, merchantNames } from '../names.ts'
import { said } from '../said.ts'
import { transactionsPage, wantedFrom } from './list-page.ts'
import { noTransactionPage, transactionPage } from './transaction-page.ts'

export const TRANSACTIONS: Section = {
  views: [
    { path: '/transactions', show: transactions },
    { path: '/transactions/:id', show: transaction },
  ],
  forms: [],
  said: said(),
}

async function transactions(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const filter = wantedFrom(query, viewer.now)
  const rows = await listTransactions(app.db.pages, filter)
  return { page: transactionsPage(viewer, filter, rows, await merchantNames(app)) }
}

async function transaction(app: OperatorDeps, { viewer, id }: Asked): Promise<Shown> {
  const timeline = await transactionTimeline(app.db.pages, id)
  if (!timeline) return { page: noTransactionPage(viewer), status: 404 }
  return { page: transactionPage(viewer, timeline, await merchantNames(app), await accountNames(app)) }
}
