import type { ShownProposal } from '../../../domain/proposals/index.ts'
import {
  approvalsOf,
  countWaiting,
  entryIn,
  listProposals,
  openApprovals,
  openProposals,
  makeProposal,
} from '../../../domain/proposals/index.ts'
import { previewEntry } from '../../../domain/books/index.ts'
import { balanceOf } from '../../../domain/ledger/index.ts'
import type { Merchant } from '../../../domain/merchants/index.ts'
import { merchantsInForce, payoutRulesInForce } from '../../../domain/merchants/index.ts'
import { withdrawalSubject } from '../../../domain/people/index.ts'
import { selectUnconfirmed } from '../../../domain/statements/index.ts'
import {
  findWithdrawalById,
  listByState,
  paidTo,
  pendingTo,
  rejectWithdrawal,
  stopOf,
} from '../../../domain/withdrawals/index.ts'
import { sameName } from '../../../kernel/fold.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import { liveView } from '../../web/console/routes.ts'
import type { DecidedBefore } from '../decided-before.ts'
import { orTellWho } from '../decided-before.ts'
import type { Asked, OperatorDeps, OperatorKind, Section } from '../kind.ts'
import { accountNames, merchantNames } from '../names.ts'
import { proposalCards, endedNotes, lineOf } from '../proposals/cards.ts'
import { lapsedProposals } from '../proposals/lapsed.ts'
import { reveal } from '../reveal/form.ts'
import { personalData } from '../reveal/personal-data.ts'
import { said } from '../said.ts'
import { patient } from '../statements/uploads.ts'
import { proposedEntry } from './entry-facts.ts'
import { approvalsPage } from './page.ts'

const MAX_CARDS = 100

export const APPROVALS: Section = {
  views: [liveView<OperatorKind, Waiting>('/approvals', 'approvals', readApprovals, approvals)],
  forms: [
    { path: '/withdrawals/:id/approve', action: 'withdrawal.approve', back: '/approvals', decide: approve },
    { path: '/withdrawals/:id/reject', action: 'withdrawal.reject', back: '/approvals', decide: reject },
    { path: '/withdrawals/:id/reveal', action: 'data.reveal', back: '/approvals', decide: revealWithdrawal },
  ],
  said: said('approved', 'approvedFully', 'rejected'),
}

type Waiting = Awaited<ReturnType<typeof readApprovals>>

async function readApprovals(app: OperatorDeps) {
  const { pages } = app.db
  const waiting = await waitingWithdrawals(app)
  const proposals = await openProposals(patient(app), pages, MAX_CARDS)
  return {
    waiting,
    entries: await proposedEntries(app, proposals),
    ended: await endedLately(app),
    proposals,
    proposalsCount: await countWaiting({ ...app, db: pages }),
    unconfirmed: await selectUnconfirmed(
      pages,
      proposals.flatMap((one) => lineOf(one) ?? []),
    ),
    lapsed: await lapsedProposals(app, [...proposals, ...waiting.flatMap(({ approvals }) => approvals)]),
    names: [...(await merchantNames(app))],
  }
}

/** What those would book that can be approved. One that cannot any more in this moment is shown as it was proposed. */
async function proposedEntries(app: OperatorDeps, proposals: ShownProposal[]) {
  const shown: [string, Awaited<ReturnType<typeof previewEntry>>][] = []
  for (const one of proposals.filter(({ isStale, isForged }) => !isStale && !isForged)) {
    const entry = entryIn(one)
    const preview = entry && (await previewEntry(app, app.db, entry).catch(nullIfRefused))
    if (preview) shown.push([one.id, preview])
  }
  return shown
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Refusal && error.code !== 'SERVICE_UNAVAILABLE') return null
  throw error
}

/** Their cards may still be on a screen. */
async function endedLately(app: OperatorDeps) {
  const newest = await listProposals(app, MAX_CARDS)
  return newest.flatMap(({ id, state, decidedBy, note }) => (state === 'open' ? [] : [{ id, state, decidedBy, note }]))
}

