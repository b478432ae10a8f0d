import { openChanges } from '../../../domain/changes/index.ts'
import {
  approveEntry,
  daysToClose,
  forgedEntries,
  forgedProposals,
  listProposed,
  rejectEntry,
  showEntry,
  withdrawEntry,
} from '../../../domain/books/index.ts'
import { balanceOf } from '../../../domain/ledger/index.ts'
import { merchantsById } from '../../../domain/merchants/index.ts'
import { whoMay } from '../../../domain/people/index.ts'
import {
  approveWithdrawal,
  findWithdrawalById,
  listByStage,
  newestWords,
  paidTo,
  pendingTo,
  rejectWithdrawal,
  withdrawApproval,
} from '../../../domain/withdrawals/index.ts'
import { sameName } from '../../../kernel/fold.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { Shown } from '../../web/console/routes.ts'
import { liveView } from '../../web/console/routes.ts'
import type { OperatorDeps } from '../deps.ts'
import type { Asked, OperatorKind, Section } from '../kind.ts'
import { accountNames, merchantNames } from '../names.ts'
import { dayProposals } from '../books/proposal-cards.ts'
import { changeCards } from '../changes/cards.ts'
import { lapsedChanges } from '../changes/lapsed.ts'
import { reveal } from '../reveal/form.ts'
import { personalData } from '../reveal/personal-data.ts'
import { said } from '../said.ts'
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
  const withdrawals = await listByStage(pages, 'awaiting_approval', MAX_CARDS)
  const given = Map.groupBy(await newestWords(app, pages, withdrawals), ({ withdrawalId }) => withdrawalId)
  const may = await whoMay(app, pages)
  const paid = new Map((await paidTo(pages, withdrawals)).map((one) => [one.key, one]))
  const merchants = await merchantsById(
    pages,
    withdrawals.map(({ merchantId }) => merchantId),
  )
  const pending = Map.groupBy(
    await pendingTo(pages, [...new Set(withdrawals.map(({ iban }) => iban))]),
    ({ iban }) => iban,
  )
  const waiting = await Promise.all(
    withdrawals.map(async (withdrawal) => ({
      withdrawal,
      words: (given.get(withdrawal.id) ?? []).map((one) => {
        return { ...one, counts: may(one.operator, 'withdrawal.approve') }
      }),
      available: (await balanceOf(pages, withdrawal.merchantId, withdrawal.currency)).available,
      rules: merchants.get(withdrawal.merchantId)?.payoutRules ?? null,
      paid: paid.get(withdrawal.merchantId + withdrawal.iban) ?? null,
      toIban: pendingUnder((pending.get(withdrawal.iban) ?? []).map(({ accountName }) => accountName)),
    })),
  )
  const proposed = await listProposed(pages, MAX_CARDS)
  const entries = await Promise.all(proposed.map(({ id }) => showEntry(pages, id)))
  const changes = await openChanges(app, pages, MAX_CARDS)
  const { proposals } = await daysToClose(app)
  const proposers = proposals.flatMap((one) => [one, ...one.equal])
  const lapsed = [
    ...proposed.filter(({ proposedBy }) => !may(proposedBy, 'journal.propose')),
    ...proposers.filter(({ operator, action }) => !may(operator, action === 'close' ? 'day.close' : 'day.reopen')),
  ].map(({ id }): [string, 'noLongerMay'] => [id, 'noLongerMay'])
  const forged = await withoutMark({ ...app, db: pages }, proposers)
  return {
    waiting,
    entries,
    changes,
    proposals,
    lapsed: [...lapsed, ...(await lapsedChanges(app, changes)), ...forged],
    names: [...(await merchantNames(app))],
  }
}

/** Ids of cards that no one has proposed: they were written in SQL. */
async function withoutMark(
  app: Pick<OperatorDeps, 'marks' | 'clock'> & { db: Queryable },
  days: { id: string }[],
): Promise<[string, 'noMark'][]> {
  const forged = new Set((await forgedProposals(app)).map(({ id }) => id))
  const ids = await forgedEntries(app, MAX_CARDS)
  return [...ids, ...days.filter(({ id }) => forged.has(id)).map(({ id }) => id)].map((id) => [id, 'noMark'])
}

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
  const journal = journalCards(viewer, facts.entries, merchants, await accountNames(app), dataOf, lapsed)
  const days = dayProposals(viewer, facts.proposals, await app.banks.accounts(), lapsed)
  const changes = changeCards(viewer, facts.changes, merchants, lapsed)
  return { page: approvalsPage(viewer, facts.waiting, merchants, dataOf, [journal, days, changes]) }
}

async function revealWithdrawal(app: OperatorDeps, asked: Asked): Promise<string | null> {
  return reveal(app, asked, (await findWithdrawalById(app.db, asked.id)) ? `withdrawal:${asked.id}` : null)
}

/** Only what the person saw is approved. */
async function approve(app: OperatorDeps, { viewer, actor, id, fields }: Asked): Promise<string> {
  const withdrawal = await findWithdrawalById(app.db, id)
  if (!withdrawal || seenHash(withdrawal) !== fields.get('seen'))
    throw new Refusal('INVALID_STATE', viewer.words.changedSince)
  const { stage } = await approveWithdrawal(app, actor, id, null)
  return stage === 'awaiting_approval' ? 'approved' : 'approvedFully'
}

async function reject(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  await rejectWithdrawal(app, actor, id, fields.get('note') ?? '')
  return 'rejected'
}

async function takeApprovalBack(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  await withdrawApproval(app, actor, id, fields.get('why') ?? '')
  return 'unapproved'
}

async function approveJournal(app: OperatorDeps, { actor, id }: Asked): Promise<string> {
  await approveEntry(app, actor, id)
  return 'posted'
}

async function rejectJournal(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  await rejectEntry(app, actor, id, fields.get('why') ?? '')
  return 'entryRejected'
}

async function withdrawJournal(app: OperatorDeps, { actor, id, fields }: Asked): Promise<string> {
  await withdrawEntry(app, actor, id, fields.get('why') ?? '')
  return 'entryWithdrawn'
}
