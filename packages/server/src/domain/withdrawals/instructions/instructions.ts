import { createHash } from 'node:crypto'
import type { PaymentRow } from '@vezne/bank-formats'
import type { Actor } from '../../../kernel/actor.ts'
import { actorName, merchantActor } from '../../../kernel/actor.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { BankDirectory } from '../../banks/index.ts'
import { lockEntitledUser } from '../../identity/index.ts'
import { findMerchant, mustNotBeFrozen } from '../../merchants/index.ts'
import type { Authority, Word } from '../../people/index.ts'
import { authorized, forged, markWord, mustBeOfPerson } from '../../people/index.ts'
import { createTogether } from '../create-withdrawals.ts'
import { readLines } from './read-lines.ts'
import type { InstructionRow, StoredLine, WholeInstruction } from './store.ts'
import {
  countWaiting,
  expireBefore,
  insertInstruction,
  lockInstruction,
  selectInstruction,
  selectInstructions,
  selectWaiting,
  updateDecided,
} from './store.ts'

export type { InstructionRow, WholeInstruction } from './store.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids; banks: BankDirectory }

export const MOST_LINES = 1000
/** Waiting at once, of one merchant: more is a mistake. */
const MOST_WAITING = 50
const KEEP_DAYS = 7

export type Proposal = {
  /** Chosen before the form is sent, so that one that is sent twice counts once. */
  id: string
  source: string | null
  currency: string
  rows: readonly PaymentRow[]
}

/** Withdrawals to be created when another user of the merchant approves. Nothing is held until then. */
export function proposeInstruction(app: Deps, actor: Actor, merchantId: string, proposal: Proposal): Promise<void> {
  const { id, source, currency, rows } = proposal
  return authorized(
    app,
    actor,
    'instruction.propose',
    async (tx, audit) => {
      mustNotBeFrozen(await findMerchant({ db: tx }, merchantId))
      if (!/^[0-9a-f]{24}$/.test(id)) throw refuseField('id', 'form_id_malformed')
      const lines = await mustBeRight(app, tx, merchantId, currency, rows)
      if ((await countWaiting(tx, merchantId)) >= MOST_WAITING)
        throw refuse('instructions_full', { most: MOST_WAITING })
      const total = lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
      const facts = { source, currency, lineCount: lines.length, total, linesHash: hashOf(currency, lines) }
      const who = { proposedBy: actorName(actor), proposedAt: app.clock.now() }
      if (!(await insertInstruction(tx, { merchantId, id, ...facts, ...who, lines })))
        throw refuse('instruction_sent_before')
      await markWord(app, tx, wordOf({ merchantId, id, ...facts, ...who }))
      await audit(`instruction:${id}`, { after: { merchantId, state: 'proposed', ...facts } })
    },
    { usersOf: merchantId },
  )
}

/** Marked when it is proposed, and checked when it is approved. */
function wordOf(one: Pick<InstructionRow, 'merchantId' | 'id' | 'linesHash' | 'proposedBy'>): Word {
  return { row: ['instructions', one.merchantId, one.id], person: one.proposedBy, says: one.linesHash }
}

async function mustBeRight(
  { banks }: Deps,
  tx: Tx,
  merchantId: string,
  currency: string,
  rows: readonly PaymentRow[],
): Promise<StoredLine[]> {
  if (rows.length === 0) throw refuseField('lines', 'instruction_lines_missing')
  if (rows.length > MOST_LINES) throw refuseField('lines', 'instruction_lines_too_many', { most: MOST_LINES })
  const { lines, problems } = await readLines({ db: tx, banks }, merchantId, currency, rows)
  const [first] = problems
  if (first) {
    const { line, field, problem, why: iban = null } = first
    throw refuse('instruction_line_wrong', { line, field, problem, iban })
  }
  return lines.map(({ processId, accountName, iban, amount }) => {
    return { processId, accountName, iban, amount: String(amount) }
  })
}

function hashOf(currency: string, lines: StoredLine[]): string {
  return createHash('sha256')
    .update(JSON.stringify([currency, lines]))
    .digest('hex')
}