/** Each with what a person must know to approve it. */
async function waitingWithdrawals(app: OperatorDeps) {
  const { pages } = app.db
  const withdrawals = await listByState(pages, 'awaiting_approval', MAX_CARDS)
  const ids = withdrawals.map(({ id }) => id)
  const given = Map.groupBy(await openApprovals(app, pages, ids), ({ target }) => target)
  const paid = new Map((await paidTo(pages, withdrawals)).map((one) => [one.key, one]))
  const merchants = await merchantsInForce(
    { db: pages, marks: app.marks },
    withdrawals.map(({ merchantId }) => merchantId),
  )
  const pending = Map.groupBy(
    await pendingTo(pages, [...new Set(withdrawals.map(({ iban }) => iban))]),
    ({ iban }) => iban,
  )
  return Promise.all(
    withdrawals.map(async (withdrawal) => ({
      withdrawal,
      approvals: given.get(withdrawalSubject(withdrawal.id)) ?? [],
      available: (await balanceOf(pages, withdrawal.merchantId, withdrawal.currency)).available,
      rules: inForce(app, merchants.get(withdrawal.merchantId)),
      paid: paid.get(withdrawal.merchantId + withdrawal.iban) ?? null,
      toIban: pendingUnder((pending.get(withdrawal.iban) ?? []).map(({ accountName }) => accountName)),
    })),
  )
}

const inForce = (app: OperatorDeps, merchant: Merchant | undefined) =>
  merchant ? payoutRulesInForce(merchant.payoutRules, app) : null

/** Spellings of one name are one name. */
function pendingUnder(names: string[]): { count: number; names: number } {
  const different: string[] = []
  for (const name of names) if (!different.some((one) => sameName(one, name))) different.push(name)
  return { count: names.length, names: different.length }
}

async function approvals(app: OperatorDeps, asked: Asked, facts: Waiting): Promise<Shown> {
  const { viewer } = asked
  const merchants = new Map(facts.names)
  const lapsed = new Map(facts.lapsed)
  const dataOf = await personalData(app, asked)
  const names = await accountNames(app)
  const entries = new Map(
    facts.entries.map(([id, entry]) => [id, proposedEntry(viewer, entry, merchants, names, dataOf)]),
  )
  const proposals = proposalCards(viewer, facts, merchants, lapsed, facts.unconfirmed, entries)
  const ended = endedNotes(viewer, facts.ended)
  return { page: approvalsPage(viewer, facts.waiting, lapsed, merchants, dataOf, [proposals], ended) }
}

async function revealWithdrawal(app: OperatorDeps, asked: Asked): Promise<string | null> {
  return reveal(app, asked, (await findWithdrawalById(app.db, asked.id)) ? `withdrawal:${asked.id}` : null)
}

/** Who ended the wait of a withdrawal, or approved it last. */
async function decidedWithdrawal(app: OperatorDeps, id: string): Promise<DecidedBefore | null> {
  const withdrawal = await findWithdrawalById(app.db, id)
  if (!withdrawal || withdrawal.state === 'awaiting_approval') return null
  const stop = await stopOf(app.db, withdrawal)
  const what = withdrawal.failureReason === 'rejected_by_operator' ? 'rejected' : 'stopped'
  if (stop) return { who: stop.operator, what, at: stop.stoppedAt }
  if (withdrawal.approvedBy === null) return null
  const last = (await approvalsOf(app, app.db, withdrawal)).said.at(-1)
  return last ? { who: last.person, what: 'approved', at: last.at } : null
}

/** The first of two proposes it, the second approves: only what the person saw. */
async function approve(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const seen = { withdrawalId: id, seen: fields.get('seen') ?? '' }
  const decide = () => makeProposal(app, actor, 'withdrawal.approve', seen)
  const { state } = await orTellWho(viewer, () => decidedWithdrawal(app, id), decide)
  return state === 'open' ? 'approved' : 'approvedFully'
}

async function reject(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const decide = () => rejectWithdrawal(app, actor, id, fields.get('note') ?? '')
  await orTellWho(viewer, () => decidedWithdrawal(app, id), decide)
  return 'rejected'
}
