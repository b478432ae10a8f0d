import type { JournalKind, NextStep, Terms } from '../../packages/server/src/domain/books/index.ts'
import { findCandidates, stepBefore } from '../../packages/server/src/domain/books/index.ts'
import {
  amountOfMatch,
  debitByHand,
  decideCorrection,
  returnByHand,
  suspendByHand,
} from '../../packages/server/src/domain/matching/index.ts'
import type { KindName, TermsOf } from '../../packages/server/src/domain/proposals/index.ts'
import { makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import type { StoredLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { AYSE, MEHMET } from '../harness/journal.ts'
import { matchAll } from '../harness/payments.ts'
import type { Advice, Names } from './advice.ts'
import { isTrue } from './advice.ts'
import type { ModelLine } from './bank-model.ts'
import type { Truth } from './truth.ts'
import type { World } from './world.ts'

// Two people who know what each line was for, and do what the service offers for that. Every act of one of them counts.

/** No line takes more acts, one after the other. */
const MOST_TURNS = 6

export type Verdict = 'right' | 'right, not first' | 'wrong' | 'absent'
export type Judged = { line: ModelLine; verdict: Verdict; said: string }

export function openStaff({ app }: World, names: Names) {
  /** By act, and by kind of line. */
  const acts = new Map<string, number>()
  const actsFor = new Map<string, number>()
  const judged = new Map<ModelLine, Judged>()
  const refused: { line: ModelLine; act: string; why: string }[] = []
  const noRoad = new Map<ModelLine, string>()
  /** Explained together with another one. */
  const besides = new Set<ModelLine>()
  let current: ModelLine | null = null

  function count(act: string, people = 1): void {
    acts.set(act, (acts.get(act) ?? 0) + people)
    if (current) actsFor.set(current.kind, (actsFor.get(current.kind) ?? 0) + people)
  }

  /** By one person, or by two where the service wants that. */
  async function agree<Name extends KindName>(name: Name, terms: TermsOf<Name>, act: string): Promise<void> {
    const reason = 'as the bank says'
    const { state } = await makeProposal(app, AYSE, name, terms, { reason })
    if (state === 'open' && (await makeProposal(app, MEHMET, name, terms, { reason })).state !== 'applied')
      throw new Error(`The second person could not approve: ${act}`)
    count(act, state === 'open' ? 2 : 1)
  }

  const post = (kind: JournalKind, terms: Terms, reverses?: string) =>
    agree('journal.entry', { kind, terms, ...(reverses !== undefined && { reverses }) }, `entry ${kind}`)

  async function match(lineId: string, depositId: string): Promise<void> {
    const { amount: received } = await amountOfMatch(app, lineId, depositId)
    await agree('line.match', { lineId, depositId, received }, 'match')
  }

  async function sent(lineId: string, withdrawalId: string): Promise<void> {
    await debitByHand(app, AYSE, lineId, withdrawalId)
    count('sent')
  }

  async function comesBack(lineId: string, withdrawalId: string): Promise<void> {
    await returnByHand(app, AYSE, lineId, withdrawalId)
    count('return')
  }

  async function suspend(lineId: string): Promise<void> {
    await suspendByHand(app, AYSE, lineId)
    count('suspend')
  }

  /** If the wrong line was dismissed before, the right one takes no one's place: it is new money. */
  async function replace(line: ModelLine, { of, meant }: Extract<Truth, { is: 'correction' }>): Promise<void> {
    const lineId = names.idOf(line)
    const first = await findLine(app.db, names.idOf(of))
    if (first?.state === 'dismissed') await agree('line.new_money', { lineId }, 'new money')
    else {
      await decideCorrection(app, AYSE, lineId, 'replaces')
      count('correction')
    }
    await matchAll(app)
    line.truth = meant
  }

  /** What only people know: where money goes back to, and who bears costs. */
  function completed({ terms, missing }: Extract<NextStep, { do: 'propose' }>, { truth }: ModelLine): Terms {
    const sender = truth.is === 'refund' && missing.includes('iban') ? truth.sender : null
    return {
      ...terms,
      ...(sender && { iban: sender.iban, name: sender.name }),
      ...(missing.includes('costs') && { costsBy: 'operator' as const }),
    }
  }

  /** False: no one of the month can do that. */
  async function take(line: ModelLine, { next }: Advice): Promise<boolean> {
    switch (next.do) {
      case 'match':
        return done(match(next.lineId, next.depositId))
      case 'sent':
        return done(sent(next.lineId, next.withdrawalId))
      case 'return':
        return done(comesBack(next.lineId, next.withdrawalId))
      case 'correction':
        return line.truth.is === 'correction' && done(replace(line, line.truth))
      case 'suspend':
        return done(suspend(next.lineId))
      case 'dismiss':
        return done(agree('line.dismiss', { lineId: next.lineId, notPayouts: [] }, 'dismiss'))
      case 'propose':
        for (const id of next.terms.lineIds) besides.add(names.modelOf(id) ?? line)
        return done(post(next.kind, completed(next, line), next.reverses))
      default:
        refused.push({ line, act: `advice ${next.do}`, why: 'no one of the month can do that' })
        return false
    }
  }

  /** Without advice: the act that says the truth. False: the service has none. */
  async function say(line: ModelLine): Promise<boolean> {
    const { truth } = line
    const lineIds = [names.idOf(line)]
    const id = names.idOf(line)
    switch (truth.is) {
      case 'deposits':
        return sayDeposits(id, truth)
      case 'payouts':
        return sayPayouts(id, truth)
      case 'returns':
        return sayReturns(id, truth)
      case 'owed':
        return done(post('receivable', { lineIds }))
      case 'settles':
        return done(post('receivable', { lineIds, settles: (await names.entryOf(truth.debit)) ?? '' }))
      case 'charge':
        return done(post('bank_charge', { lineIds }))
      case 'tax':
        return done(post('bank_tax', { lineIds }))
      case 'interest':
        return done(post('interest', { lineIds }))
      case 'own_funds':
        return done(post('own_funds', { lineIds }))
      case 'fees_taken':
        return done(post('fee_withdrawal', { lineIds }))
      case 'refund':
        return done(post('refund_unexplained', { lineIds, iban: truth.sender.iban, name: truth.sender.name }))
      case 'own_transfer':
      case 'storno':
        return truth.other ? done(post(truth.is, { lineIds: [id, names.idOf(truth.other)] })) : false
      case 'correction':
        return done(replace(line, truth))
      default:
        return false
    }
  }

  async function sayDeposits(id: string, { parts, rest }: Extract<Truth, { is: 'deposits' }>): Promise<boolean> {
    const [first, another] = parts
    if (!first) return false
    const stored = await findLine(app.db, id)
    if (stored?.depositId && stored.depositId !== first.deposit.id) await suspend(id)
    if (!another) return done(match(id, first.deposit.id))
    const said = parts.map(({ deposit, amount }) => ({ depositId: deposit.id, amount }))
    return done(post('deposit_payment', { lineIds: [id], parts: said, ...(rest > 0n && { rest: { amount: rest } }) }))
  }

  function sayPayouts(id: string, { payouts, charge, others }: Extract<Truth, { is: 'payouts' }>): Promise<boolean> {
    const [first, another] = payouts.map((one) => one.id)
    const lineIds = others.length > 0 ? others.map(names.idOf) : [id]
    const besides = charge > 0n && { charge: { amount: charge } }
    if (another !== undefined)
      return done(post('payout_debit', { lineIds, withdrawalIds: payouts.map((one) => one.id), ...besides }))
    if (charge > 0n) return done(post('bank_charge', { lineIds, withdrawalId: first ?? '' }))
    return done(
      lineIds.length > 1 ? post('payout_debit', { lineIds, withdrawalId: first ?? '' }) : sent(id, first ?? ''),
    )
  }

  function sayReturns(id: string, { payouts, costs }: Extract<Truth, { is: 'returns' }>): Promise<boolean> {
    const [withdrawalId = '', another] = payouts.map((one) => one.id)
    if (another !== undefined)
      return done(post('payout_return', { lineIds: [id], withdrawalIds: payouts.map((one) => one.id) }))
    if (costs === 0n) return done(comesBack(id, withdrawalId))
    return done(post('payout_return', { lineIds: [id], withdrawalId, costsBy: 'operator' }))
  }

  async function adviceAbout(stored: StoredLine): Promise<Advice[]> {
    const candidates = await findCandidates(app, stored)
    const before = candidates.length === 0 ? await stepBefore(app.db, stored) : null
    return before ? [{ what: 'correction', id: stored.id, next: before }] : candidates
  }

  /** What the service says about the line, compared with the truth, and done as far as it is right. */
  async function explain(line: ModelLine): Promise<void> {
    current = line
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const stored = await findLine(app.db, names.idOf(line))
      if (!stored || (stored.state !== 'suspense' && stored.state !== 'needs_review')) return
      const candidates = await adviceAbout(stored)
      const right = []
      for (const one of candidates) right.push(await isTrue(names, line, one))
      const index = right.indexOf(true)
      if (!judged.has(line)) judge(line, candidates, index)
      const chosen = candidates[index]
      if (chosen && (await tried(line, `advice ${textOf(chosen)}`, () => take(line, chosen)))) continue
      if (await tried(line, 'the truth itself', () => say(line))) continue
      return void noRoad.set(line, stored.reason ?? '')
    }
    throw new Error(`Explaining line ${line.number} does not end.`)
  }

  function judge(line: ModelLine, candidates: Advice[], index: number): void {
    const verdict = index === 0 ? 'right' : index > 0 ? 'right, not first' : candidates.length > 0 ? 'wrong' : 'absent'
    const [first] = candidates
    const other = first && names.modelOf(first.id)
    const pair = other && other !== line ? ` with ${other.number} of ${other.day}` : ''
    judged.set(line, { line, verdict, said: first ? `${textOf(first)}${pair}` : '' })
  }

  /** False: there is no such act, or it was refused. */
  async function tried(line: ModelLine, act: string, work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push({ line, act, why: error.why ?? error.message })
      return false
    }
  }

  return {
    explain,
    agree,
    acts,
    actsFor,
    judged,
    besides,
    refused,
    noRoad,
    release: () => void (current = null),
  }
}

export type Staff = ReturnType<typeof openStaff>

const done = async (work: Promise<void>): Promise<boolean> => {
  await work
  return true
}

function textOf({ what, next }: Advice): string {
  return `${what}: ${next.do}${next.do === 'propose' ? ` ${next.kind}` : ''}${next.because === undefined ? '' : ` (${next.because})`}`
}
