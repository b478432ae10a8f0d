import { findDepositById } from '../../../domain/deposits/index.ts'
import type { DoubtDecision, Payout } from '../../../domain/payouts/index.ts'
import {
  bankHasOrder,
  currentOpinions,
  findPayout,
  notFoundRule,
  opinionsDiffer,
  selectDebit,
  selectDoubtDecisions,
  unknownSince,
} from '../../../domain/payouts/index.ts'
import type { PayoutCall, Withdrawal } from '../../../domain/withdrawals/index.ts'
import { approvalsOf, callsOf, findWithdrawalById, stopOf, waitsFor } from '../../../domain/withdrawals/index.ts'
import { debitsThatMayBe, linesNaming } from '../../../domain/statements/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CliApp } from '../core/context.ts'
import { readPayoutBlocks } from '../core/payout-blocks.ts'
import { notFound } from '../core/not-found.ts'
import { facts } from '../core/output.ts'

export const DIFFER =
  'A third person must agree with one of them, or one of them must change theirs (resolve again) or take it back (--take-back).'

async function notAWithdrawal({ db }: CliApp, id: string): Promise<Error> {
  if (!(await findDepositById(db, id))) return notFound({ db }, 'withdrawal', id)
  return new Refusal('NOT_FOUND', `${id} is a deposit, not a withdrawal. See: npx vezne deposit show ${id}`)
}

export async function gather(app: CliApp, id: string) {
  const found = await findWithdrawalById(app.db, id)
  if (!found) throw await notAWithdrawal(app, id)
  const heldBy = (await readPayoutBlocks(app.db))(found.merchantId)
  const payout = (await findPayout(app.db, id)) ?? null
  const withdrawal = { ...found, stageReason: waitsFor(found, heldBy, payout?.state) }
  const approvals = await approvalsOf(app.db, [withdrawal])
  const stop = (await stopOf(app.db, withdrawal)) ?? null
  const lacksDebit = payout && payout.submits > 0 && (await selectDebit(app.db, payout))?.debitLineId === null
  const similar = lacksDebit ? await debitsThatMayBe(app.db, payout) : []
  const naming = [...(await linesNaming(app.db, id, { paid: found.status === 'completed' })), ...similar]
  const statements = payout ? await selectDoubtDecisions(app.db, payout) : []
  return {
    withdrawal,
    payout,
    approvals,
    stop,
    naming,
    statements,
    notFound: payout?.state === 'unknown' ? await notFoundRule(app, app.db, payout) : null,
    calls: await callsOf(app.db, withdrawal.merchantId, id),
  }
}

export function describe({
  withdrawal,
  payout,
  approvals,
  stop,
  naming,
  statements,
  notFound: rule,
  calls,
}: Awaited<ReturnType<typeof gather>>): string[] {
  const { amount, fee, currency } = withdrawal
  const rows: [string, string][] = [
    ['withdrawal', withdrawal.id],
    ['merchant', withdrawal.merchantId],
    [
      'status',
      `${withdrawal.status} (${[withdrawal.stage, withdrawal.stageReason, withdrawal.failureReason].filter(Boolean).join(', ')})`,
    ],
    ['amount', `${formatMoney(amount, currency)} + fee ${formatMoney(fee, currency)}`],
    ['to', `${withdrawal.accountName}, ${withdrawal.iban}${firstTime(withdrawal)}`],
    ...(withdrawal.scheduledFor ? [['scheduled for', withdrawal.scheduledFor.toISOString()] as [string, string]] : []),
    ['payout', payout ? payoutWords(payout, calls) : 'none yet'],
    ...naming.map((line): [string, string] => ['on a statement', line]),
    ...approvals.map(({ operator, decision, note }): [string, string] => [
      decision === 'withdrawn' ? 'approval taken back' : decision,
      `${operator}${note ? `: ${note}` : ''}`,
    ]),
    ...(stop
      ? [['stopped', `${stop.stoppedAt.toISOString()} ${stop.operator}: ${stop.reason}`] as [string, string]]
      : []),
    ...statements.map((one): [string, string] => ['stated', statedWords(one)]),
    ...(payout && opinionsDiffer(currentOpinions(payout, statements))
      ? [['opinions differ', DIFFER] as [string, string]]
      : []),
    ...(rule?.state === 'early'
      ? [['not found', `can be said from ${istanbul(rule.from).day} on`] as [string, string]]
      : []),
    ...calls.map(({ kind, outcome, detail, calledAt }): [string, string] => [
      kind,
      `${calledAt.toISOString()} ${outcome} ${detail ?? ''}`,
    ]),
  ]
  return facts(rows)
}

function payoutWords(payout: Payout, calls: PayoutCall[]): string {
  const { rail, connection, state, bankReference } = payout
  const since = state === 'unknown' ? ` since ${unknownSince(payout).toISOString()}` : ''
  const pending = state === 'unknown' && bankHasOrder(payout, calls) ? '; the bank said pending: it has the order' : ''
  return `${rail} over ${connection}, ${state}${since}, ${bankReference ?? 'no bank reference'}${pending}`
}

const VERDICTS: Record<DoubtDecision['verdict'], string> = {
  found: 'found',
  not_found: 'not found',
  never_paid: 'never paid',
  paid: 'paid without a debit',
  withdrawn: 'took it back',
}

export function statedWords({ operator, verdict, evidence, decidedAt }: DoubtDecision): string {
  return `${decidedAt.toISOString()} ${operator}: ${VERDICTS[verdict]}, ${evidence}`
}

function firstTime({ firstTimeIban }: Pick<Withdrawal, 'firstTimeIban'>): string {
  return firstTimeIban ? ' (first payment to it)' : ''
}
