import { listAudit } from '../../domain/audit/index.ts'
import { wholeBalances } from '../../domain/ledger/index.ts'
import { recentRotations } from '../../domain/merchants/index.ts'
import type { MerchantTimeline, TransactionKind } from '../../domain/overview/index.ts'
import {
  listTransactions,
  merchantTimeline,
  namedTransaction,
  searchMerchant,
  todaysTotals,
} from '../../domain/overview/index.ts'
import { waitingInstructions } from '../../domain/proposals/index.ts'
import { waitingDuplicates } from '../../domain/withdrawals/index.ts'
import { findEvent, listEndpoints, listEvents, resendEvent } from '../../domain/webhooks/index.ts'
import { EVENTS_PER_PAGE, eventsFrom } from '../web/console/callbacks/event-list.ts'
import { CALLBACK_WORDS } from '../web/console/callbacks/words.ts'
import type { Shown } from '../web/console/routes.ts'
import { liveView } from '../web/console/routes.ts'
import { MAX_FOUND, searchText } from '../web/console/search.ts'
import { formatFrom } from '../web/console/table-download.ts'
import { exportList } from '../web/console/transaction-export.ts'
import { filterFrom } from '../web/console/transaction-list.ts'
import { peopleOf, personName } from './people.ts'
import type { Asked, MerchantDeps, MerchantKind, Section } from './kind.ts'
import { own } from './kind.ts'
import { downloads } from './downloads.ts'
import { INSTRUCTIONS } from './instructions/routes.ts'
import { BALANCE } from './balance/routes.ts'
import { openGate } from '../../platform/concurrency/gate.ts'
import { BRAND } from './brand/routes.ts'
import { CALLS } from './calls/routes.ts'
import { OWN } from '../web/console/own/routes.ts'
import { TEAM } from './team/routes.ts'
import { REFUNDS } from './refunds/routes.ts'
import { LINKS } from './links/routes.ts'
import { DEVELOPER, openProposals } from './developer/routes.ts'
import { callbacksPage } from './pages/callbacks.ts'
import type { HomeFacts } from './pages/home.ts'
import { homePage } from './pages/home.ts'
import { searchPage } from './pages/search.ts'
import { noTransactionPage, transactionPage } from './pages/transaction.ts'
import { exportedColumns, transactionsPage } from './pages/transactions.ts'

const PAGES: Section = {
  views: [
    liveView<MerchantKind, HomeFacts>('/', 'home', readHome, home),
    { path: '/deposits', show: listOf('deposit') },
    { path: '/withdrawals', show: listOf('withdrawal') },
    { path: '/search', show: search },
    { path: '/transactions/:id', show: transaction },
    { path: '/callbacks', show: callbacks },
  ],
  forms: [{ path: '/callbacks/:id/resend', action: 'event.resend', back: '/callbacks', decide: resend }],
  said: { tr: { resent: CALLBACK_WORDS.tr.resent }, en: { resent: CALLBACK_WORDS.en.resent } },
}

export const SECTIONS: readonly Section[] = [
  ...[PAGES, REFUNDS, LINKS, INSTRUCTIONS, BALANCE],
  ...[CALLS, DEVELOPER, TEAM, BRAND, OWN],
]

async function readHome(app: MerchantDeps, ownId: string | null): Promise<HomeFacts> {
  const merchantId = own({ merchantId: ownId })
  const balances = await wholeBalances(app.db.pages, merchantId, app.currencies)
  const totals = await todaysTotals(app.db.report, merchantId, app.clock.now())
  const people = await peopleOf(app.db.pages, merchantId)
  const rotations = (await recentRotations({ ...app, db: app.db.pages }, merchantId)).map(
    ({ changedBy, changedAt }) => {
      return {
        by: changedBy.startsWith(`merchant:${merchantId}:`) ? personName(people, changedBy) : null,
        at: changedAt,
      }
    },
  )
  const endpoints = await listEndpoints(app.db.pages, merchantId)
  const waiting = await waitingInstructions({ ...app, db: app.db.pages }, merchantId)
  const changes = (await openProposals(app, merchantId)).length
  return { balances, totals, endpoints, waiting, changes, rotations }
}

function home(_app: MerchantDeps, { viewer }: Asked, facts: HomeFacts): Promise<Shown> {
  return Promise.resolve({ page: homePage(viewer, facts) })
}

function listOf(kind: TransactionKind) {
  return async (app: MerchantDeps, asked: Asked): Promise<Shown> => {
    const { viewer, query } = asked
    const filter = { ...filterFrom(query, viewer.now, kind), merchantId: own(asked) }
    const format = formatFrom(query)
    if (format !== null) {
      const exported = {
        filter: { ...filter, before: undefined },
        columns: exportedColumns(viewer.words, kind),
        format,
      }
      return exportList(app, viewer.words, downloads, exported)
    }
    return { page: transactionsPage(viewer, filter, await listTransactions(app.db.pages, filter)) }
  }
}

/** For each merchant, so that many searches of one do not take the connections of the others. */
const oneAtATime = openGate(1)

/** A text that names exactly one transaction opens it. */
async function search(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const { viewer, query } = asked
  const text = searchText(query)
  if (text === '') return { page: searchPage(viewer, text, { found: [], more: false }) }
  const result = await oneAtATime(own(asked), () => searchMerchant(app.db.search, own(asked), text, MAX_FOUND))
  const named = namedTransaction(result.found)
  return named === undefined ? { page: searchPage(viewer, text, result) } : { redirect: `/transactions/${named}` }
}

async function transaction(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const { viewer, id } = asked
  const merchantId = own(asked)
  const timeline = await merchantTimeline(app.db.pages, merchantId, id)
  if (!timeline) return { page: noTransactionPage(viewer), status: 404 }
  const endpoints = await listEndpoints(app.db.pages, merchantId)
  const maker = await makersOfRefunds(app, merchantId, timeline)
  const duplicate = timeline.kind === 'deposit' ? await waitingDuplicates(app.db.pages, timeline.deposit) : 0n
  const refund = { formId: app.ids.next(), duplicate }
  return { page: transactionPage(viewer, timeline, endpoints, refund, maker) }
}

/** Refunds of the API have none. */
async function makersOfRefunds({ db }: MerchantDeps, merchantId: string, { moments, ...timeline }: MerchantTimeline) {
  const count = moments.filter(({ kind }) => kind === 'refund').length
  if (timeline.kind !== 'deposit' || count === 0) return () => null
  const made = await listAudit(db.pages, { subject: `deposit:${timeline.deposit.id}`, action: 'refund.make' }, count)
  const people = await peopleOf(db.pages, merchantId)
  return (refundId: string) => {
    const entry = made.find(({ after }) => (after as { refund?: string } | null)?.refund === refundId)
    return entry ? personName(people, entry.actor) : null
  }
}

async function callbacks(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const { viewer, query } = asked
  const [merchantId, filter] = [own(asked), eventsFrom(query)]
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
