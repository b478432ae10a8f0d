import type { Said } from '../../../platform/refusal.ts'
import { helpOf, say } from '../../../acts/refusals/say.ts'
import type { ApprovalWord } from '../../../domain/proposals/index.ts'
import { approvalsOf, openApprovals } from '../../../domain/proposals/index.ts'
import { findDepositById } from '../../../domain/deposits/index.ts'
import type {
  DoubtDecision,
  Payout,
  Reader,
  CallDetail,
  PayoutCall,
  Withdrawal,
} from '../../../domain/withdrawals/index.ts'
import {
  awaitsThird,
  bankHasOrder,
  currentOpinions,
  findingsAbout,
  findPayout,
  hiddenFindings,
  notFoundRule,
  isUndecided,
  opinionsDiffer,
  readPayoutBlocks,
  selectDebit,
  unknownSince,
  callsOf,
  findWithdrawalById,
  seenToApprove,
  stopOf,
  waitsFor,
} from '../../../domain/withdrawals/index.ts'
import { debitsThatMayBe, linesNaming } from '../../../domain/statements/index.ts'
import { istanbul } from '../../../kernel/istanbul.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CliApp } from '../core/context.ts'
import { notFound } from '../core/not-found.ts'
import { facts } from '../core/output.ts'
import { HASH_SHOWN } from './proposal.ts'

export const hiddenWords = (people: number) =>
  `${people === 1 ? '1 person has' : `${people} people have`} reported; shown after your own report`

export const DIFFER =
  'A third person must look and agree with one of them: who changes now (resolve again) has seen the others. An own finding can be taken back (--take-back).'
export const THIRD =
  'One of two who said the same could see the other by then. A third person must look; if no one else may decide, who said it first says it once more.'

async function notAWithdrawal({ db }: CliApp, id: string): Promise<Error> {
  if (!(await findDepositById(db, id))) return notFound({ db }, 'withdrawal', id)
  return new Refusal('NOT_FOUND', `${id} is a deposit, not a withdrawal. See: npx vezne deposit show ${id}`)
}

/** `reader`: who may not yet see what others found. */
export async function gather(app: CliApp, id: string, reader: Reader) {
  const known = await findWithdrawalById(app.db, id)
  if (!known) throw await notAWithdrawal(app, id)
  const heldBy = (await readPayoutBlocks(app.db))(known.merchantId)
  const payout = (await findPayout(app.db, id)) ?? null
  const withdrawal = { ...known, stateReason: waitsFor(known, heldBy, payout?.state) }
  const { said: approvals, forged } = await approvalsOf(app, app.db, known)
  const awaitsApproval = known.state === 'awaiting_approval'
  const stop = (await stopOf(app.db, withdrawal)) ?? null
  const lacksDebit = payout && payout.submits > 0 && (await selectDebit(app.db, payout))?.debitLineId === null
  const similar = lacksDebit ? await debitsThatMayBe(app.db, payout) : []
  const naming = [...(await linesNaming(app.db, id, { paid: known.status === 'completed' })), ...similar]
  const found = payout ? await findingsAbout(app, app.db, payout) : { said: [], forged: [] }
  const hidden = payout ? await hiddenFindings(app.db, payout, found.said, reader) : new Set<DoubtDecision>()
  const statements = found.said.filter((one) => !hidden.has(one))
  return {
    withdrawal,
    payout,
    approvals,
    /** Of one that waits for approval: what `withdrawal approve` takes, and the approvals that wait for a second. */
    seen: awaitsApproval ? seenToApprove(known).slice(0, HASH_SHOWN) : null,
    open: awaitsApproval ? (await openApprovals(app, app.db, [id])).map((one) => one.id) : [],
    stop,
    naming,
    statements,
    hiddenReporters: new Set([...hidden].map(({ operator }) => operator)).size,
    unmarked: [
      ...forged.map(({ person, at }) => ({ operator: person, decidedAt: at })),
      ...found.forged.map(({ operator, decidedAt }) => ({ operator, decidedAt })),
    ],
    notFound: payout?.state === 'asking' ? await notFoundRule(app, app.db, payout) : null,
    calls: await callsOf(app.db, withdrawal.merchantId, id),
  }
}

