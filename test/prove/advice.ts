import type { LineCandidate, NextStep } from '../../packages/server/src/domain/books/index.ts'
import type { ModelLine } from './bank-model.ts'
import type { ModelDeposit, ModelPayout, Truth } from './truth.ts'

// Whether what the service advises about a line is what the line was for.

/** How the lines of the bank are called in the service. */
export type Names = {
  modelOf: (lineId: string) => ModelLine | undefined
  idOf: (line: ModelLine) => string
  /** Of the line, if an entry explains it. */
  entryOf: (line: ModelLine) => Promise<string | null>
}

/** A candidate, or what must be done before there is one. */
export type Advice = Pick<LineCandidate, 'what' | 'id' | 'next'>

type Propose = Extract<NextStep, { do: 'propose' }>

const same = (one: readonly string[], other: readonly string[]) =>
  one.toSorted().join(' ') === other.toSorted().join(' ')

export async function isTrue(names: Names, line: ModelLine, { what, id, next }: Advice): Promise<boolean> {
  const { truth } = line
  switch (next.do) {
    case 'match':
      return isForDeposit(truth, next.depositId)
    case 'sent':
      return isForPayouts(truth, [next.withdrawalId], 0n)
    case 'return':
      return truth.is === 'returns' && truth.costs === 0n && isOnly(truth.payouts, next.withdrawalId)
    case 'correction':
      return truth.is === 'correction'
    case 'dismiss':
      return truth.is === 'replaced'
    case 'propose':
      return next.kind === 'reversal' ? isAbout(names, truth, what, id) : proposes(names, line, next)
    default:
      // What must be done before: the candidate says what the line then is.
      return isAbout(names, truth, what, id)
  }
}

const isOnly = (list: readonly { id: string }[], id: string) => list.length === 1 && list[0]?.id === id

function isForDeposit(truth: Truth, id: string | undefined): boolean {
  return truth.is === 'deposits' && id !== undefined && isOnly(depositsOf(truth.parts), id)
}

const depositsOf = (parts: readonly { deposit: ModelDeposit }[]) => parts.map(({ deposit }) => deposit)

function isForPayouts(truth: Truth, ids: string[], charge: bigint): boolean {
  return (
    truth.is === 'payouts' && truth.charge === charge && truth.others.length === 0 && same(idsOf(truth.payouts), ids)
  )
}

const idsOf = (list: readonly ModelPayout[]) => list.map(({ id }) => id)

async function isAbout(names: Names, truth: Truth, what: LineCandidate['what'], id: string): Promise<boolean> {
  switch (what) {
    case 'deposit':
      return isForDeposit(truth, id)
    case 'payout':
      return (
        (truth.is === 'payouts' && idsOf(truth.payouts).includes(id)) ||
        (truth.is === 'owed' && truth.payout?.id === id)
      )
    case 'return':
      return truth.is === 'returns' && idsOf(truth.payouts).includes(id)
    case 'own_transfer':
    case 'storno':
      return truth.is === what && truth.other !== null && names.idOf(truth.other) === id
    case 'receivable':
      return truth.is === 'settles' && (await names.entryOf(truth.debit)) === id
    case 'correction':
      return truth.is === 'correction'
    default:
      return false
  }
}

/** A journal entry. One that lacks a line or an entry says too little. */
async function proposes(names: Names, line: ModelLine, { kind, terms, missing }: Propose): Promise<boolean> {
  const { truth } = line
  const { lineIds, withdrawalId, withdrawalIds = withdrawalId === undefined ? [] : [withdrawalId], charge } = terms
  if (missing.includes('line') || missing.includes('settles') || missing.includes('withdrawal')) return false
  switch (kind) {
    case 'own_transfer':
    case 'storno':
      return truth.is === kind && truth.other !== null && same(lineIds, [names.idOf(line), names.idOf(truth.other)])
    case 'bank_charge':
      if (withdrawalIds.length > 0)
        return truth.is === 'payouts' && truth.charge > 0n && same(idsOf(truth.payouts), withdrawalIds)
      return terms.settles === undefined && areBankItems(names, line, lineIds)
    case 'bank_tax':
      return truth.is === 'tax' && same(lineIds, [names.idOf(line)])
    case 'interest':
      return truth.is === 'interest' && same(lineIds, [names.idOf(line)])
    case 'receivable':
      if (terms.settles === undefined) return truth.is === 'owed' && withdrawalIds.length === 0
      return truth.is === 'settles' && (await names.entryOf(truth.debit)) === terms.settles
    case 'refund_unexplained':
      return truth.is === 'refund'
    case 'payout_return': {
      const isLess = missing.includes('costs')
      return truth.is === 'returns' && truth.costs > 0n === isLess && same(idsOf(truth.payouts), withdrawalIds)
    }
    case 'payout_debit':
      return isDebitOf(names, line, { lineIds, withdrawalIds, charge: charge?.amount ?? 0n })
    case 'deposit_payment':
      return terms.depositId === undefined
        ? isDividedAs(truth, terms.parts ?? [], terms.rest?.amount ?? 0n)
        : isForDeposit(truth, terms.depositId)
    case 'own_funds':
      return truth.is === 'own_funds'
    case 'fee_withdrawal':
      return truth.is === 'fees_taken'
    default:
      return false
  }
}

/** One charge alone, or with the tax on a charge: which of several equal ones is no one's question. */
function areBankItems(names: Names, line: ModelLine, lineIds: string[]): boolean {
  const lines = lineIds.map(names.modelOf)
  const [charges, taxes] = (['charge', 'tax'] as const).map((is) => lines.filter((one) => one?.truth.is === is).length)
  return lines.includes(line) && charges === 1 && charges + (taxes ?? 0) === lines.length
}

type DebitOf = { lineIds: string[]; withdrawalIds: string[]; charge: bigint }

function isDebitOf(names: Names, line: ModelLine, { lineIds, withdrawalIds, charge }: DebitOf): boolean {
  const { truth } = line
  if (truth.is !== 'payouts' || truth.charge !== charge || !same(idsOf(truth.payouts), withdrawalIds)) return false
  const others = truth.others.length > 0 ? truth.others : [line]
  return same(others.map(names.idOf), lineIds)
}

function isDividedAs(truth: Truth, parts: { depositId: string; amount: bigint }[], rest: bigint): boolean {
  if (truth.is !== 'deposits' || truth.rest !== rest) return false
  const said = parts.map(({ depositId, amount }) => `${depositId}=${amount}`)
  return same(
    said,
    truth.parts.map(({ deposit, amount }) => `${deposit.id}=${amount}`),
  )
}
