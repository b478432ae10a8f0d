import { listTransactions, transactionTimeline } from '../../../domain/overview/index.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked, Section } from '../kind.ts'
import { accountNames, merchantNames } from '../names.ts'
import { reveal } from '../reveal/form.ts'
import { personalData } from '../reveal/personal-data.ts'
import { REVEAL_WORDS } from '../reveal/words.ts'
import { transactionsPage, wantedFrom } from './list-page.ts'
import { noTransactionPage, transactionPage } from './transaction-page.ts'

export const TRANSACTIONS: Section = {
  views: [
    { path: '/transactions', show: transactions },
    { path: '/transactions/:id', show: transaction },
  ],
  forms: [
    { path: '/transactions/:id/reveal', action: 'data.reveal', back: '/transactions/:id', decide: revealTransaction },
  ],
  said: { tr: { revealed: REVEAL_WORDS.tr.revealed }, en: { revealed: REVEAL_WORDS.en.revealed } },
}

async function transactions(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const filter = wantedFrom(query, viewer.now)
  const rows = await listTransactions(app.db.pages, filter)
  return { page: transactionsPage(viewer, filter, rows, await merchantNames(app)) }
}

async function transaction(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, id } = asked
  const timeline = await transactionTimeline(app.db.pages, id)
  if (!timeline) return { page: noTransactionPage(viewer), status: 404 }
  const data = (await personalData(app, asked))(`${timeline.kind}:${id}`)
  return { page: transactionPage(viewer, timeline, await merchantNames(app), await accountNames(app), data) }
}

async function revealTransaction(app: OperatorDeps, asked: Asked): Promise<string | null> {
  const timeline = await transactionTimeline(app.db.pages, asked.id)
  return reveal(app, asked, timeline && `${timeline.kind}:${asked.id}`)
}
