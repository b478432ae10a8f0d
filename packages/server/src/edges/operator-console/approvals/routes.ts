import { countOpen, listChanges, openChanges } from '../../../domain/changes/index.ts'
import {
  approveEntry,
  findEntry,
  forgedEntries,
  listProposed,
  rejectEntry,
  showEntry,
  withdrawEntry,
} from '../../../domain/books/index.ts'
import { balanceOf } from '../../../domain/ledger/index.ts'
import type { Merchant } from '../../../domain/merchants/index.ts'
import { merchantsById, payoutRulesInForce } from '../../../domain/merchants/index.ts'
import { whoMay } from '../../../domain/people/index.ts'
import { selectUnconfirmed } from '../../../domain/statements/index.ts'
import {
  approveWithdrawal,
  findWithdrawalById,
  listByStage,
  newestWords,
  paidTo,
  pendingTo,
  rejectWithdrawal,
  stopOf,
  withdrawApproval,
} from '../../../domain/withdrawals/index.ts'
import { sameName } from '../../../kernel/fold.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import { liveView } from '../../web/console/routes.ts'
import type { DecidedBefore } from '../decided-before.ts'
import { orTellWho } from '../decided-before.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked, OperatorKind, Section } from '../kind.ts'
import { accountNames, merchantNames } from '../names.ts'
import { changeCards, endedNotes, lineOf } from '../changes/cards.ts'
import { lapsedChanges } from '../changes/lapsed.ts'
import { reveal } from '../reveal/form.ts'
import { personalData } from '../reveal/personal-data.ts'
import { said } from '../said.ts'
import { patient } from '../statements/uploads.ts'
import { journalCards } from './journal-cards.ts'
import { approvalsPage, seenHash } from './page.ts'

const MAX_CARDS = 100

export const APPROVALS: Section = {
  views: [liveView<OperatorKind, Waiting>('/approvals', 'approvals', readApprovals, approvals)],
  forms: [
    { path: '/withdrawals/:id/approve', action: 'withdrawal.approve', back: '/approvals', decide: approve },
    { path: '/withdrawals/:id/reject', action: 'withdrawal.reject', back: '/approvals', decide: reject },
    {
      path: '/withdrawals/:id/unapprove',
      action: 'withdrawal.unapprove',
      back: '/approvals',
      decide: takeApprovalBack,
    },
    { path: '/withdrawals/:id/reveal', action: 'data.reveal', back: '/approvals', decide: revealWithdrawal },
    { path: '/journal/:id/approve', action: 'journal.approve', back: '/approvals', decide: approveJournal },
    { path: '/journal/:id/reject', action: 'journal.reject', back: '/approvals', decide: rejectJournal },
    { path: '/journal/:id/withdraw', action: 'journal.reject', back: '/approvals', decide: withdrawJournal },
  ],
  said: said('approved', 'approvedFully', 'rejected', 'unapproved', 'posted', 'entryRejected', 'entryWithdrawn'),
}

type Waiting = Awaited<ReturnType<typeof readApprovals>>

async function readApprovals(app: OperatorDeps) {
  const { pages } = app.db
  const may = await whoMay(app, pages)
  const waiting = await waitingWithdrawals(app, may)
  const proposed = await listProposed(pages, MAX_CARDS)
  const entries = await Promise.all(proposed.map(({ id }) => showEntry(pages, id)))
  const changes = await openChanges(patient(app), pages, MAX_CARDS)
  const lapsed = proposed
    .filter(({ proposedBy }) => !may(proposedBy, 'journal.propose'))
    .map(({ id }): [string, 'noLongerMay'] => [id, 'noLongerMay'])
  const forged = (await forgedEntries({ ...app, db: pages }, MAX_CARDS)).map((id): [string, 'noMark'] => [id, 'noMark'])
  return {
    waiting,
    entries,
    ended: await endedLately(app),
    changes,
    changesCount: await countOpen({ ...app, db: pages }),
    unconfirmed: await selectUnconfirmed(
      pages,
      changes.flatMap((one) => lineOf(one) ?? []),
    ),
    lapsed: [...lapsed, ...(await lapsedChanges(app, changes)), ...forged],
    names: [...(await merchantNames(app))],
  }
}

/** Their cards may still be on a screen. */
async function endedLately(app: OperatorDeps) {
  const newest = await listChanges(app, MAX_CARDS)
  return newest.flatMap(({ id, state, decidedBy, note }) => (state === 'open' ? [] : [{ id, state, decidedBy, note }]))
}

