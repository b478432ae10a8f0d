import type { PaymentRow } from '@vezne/bank-formats'
import { merchantActor } from '../../../kernel/actor.ts'
import { normaliseIban } from '../../../kernel/iban.ts'
import { MAX_AMOUNT, readAmount } from '../../../kernel/money.ts'
import type { LineFault } from '../../../kernel/refusals/withdrawals.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Said } from '../../../platform/refusal.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { checkReach, wrongIban } from '../check-recipient.ts'
import { selectKnownRequests } from '../store.ts'

export type InstructionLine = { processId: string; accountName: string; iban: string; amount: bigint }

/** What is wrong with a line. `field` is null for the whole line; `value` is what was written there. */
export type LineProblem = LineFault & {
  line: number
  value: string
  /** Of an IBAN that is not valid. */
  why?: Said
}

export type ReadLines = { lines: (InstructionLine & { line: number })[]; problems: LineProblem[] }

/** Limits of the same fields in the API. */
const PROCESS_ID = 50
const NAME = { min: 3, max: 140 }

/** Every problem of every line, so that a file is mended at once. */
export async function readLines(
  { db, banks }: { db: Queryable; banks: BankDirectory },
  merchantId: string,
  currency: string,
  rows: readonly PaymentRow[],
): Promise<ReadLines> {
  const accounts = await banks.accounts()
  const isReachable = (iban: string) => {
    try {
      checkReach(iban, currency, accounts)
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }
  const problems: LineProblem[] = []
  const lines: ReadLines['lines'] = []
  const seen = new Set<string>()
  for (const { line, cells } of rows) {
    if (!cells) {
      problems.push({ line, field: null, value: '', problem: 'columns' })
      continue
    }
    const read = readCells(cells)
    problems.push(
      ...problemsOf(read, { seen, isReachable }).map((one) => ({ line, ...one, value: cells[one.field].trim() })),
    )
    seen.add(read.processId)
    lines.push({ line, ...read, amount: read.amount ?? 0n })
  }
  const used = await usedBefore(db, merchantId, lines)
  problems.push(
    ...used.map(({ line, processId: value }) => ({
      line,
      field: 'processId' as const,
      value,
      problem: 'used' as const,
    })),
  )
  return { lines, problems: problems.toSorted((a, b) => a.line - b.line) }
}

type Cells = Omit<InstructionLine, 'amount'> & { amount: bigint | null }

function readCells({ processId, accountName, iban, amount }: NonNullable<PaymentRow['cells']>): Cells {
  const money = readAmount(amount.replace(/\s*(?:TL|TRY|₺)$/i, ''))
  return { processId: processId.trim(), accountName: accountName.trim(), iban: normaliseIban(iban), amount: money }
}

type Known = { seen: ReadonlySet<string>; isReachable: (iban: string) => boolean }

function problemsOf({ processId, accountName, iban, amount }: Cells, { seen, isReachable }: Known) {
  const found: { field: keyof InstructionLine; problem: LineProblem['problem']; why?: Said }[] = []
  const add = (field: keyof InstructionLine, problem: LineProblem['problem'], why?: Said | null) =>
    found.push({ field, problem, ...(why && { why }) })
  const refused = wrongIban(iban)
  if (processId === '') add('processId', 'missing')
  else if (processId.length > PROCESS_ID) add('processId', 'too_long')
  else if (seen.has(processId)) add('processId', 'twice')
  if (accountName.length < NAME.min) add('accountName', accountName === '' ? 'missing' : 'too_short')
  else if (accountName.length > NAME.max) add('accountName', 'too_long')
  if (iban === '') add('iban', 'missing')
  else if (refused) add('iban', 'invalid', refused.said)
  else if (!isReachable(iban)) add('iban', 'not_reachable')
  if (amount === null || amount < 1n || amount > MAX_AMOUNT) add('amount', 'invalid')
  return found
}

/** Lines whose processId is that of a withdrawal already. */
async function usedBefore(db: Queryable, merchantId: string, lines: ReadLines['lines']): Promise<ReadLines['lines']> {
  const actor = merchantActor(merchantId)
  const known = await selectKnownRequests(
    db,
    lines.map(({ processId }) => ({ actor, processId })),
  )
  return known.flatMap(({ place }) => lines[place - 1] ?? [])
}