/** Another person creates all withdrawals, or none. `seen`: the hash of the lines that were shown. */
export function approveInstruction(
  app: Deps,
  actor: Actor,
  merchantId: string,
  { id, seen }: { id: string; seen: string },
): Promise<void> {
  return authorized(
    app,
    actor,
    'instruction.approve',
    async (tx, audit) => {
      const merchant = await findMerchant({ db: tx }, merchantId)
      mustNotBeFrozen(merchant)
      const { lines, ...instruction } = await lockOpen(tx, merchantId, id)
      const { currency, linesHash, proposedBy } = instruction
      if (proposedBy === actorName(actor)) throw refuse('instruction_own')
      await mustBeOfPerson(app, tx, wordOf(instruction))
      if (!(await lockEntitledUser(app, tx, proposedBy, 'instruction.propose')))
        throw refuse('instruction_proposer_not_entitled')
      if (seen !== linesHash || hashOf(currency, lines) !== linesHash) throw refuse('instruction_lines_changed')
      await createTogether(
        app,
        tx,
        lines.map(({ processId, accountName, iban, amount }) => ({
          ...{ actor: merchantActor(merchantId), processId, currency, iban, accountName, bankId: null },
          ...{ amount: BigInt(amount), userId: processId, userName: accountName.slice(0, 100), name: accountName },
          metadata: { instruction: id },
          feeTerms: merchant.fees,
        })),
      )
      const decided = { state: 'approved' as const, decidedBy: actorName(actor), decidedAt: app.clock.now() }
      await updateDecided(tx, instruction, decided)
      await audit(`instruction:${id}`, { before: { state: 'proposed' }, after: { state: 'approved', linesHash } })
    },
    { usersOf: merchantId },
  )
}

/** Also by the person who proposed it. */
export function rejectInstruction(app: Deps, actor: Actor, merchantId: string, id: string): Promise<void> {
  return authorized(
    app,
    actor,
    'instruction.reject',
    async (tx, audit) => {
      const instruction = await lockOpen(tx, merchantId, id)
      const decided = { state: 'rejected' as const, decidedBy: actorName(actor), decidedAt: app.clock.now() }
      await updateDecided(tx, instruction, decided)
      await audit(`instruction:${id}`, { before: { state: 'proposed' }, after: { state: 'rejected' } })
    },
    { usersOf: merchantId },
  )
}

async function lockOpen(tx: Tx, merchantId: string, id: string) {
  const found = await lockInstruction(tx, merchantId, id)
  if (!found) throw refuse('instruction_unknown', { instruction: id })
  const { lines } = found
  if (found.state !== 'proposed' || !lines) throw refuse('instruction_decided', { status: found.state })
  return { ...found, lines }
}

/** What no one decided about for a week. Returns the number. */
export function expireInstructions({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  const before = new Date(clock.now().getTime() - KEEP_DAYS * 86_400_000)
  return db.transaction((tx) => expireBefore(tx, before))
}

export function listInstructions(
  db: Queryable,
  merchantId: string,
  page: { before: string | undefined; limit: number },
): Promise<InstructionRow[]> {
  return selectInstructions(db, merchantId, page)
}

export async function findInstruction(db: Queryable, merchantId: string, id: string): Promise<WholeInstruction | null> {
  return (await selectInstruction(db, merchantId, id)) ?? null
}

/** Whether no one has proposed it: it was written in SQL, and can only be rejected. */
export async function isForgedInstruction(
  app: Pick<Authority, 'marks'>,
  db: Queryable,
  instruction: WholeInstruction,
): Promise<boolean> {
  return (await forged(app, db, [instruction], wordOf)).length > 0
}

/** Ids of those that no one has proposed: they were written in SQL. */
export async function forgedInstructions(
  app: Pick<Authority, 'marks'> & { db: Queryable },
  limit: number,
): Promise<string[]> {
  return (await forged(app, app.db, await selectWaiting(app.db, limit), wordOf)).map(({ id }) => id)
}