/** Each with what a person must know to approve it. */
async function waitingWithdrawals(app: OperatorDeps, may: Awaited<ReturnType<typeof whoMay>>) {
  const { pages } = app.db
  const withdrawals = await listByStage(pages, 'awaiting_approval', MAX_CARDS)
  const given = Map.groupBy(await newestWords(app, pages, withdrawals), ({ withdrawalId }) => withdrawalId)
  const paid = new Map((await paidTo(pages, withdrawals)).map((one) => [one.key, one]))
  const merchants = await merchantsById(
    pages,
    withdrawals.map(({ merchantId }) => merchantId),
  )
  const pending = Map.groupBy(
    await pendingTo(pages, [...new Set(withdrawals.map(({ iban }) => iban))]),
    ({ iban }) => iban,
  )
  return Promise.all(
    withdrawals.map(async (withdrawal) => ({
      withdrawal,
      words: (given.get(withdrawal.id) ?? []).map((one) => {
        return { ...one, counts: may(one.operator, 'withdrawal.approve') }
      }),
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
  const journal = journalCards(viewer, facts.entries, merchants, names, dataOf, lapsed)
  const changes = changeCards(viewer, facts, merchants, lapsed, facts.unconfirmed)
  const ended = endedNotes(viewer, facts.ended)
  return { page: approvalsPage(viewer, facts.waiting, merchants, dataOf, [journal, changes], ended) }
}

async function revealWithdrawal(app: OperatorDeps, asked: Asked): Promise<string | null> {
  return reveal(app, asked, (await findWithdrawalById(app.db, asked.id)) ? `withdrawal:${asked.id}` : null)
}

/** Who ended the wait of a withdrawal, or approved it last. */
async function decidedWithdrawal(app: OperatorDeps, id: string): Promise<DecidedBefore | null> {
  const withdrawal = await findWithdrawalById(app.db, id)
  if (!withdrawal || withdrawal.stage === 'awaiting_approval') return null
  const stop = await stopOf(app.db, withdrawal)
  if (stop) return { who: stop.operator, what: 'stopped', at: stop.stoppedAt }
  const said = (await newestWords(app, app.db, [withdrawal])).filter(({ decision }) => decision !== 'withdrawn')
  const last = said.toSorted((a, b) => a.decidedAt.getTime() - b.decidedAt.getTime()).at(-1)
  const what = last?.decision === 'reject' ? 'rejected' : 'approved'
  return last ? { who: last.operator, what, at: last.decidedAt } : null
}

/** Only what the person saw is approved. */
async function approve(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  return orTellWho(
    viewer,
    () => decidedWithdrawal(app, id),
    async () => {
      const withdrawal = await findWithdrawalById(app.db, id)
      if (!withdrawal || seenHash(withdrawal) !== fields.get('seen'))
        throw new Refusal('INVALID_STATE', viewer.words.changedSince)
      const { stage } = await approveWithdrawal(app, actor, id, null)
      return stage === 'awaiting_approval' ? 'approved' : 'approvedFully'
    },
  )
}

async function reject(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const decide = () => rejectWithdrawal(app, actor, id, fields.get('note') ?? '')
  await orTellWho(viewer, () => decidedWithdrawal(app, id), decide)
  return 'rejected'
}

async function takeApprovalBack(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const decide = () => withdrawApproval(app, actor, id, fields.get('why') ?? '')
  const byAnother = async () => {
    const decided = await decidedWithdrawal(app, id)
    return decided?.who === viewer.name ? null : decided
  }
  await orTellWho(viewer, byAnother, decide)
  return 'unapproved'
}

async function decidedEntry({ db }: OperatorDeps, id: string): Promise<DecidedBefore | null> {
  const entry = await findEntry(db, id)
  if (!entry || entry.state === 'proposed' || entry.decidedBy === null || !entry.decidedAt) return null
  const what = entry.state === 'posted' ? 'approved' : entry.state
  return { who: entry.decidedBy, what, at: entry.decidedAt }
}

async function approveJournal(app: OperatorDeps, { viewer, actor, id }: Asked): Promise<string> {
  await orTellWho(
    viewer,
    () => decidedEntry(app, id),
    () => approveEntry(app, actor, id),
  )
  return 'posted'
}

async function rejectJournal(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const decide = () => rejectEntry(app, actor, id, fields.get('why') ?? '')
  await orTellWho(viewer, () => decidedEntry(app, id), decide)
  return 'entryRejected'
}

async function withdrawJournal(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const decide = () => withdrawEntry(app, actor, id, fields.get('why') ?? '')
  await orTellWho(viewer, () => decidedEntry(app, id), decide)
  return 'entryWithdrawn'
}