export function describe({
  withdrawal,
  payout,
  approvals,
  seen,
  open,
  stop,
  naming,
  statements,
  hiddenReporters,
  unmarked,
  notFound: rule,
  calls,
}: Shown): string[] {
  const { amount, fee, currency } = withdrawal
  const rows: [string, string][] = [
    ['withdrawal', withdrawal.id],
    ['merchant', withdrawal.merchantId],
    [
      'status',
      `${withdrawal.status} (${[withdrawal.state, withdrawal.stateReason, withdrawal.failureReason].filter(Boolean).join(', ')})`,
    ],
    ['amount', `${formatMoney(amount, currency)} + fee ${formatMoney(fee, currency)}`],
    ['to', `${withdrawal.accountName}, ${withdrawal.iban}${firstTime(withdrawal)}`],
    ...(withdrawal.scheduledFor ? [['scheduled for', withdrawal.scheduledFor.toISOString()] as [string, string]] : []),
    ['payout', payout ? payoutWords(payout, calls) : 'none yet'],
    ...naming.map((line): [string, string] => ['on a statement', sayLine(line)]),
    ...approvals.map(approvalFact),
    ...(stop ? [stopFact(withdrawal, stop)] : []),
    ...statements.map((one): [string, string] => ['stated', statedWords(one)]),
    ...(hiddenReporters > 0 ? [['stated', hiddenWords(hiddenReporters)] as [string, string]] : []),
    ...unmarked.map(({ operator }): [string, string] => [
      'no mark',
      `${operator}: Vezne did not record this, it does not count. Run vezne doctor.`,
    ]),
    ...(payout ? standing(currentOpinions(payout, statements).filter((one) => isUndecided(payout, one))) : []),
    ...(rule?.state === 'early' ? [['resolve', tooEarly(istanbul(rule.from).day)] as [string, string]] : []),
    ...calls.map(({ kind, outcome, detail, calledAt }): [string, string] => [
      kind,
      `${calledAt.toISOString()} ${outcome} ${sayCall(detail) ?? ''}`,
    ]),
  ]
  return [...facts(rows), ...nextSteps(withdrawal, seen, open)]
}

type Shown = Awaited<ReturnType<typeof gather>>

/** Of one that waits for approval. */
function nextSteps({ id }: Pick<Withdrawal, 'id'>, seen: Shown['seen'], open: Shown['open']): string[] {
  return [
    ...(seen === null ? [] : ['', `Approve it: vezne withdrawal approve ${id} --seen ${seen} --as NAME`]),
    ...open.map((change) => `End the first approval: vezne proposal reject ${change} --why TEXT`),
  ]
}

function stopFact(
  { failureReason }: Pick<Withdrawal, 'failureReason'>,
  stop: NonNullable<Shown['stop']>,
): [string, string] {
  const what = failureReason === 'rejected_by_operator' ? 'rejected' : 'stopped'
  return [what, `${stop.stoppedAt.toISOString()} ${stop.operator}: ${stop.reason}`]
}

const approvalFact = ({ person, decision, note }: ApprovalWord): [string, string] => [
  SAID[decision],
  `${person}${note ? `: ${note}` : ''}`,
]

const SAID: Record<ApprovalWord['decision'], string> = {
  approve: 'approve',
  withdrawn: 'approval taken back',
  rejected: 'approval rejected',
}

/** With the command that shows the line. */
export const sayLine = (line: Said) => [say('en', line), ...helpOf('cli', line)].join(': ')

const sayCall = (detail: CallDetail) => (detail === null || typeof detail === 'string' ? detail : say('en', detail))

/** As `--json` has them. */
export function inWords({ naming, calls }: Pick<Awaited<ReturnType<typeof gather>>, 'naming' | 'calls'>) {
  return { naming: naming.map(sayLine), calls: calls.map((call) => ({ ...call, detail: sayCall(call.detail) })) }
}

function tooEarly(day: string): string {
  return `--not-found only from ${day} on: until then a bank statement may still show that it was sent`
}

function standing(opinions: DoubtDecision[]): [string, string][] {
  if (awaitsThird(opinions)) return [['third person', THIRD]]
  return opinionsDiffer(opinions) ? [['opinions differ', DIFFER]] : []
}

function payoutWords(payout: Payout, calls: PayoutCall[]): string {
  const { rail, connection, state, bankReference } = payout
  const since = state === 'asking' ? ` since ${unknownSince(payout).toISOString()}` : ''
  const pending = state === 'asking' && bankHasOrder(payout, calls) ? '; the bank said pending: it has the order' : ''
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
