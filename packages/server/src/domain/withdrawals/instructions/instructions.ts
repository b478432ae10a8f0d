import type { PaymentRow } from '@vezne/bank-formats'
import type { Actor } from '../../../kernel/actor.ts'
import { merchantActor } from '../../../kernel/actor.ts'
import { sumOf } from '../../../kernel/money.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Db, Queryable } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { findMerchant, mustNotBeFrozen } from '../../merchants/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorized, mustBeApproved } from '../../people/index.ts'
import { createTogether } from '../create-withdrawals.ts'
import type { InstructionLine } from './read-lines.ts'
import { readLines } from './read-lines.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids }

export const MOST_LINES = 1000

type Head = {
  merchantId: string
  /** Chosen before the form is sent, so that one that is sent twice counts once. */
  id: string
  /** The name of the file; null if it was typed. */
  source: string | null
  currency: string
}

/** Withdrawals to be created when another user of the merchant approves. Nothing is held until then. */
export type Instruction = Head & { lines: InstructionLine[] }

/** Refuses at the first line that is wrong. */
export async function readInstruction(
  app: { db: Queryable; banks: BankDirectory },
  { rows, ...head }: Head & { rows: readonly PaymentRow[] },
): Promise<Instruction> {
  if (!/^[0-9a-f]{24}$/.test(head.id)) throw refuseField('id', 'form_id_malformed')
  if (rows.length === 0) throw refuseField('lines', 'instruction_lines_missing')
  if (rows.length > MOST_LINES) throw refuseField('lines', 'instruction_lines_too_many', { most: MOST_LINES })
  const { lines, problems } = await readLines(app, head.merchantId, head.currency, rows)
  const [first] = problems
  if (first) {
    const { line, field, problem, why: iban = null } = first
    throw refuse('instruction_line_wrong', { line, field, problem, iban })
  }
  return { ...head, lines: lines.map(({ line: _line, ...payment }) => payment) }
}

export const totalOf = ({ lines }: Pick<Instruction, 'lines'>) => sumOf(lines)

/** Creates all withdrawals, or none. */
export function createInstruction(app: Deps, actor: Actor, instruction: Instruction): Promise<void> {
  const { merchantId, id, currency, lines } = instruction
  return authorized(
    app,
    actor,
    'instruction.propose',
    async (tx, audit) => {
      mustBeApproved(app, { always: true })
      const merchant = await findMerchant({ db: tx }, merchantId)
      mustNotBeFrozen(merchant)
      await createTogether(
        app,
        tx,
        lines.map(({ processId, accountName, iban, amount }) => ({
          ...{ actor: merchantActor(merchantId), processId, currency, iban, accountName, bankId: null, amount },
          ...{ userId: processId, userName: accountName.slice(0, 100), name: accountName },
          metadata: { instruction: id },
          feeTerms: merchant.fees,
        })),
      )
      const made = { state: 'created', lineCount: lines.length, total: totalOf(instruction), currency }
      await audit(`instruction:${id}`, { after: { merchantId, ...made } })
    },
    { usersOf: merchantId },
  )
}
