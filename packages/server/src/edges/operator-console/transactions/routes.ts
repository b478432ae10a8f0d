import type { Said } from '../../../platform/refusal.ts'
import type { Timeline } from '../../../domain/overview/index.ts'
import {
  deleteView,
  listTransactions,
  listViews,
  saveView,
  MOST_SUMMED,
  SUMMED_AT_ONCE,
  sumTransactions,
  transactionTimeline,
} from '../../../domain/overview/index.ts'
import { linesNaming } from '../../../domain/statements/index.ts'
import type { Shown } from '../../web/console/routes.ts'
import { formatFrom } from '../../web/console/table-download.ts'
import { exportList } from '../../web/console/transaction-export.ts'
import { downloads } from '../downloads.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { accountNames, merchantNames } from '../names.ts'
import { reveal } from '../reveal/form.ts'
import { personalData } from '../reveal/personal-data.ts'
import { REVEAL_WORDS } from '../reveal/words.ts'
import { exportedColumns } from './columns.ts'
import { transactionsPage, wantedAddress, wantedFrom } from './list-page.ts'
import { noTransactionPage, transactionPage } from './transaction-page.ts'
import { SAID } from './words.ts'

export const TRANSACTIONS: Section = {
  views: [
    { path: '/transactions', show: transactions },
    { path: '/transactions/:id', show: transaction },
  ],
  forms: [
    { path: '/transactions/views', back: '/transactions', needsProof: false, decide: keep },
    { path: '/transactions/views/:id/remove', back: '/transactions', needsProof: false, decide: remove },
    { path: '/transactions/:id/reveal', action: 'data.reveal', back: '/transactions/:id', decide: revealTransaction },
  ],
  said: {
    tr: { ...SAID.tr, revealed: REVEAL_WORDS.tr.revealed },
    en: { ...SAID.en, revealed: REVEAL_WORDS.en.revealed },
  },
}

async function transactions(app: OperatorDeps, { viewer, query, session }: Asked): Promise<Shown> {
  const wanted = wantedFrom(query, viewer.now)
  const { filter, columns } = wanted
  const [merchants, format] = [await merchantNames(app), formatFrom(query)]
  if (format !== null) {
    const exported = {
      filter: { ...filter, before: undefined },
      columns: exportedColumns(viewer, columns, merchants),
      format,
    }
    return exportList(app, viewer.words, downloads, exported)
  }
  const rows = await listTransactions(app.db.pages, filter)
  const isSummed = query['sum'] === '1'
  const sums = await sumTransactions(app.db.report, filter, isSummed ? MOST_SUMMED : SUMMED_AT_ONCE)
  const views = await listViews(app.db, session.loginId)
  return { page: transactionsPage(viewer, wanted, { rows, sums, isSummed, merchants, views }) }
}

async function transaction(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const { viewer, id } = asked
  const timeline = await transactionTimeline(app, app.db.pages, id, viewer)
  if (!timeline) return { page: noTransactionPage(viewer), status: 404 }
  const data = (await personalData(app, asked))(`${timeline.kind}:${id}`)
  const [merchants, accountName] = [await merchantNames(app), await accountNames(app)]
  return {
    page: transactionPage(viewer, timeline, { merchants, accountName, data, lines: await lines(app, timeline) }),
  }
}

/** Lines that name a withdrawal. On the connections of pages there is no plan for words in texts. */
async function lines({ db }: OperatorDeps, timeline: Timeline): Promise<Said[]> {
  if (timeline.kind === 'deposit') return []
  const { id, status } = timeline.withdrawal
  return linesNaming(db, id, { paid: status === 'completed' })
}

async function revealTransaction(app: OperatorDeps, asked: Asked): Promise<string | null> {
  const timeline = await transactionTimeline(app, app.db.pages, asked.id, asked.viewer)
  return reveal(app, asked, timeline && `${timeline.kind}:${asked.id}`)
}

/** Of what the address says only what is a filter. */
const filterIn = ({ query, viewer: { now } }: Asked) => wantedAddress(wantedFrom(query, now), now)

async function keep(app: OperatorDeps, asked: Asked): Promise<Shown> {
  const query = filterIn(asked)
  await saveView(app, asked.session.loginId, { name: asked.fields.get('name') ?? '', query })
  return { redirect: `/transactions?${query}&said=viewSaved` }
}

async function remove(app: OperatorDeps, asked: Asked): Promise<Shown | null> {
  if (!(await deleteView(app, asked.session.loginId, asked.id))) return null
  return { redirect: `/transactions?${filterIn(asked)}&said=viewRemoved` }
}
