import { listAccounts } from '../../domain/banks/index.ts'
import { changeAccountState } from '../../domain/deposits/index.ts'
import { approveEntry, listEntries, rejectEntry, showEntry } from '../../domain/books/index.ts'
import { balanceOf } from '../../domain/ledger/index.ts'
import { listMerchants } from '../../domain/merchants/index.ts'
import {
  accountsOverview,
  listTransactions,
  MAX_SEARCH_TEXT,
  searchAll,
  statementReads,
  todaysMoney,
  todaysWork,
  transactionTimeline,
} from '../../domain/overview/index.ts'
import { decideDoubt, findPayout, listPayouts, selectDoubtDecisions } from '../../domain/payouts/index.ts'
import { debitsThatMayBe, linesNaming } from '../../domain/statements/index.ts'
import {
  approvalsOf,
  approveWithdrawal,
  callsOf,
  findWithdrawalById,
  listByStage,
  rejectWithdrawal,
} from '../../domain/withdrawals/index.ts'
import { isPolled } from '../../domain/connections/index.ts'
import { Refusal } from '../../platform/refusal.ts'
import { accountsPage } from './pages/accounts.ts'
import { approvalsPage, seenHash } from './pages/approvals.ts'
import { journalCards } from './pages/journal-approvals.ts'
import { homePage } from './pages/home.ts'
import type { UnknownPayout } from './pages/payouts.ts'
import { payoutsPage } from './pages/payouts.ts'
import { searchPage } from './pages/search.ts'
import type { AccountName } from './pages/transaction.ts'
import { noTransactionPage, transactionPage } from './pages/transaction.ts'
import type { MerchantNames } from './pages/transactions.ts'
import { wantedFrom, transactionsPage } from './pages/transactions.ts'
import type { Asked as AnyAsked, Form as AnyForm, Shown, View } from '../web/console/routes.ts'
import type { OperatorDeps } from './deps.ts'
import type { Words } from './words-tr.ts'

export type OperatorKind = { app: OperatorDeps; words: Words; outcome: Outcome }
type Asked = AnyAsked<OperatorKind>
type Form = AnyForm<OperatorKind>

/** Keys of `words` that say what happened. */
const OUTCOMES = [
  ...(['approved', 'approvedFully', 'rejected', 'posted', 'entryRejected'] as const),
  ...(['yourOpinion', 'settled', 'failed', 'accountChanged'] as const),
]
type Outcome = (typeof OUTCOMES)[number]

export function outcomeText(words: Words, given: unknown): string | undefined {
  const outcome = OUTCOMES.find((one) => one === given)
  return outcome && words[outcome]
}

const MAX_CARDS = 100
const MAX_FOUND = 50

export const VIEWS: View<OperatorKind>[] = [
  { path: '/', show: home },
  { path: '/search', show: search },
  { path: '/transactions', show: transactions },
  { path: '/transactions/:id', show: transaction },
  { path: '/approvals', show: approvals },
  { path: '/payouts', show: payouts },
  { path: '/accounts', show: accounts },
]

const STATES = ['active', 'paused', 'draining', 'blocked'] as const

export const FORMS: Form[] = [
  { path: '/withdrawals/:id/approve', action: 'withdrawal.approve', back: '/approvals', decide: approve },
  { path: '/withdrawals/:id/reject', action: 'withdrawal.reject', back: '/approvals', decide: reject },
  { path: '/payouts/:id/found', action: 'payout.decide', back: '/payouts', decide: decideAs('found') },
  { path: '/payouts/:id/not-found', action: 'payout.decide', back: '/payouts', decide: decideAs('not_found') },
  { path: '/journal/:id/approve', action: 'journal.approve', back: '/approvals', decide: approveJournal },
  { path: '/journal/:id/reject', action: 'journal.reject', back: '/approvals', decide: rejectJournal },
  ...STATES.map(accountForm),
]

async function merchantNames({ db }: OperatorDeps): Promise<MerchantNames> {
  return new Map((await listMerchants(db.pages)).map(({ id, name }) => [id, name]))
}

async function accountNames({ banks }: OperatorDeps): Promise<AccountName> {
  const names = new Map(
    (await banks.accounts()).map(({ id, bankName, iban }) => [id, `${bankName} …${iban.slice(-4)}`]),
  )
  return (id) => (id === null ? null : (names.get(id) ?? id))
}

async function home(app: OperatorDeps, { viewer }: Asked): Promise<Shown> {
  const sources = app.connections.filter(isPolled).map(({ name }) => name)
  const [work, money, reads] = [await todaysWork(app), await todaysMoney(app), await statementReads(app.db, sources)]
  return { page: homePage(viewer, { work, money, reads }) }
}

