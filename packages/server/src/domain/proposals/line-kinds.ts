import { actorName } from '../../kernel/actor.ts'
import { foldText } from '../../kernel/fold.ts'
import { mustGiveReason } from '../../kernel/reason.ts'
import type { Deposit } from '../deposits/index.ts'
import type { Dismissal, Repeat, SaidOfRepeat } from '../matching/index.ts'
import {
  amountOfMatch,
  checkDismissal,
  checkRestoring,
  decideCorrection,
  dismissLine,
  matchByHand,
  mayProposeRepeat,
  mustExplainSender,
  mustNameReceived,
  readRepeat,
  repeatTakesTwo,
  restoreLine,
} from '../matching/index.ts'
import { lineSubject } from '../people/index.ts'
import type { StoredLine } from '../statements/index.ts'
import type { Difference } from '../people/index.ts'
import type { ProposalKind } from './proposal-kind.ts'

type OfLine = { lineId: string }

/** One thing at a time is said about a line. Two people in a sandbox, too. */
const OF_LINE = {
  merchantOf: () => null,
  always: true,
  oneAtATime: true,
  targetOf: ({ lineId }: OfLine) => lineSubject(lineId),
  subjectsOf: ({ lineId }: OfLine) => [lineSubject(lineId)],
} as const

const amount = (value: bigint | null | undefined) => (value === null || value === undefined ? null : String(value))
const fact = (field: string, after: Difference['after']): Difference => ({ field, as: 'fact', before: null, after })

/** Two people from the merchant's amount on, in a sandbox too. */
export const LINE_MATCH: ProposalKind<{ lineId: string; depositId: string; received?: bigint | null }, Deposit> = {
  ...OF_LINE,
  action: 'line.match',
  normalise: async (_app, { lineId, depositId, received = null }) => ({ lineId, depositId, received }),
  async describe(app, db, { lineId, depositId, received = null }) {
    const {
      line,
      deposit,
      amount: credited,
      takesTwo,
      thirdParty,
    } = await amountOfMatch({ ...app, db }, lineId, depositId)
    mustNameReceived(deposit, credited, received)
    return {
      rows: [
        { field: 'line', as: 'text', before: line.state, after: 'matched' },
        { field: 'transactionId', as: 'text', before: null, after: deposit.id },
        { field: 'deposit', as: 'text', before: deposit.status, after: 'completed' },
        { field: 'credited', as: 'money', before: null, after: amount(credited) },
        { field: 'asked', as: 'money', before: null, after: amount(deposit.amount) },
      ],
      alone: !takesTwo,
      ...(thirdParty && { mustExplain: mustExplainSender }),
    }
  },
  apply: (app, actor, { lineId, depositId, received }, why) =>
    matchByHand(app, actor, lineId, depositId, why, received),
}

/** What a line is that may repeat another, where two people must say so: in a sandbox too. */
const repeatKind = (said: SaidOfRepeat): ProposalKind<{ lineId: string }, StoredLine> => ({
  ...OF_LINE,
  action: 'line.correct',
  async describe(_app, db, { lineId }) {
    const repeat = await readRepeat(db, lineId)
    return { rows: repeatRows(repeat, said), alone: !repeatTakesTwo(repeat, said) }
  },
  mayPropose: (_app, db, { lineId }, actor) => mayProposeRepeat(db, lineId, { name: actorName(actor), said }),
  apply: (app, actor, { lineId }) => decideCorrection(app, actor, lineId, said),
})

export const LINE_NEW_MONEY = repeatKind('new_money')
export const LINE_SAME_MONEY = repeatKind('same_money')

/** How the two lines differ, without personal data: the page of the line shows both. */
function repeatRows({ line, first, entered }: Repeat, said: SaidOfRepeat): Difference[] {
  const before = entered ?? first
  if (!before) return []
  return [
    { field: 'line', as: 'text', before: line.state, after: said },
    { field: said === 'new_money' ? 'moreMoney' : 'notBooked', as: 'money', before: null, after: amount(line.amount) },
    ...(entered
      ? [fact('enteredLine', entered.lineId), fact('enteredBy', entered.proposedBy)]
      : [fact('firstLine', first?.id ?? null)]),
    fact('dayOfLine', line.valueDate),
    fact(entered ? 'dayEntered' : 'dayOfFirst', entered ? entered.bookedOn : (first?.valueDate ?? null)),
    fact('sameSender', foldText(line.senderName) === foldText(before.senderName)),
    fact('sameIban', line.senderIban && before.senderIban ? line.senderIban === before.senderIban : null),
    fact('sameText', foldText(line.narrative) === foldText(before.narrative)),
  ]
}

/** The bank does not count the line: an error of the bank, or money shown twice. */
export const LINE_DISMISS: ProposalKind<Dismissal, StoredLine> = {
  ...OF_LINE,
  action: 'line.dismiss',
  normalise: async (_app, { lineId, notPayouts }) => ({ lineId, notPayouts: [...new Set(notPayouts)].toSorted() }),
  async describe(_app, db, terms) {
    const { line, named } = await checkDismissal(db, terms)
    return {
      rows: [
        { field: 'line', as: 'text', before: line.state, after: 'dismissed' },
        ...moneyOf(line, 'notBooked'),
        ...(named.length > 0 ? [{ field: 'notPayouts', as: 'list' as const, before: [], after: named }] : []),
      ],
      mustExplain: (why) => mustGiveReason('why', why),
    }
  },
  apply: (app, actor, terms, why) => dismissLine(app, actor, terms, why ?? ''),
}

/** The bank counts it after all. */
export const LINE_RESTORE: ProposalKind<OfLine, StoredLine> = {
  ...OF_LINE,
  action: 'line.restore',
  async describe(app, db, { lineId }) {
    const { line, takesTwo } = await checkRestoring(app, db, lineId, null)
    return {
      rows: [{ field: 'line', as: 'text', before: line.state, after: 'judged_again' }, ...moneyOf(line, 'moreMoney')],
      alone: !takesTwo,
    }
  },
  async mayPropose(app, db, { lineId }, actor) {
    await checkRestoring(app, db, lineId, actorName(actor))
  },
  apply: (app, actor, { lineId }, why) => restoreLine(app, actor, lineId, why),
}

/** Without personal data: the page of the line shows them. */
function moneyOf({ direction, amount: money, valueDate }: StoredLine, field: string): Difference[] {
  return [
    { field, as: 'money', before: null, after: String(money) },
    fact('direction', direction),
    fact('dayOfLine', valueDate),
  ]
}
