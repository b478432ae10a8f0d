import { createHash } from 'node:crypto'
import { formatMoney } from '../../kernel/money.ts'
import { refuse } from '../../kernel/refusals/refuse.ts'
import { writeCanonical } from '../../platform/json/canonical-json.ts'
import { findMerchant, mustNotBeFrozen } from '../merchants/index.ts'
import type { Instruction } from '../withdrawals/index.ts'
import { createInstruction, totalOf } from '../withdrawals/index.ts'
import type { Difference } from '../people/index.ts'
import { countOpen, hasEnded } from '../people/index.ts'
import type { ProposalKind } from './proposal-kind.ts'
import { EXPIRES_MS } from './proposal-kind.ts'

/** Waiting at once, of one merchant: more is a mistake. */
const MOST_WAITING = 50

const targetOf = ({ id }: { id: string }) => `instruction:${id}`
const fact = (field: string, after: string | number): Difference => ({ field, as: 'fact', before: null, after })

/** Withdrawals that one user of a merchant enters and another approves. From then on the withdrawals are the record. */
export const INSTRUCTION: ProposalKind<Instruction, void> = {
  action: 'instruction.propose',
  always: true,
  isForgotten: true,
  targetOf,
  merchantOf: ({ merchantId }) => merchantId,
  async mayPropose({ clock }, db, instruction) {
    const { merchantId } = instruction
    mustNotBeFrozen(await findMerchant({ db }, merchantId))
    if (await hasEnded(db, merchantId, targetOf(instruction))) throw refuse('instruction_sent_before')
    const since = new Date(clock.now().getTime() - EXPIRES_MS)
    const waiting = await countOpen(db, { kind: 'instruction', merchantId, since })
    if (waiting >= MOST_WAITING) throw refuse('instructions_full', { most: MOST_WAITING })
  },
  describe: (_app, _db, instruction) => Promise.resolve({ rows: rowsOf(instruction) }),
  apply: (app, actor, instruction) => createInstruction(app, actor, instruction),
}

function rowsOf(instruction: Instruction): Difference[] {
  const { source, currency, lines } = instruction
  const payments = lines.map(
    ({ processId, accountName, iban, amount }) =>
      `${accountName} · ${formatMoney(amount, currency)} · ${iban} · ${processId}`,
  )
  return [
    ...(source === null ? [] : [fact('file', source)]),
    fact('lineCount', lines.length),
    fact('total', formatMoney(totalOf(instruction), currency)),
    fact('sha256', createHash('sha256').update(writeCanonical({ currency, lines })).digest('hex')),
    { field: 'payments', as: 'list', before: [], after: payments },
  ]
}