/** A text that names exactly one transaction opens it. */
async function search(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const text = (typeof query['q'] === 'string' ? query['q'] : '').trim().slice(0, MAX_SEARCH_TEXT)
  if (text === '') return { page: searchPage(viewer, { text, found: [], more: false }, new Map()) }
  const result = await searchAll(app.db.pages, text, MAX_FOUND)
  const [only, another] = result.found.filter(({ kind }) => kind === 'deposit' || kind === 'withdrawal')
  if (only && !another && /^(transaction id|code |processId)/.test(only.matched))
    return { redirect: `/transactions/${only.id}` }
  return { page: searchPage(viewer, { text, ...result }, await merchantNames(app)) }
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

async function approvals(app: OperatorDeps, { viewer }: Asked): Promise<Shown> {
  const { pages } = app.db
  const withdrawals = await listByStage(pages, 'awaiting_approval', MAX_CARDS)
  const given = Map.groupBy(await approvalsOf(pages, withdrawals), ({ withdrawalId }) => withdrawalId)
  const waiting = await Promise.all(
    withdrawals.map(async (withdrawal) => ({
      withdrawal,
      approvals: given.get(withdrawal.id) ?? [],
      available: (await balanceOf(pages, withdrawal.merchantId, withdrawal.currency)).available,
    })),
  )
  const merchants = await merchantNames(app)
  const proposed = await listEntries(pages, 'proposed', MAX_CARDS)
  const shown = await Promise.all(proposed.map(({ id }) => showEntry(pages, id)))
  const journal = journalCards(viewer, shown, merchants, await accountNames(app))
  return { page: approvalsPage(viewer, waiting, merchants, journal) }
}

/** Only what the person saw is approved. */
async function approve(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<Outcome> {
  const withdrawal = await findWithdrawalById(app.db, id)
  if (!withdrawal || seenHash(withdrawal) !== fields.get('seen'))
    throw new Refusal('INVALID_STATE', viewer.words.changedSince)
  const { stage } = await approveWithdrawal(app, actor, id, null)
  return stage === 'awaiting_approval' ? 'approved' : 'approvedFully'
}

async function reject(app: OperatorDeps, { actor, id, fields }: Asked): Promise<Outcome> {
  await rejectWithdrawal(app, actor, id, fields.get('note') || null)
  return 'rejected'
}

async function approveJournal(app: OperatorDeps, { actor, id }: Asked): Promise<Outcome> {
  await approveEntry(app, actor, id)
  return 'posted'
}

async function rejectJournal(app: OperatorDeps, { actor, id, fields }: Asked): Promise<Outcome> {
  await rejectEntry(app, actor, id, fields.get('why') ?? '')
  return 'entryRejected'
}

async function payouts(app: OperatorDeps, { viewer }: Asked): Promise<Shown> {
  const { pages } = app.db
  const unknown: UnknownPayout[] = []
  for (const payout of await listPayouts(pages, 'unknown', MAX_CARDS)) {
    const withdrawal = await findWithdrawalById(pages, payout.withdrawalId)
    if (!withdrawal) continue
    const statements = await selectDoubtDecisions(pages, payout)
    unknown.push({
      payout,
      withdrawal,
      calls: await callsOf(pages, payout.merchantId, payout.withdrawalId),
      statements: statements.filter(({ submits }) => submits === payout.submits),
      lines: [...(await linesNaming(pages, payout.withdrawalId)), ...(await debitsThatMayBe(pages, payout))],
    })
  }
  return { page: payoutsPage(viewer, unknown, await merchantNames(app), await accountNames(app)) }
}

function decideAs(verdict: 'found' | 'not_found') {
  return async (app: OperatorDeps, { actor, id, fields }: Asked): Promise<Outcome> => {
    if (!(await findPayout(app.db, id))) throw new Refusal('NOT_FOUND', `There is no payout for withdrawal ${id}.`)
    const outcome = await decideDoubt(app, actor, id, { verdict, evidence: fields.get('evidence') ?? '' })
    return outcome === 'waiting for a second person' ? 'yourOpinion' : outcome
  }
}

async function accounts(app: OperatorDeps, { viewer }: Asked): Promise<Shown> {
  return { page: accountsPage(viewer, await accountsOverview(app)) }
}

/** Only if the account is still in the state that the person saw. */
function accountForm(state: (typeof STATES)[number]): Form {
  return {
    path: `/accounts/:id/${state}`,
    action: 'account.state',
    back: '/accounts',
    decide: async (app, { viewer, actor, id, fields }) => {
      const account = (await listAccounts(app.db)).find((one) => one.id === id)
      if (account?.state !== fields.get('state')) throw new Refusal('INVALID_STATE', viewer.words.changedSince)
      await changeAccountState(app, actor, id, state)
      return 'accountChanged'
    },
  }
}
