import assert from 'node:assert/strict'
import type { App } from '../../packages/server/src/compose.ts'
import type { JournalEntry, JournalKind, Proposed, Terms } from '../../packages/server/src/domain/books/index.ts'
import { bookDebits } from '../../packages/server/src/domain/books/index.ts'
import type { Proposal } from '../../packages/server/src/domain/proposals/index.ts'
import {
  approveProposal,
  findProposal,
  rejectProposal,
  makeProposal,
} from '../../packages/server/src/domain/proposals/index.ts'
import type { AccountRef } from '../../packages/server/src/domain/ledger/index.ts'
import { balancesOf, bankAccount, findDrift, findMixedEntries } from '../../packages/server/src/domain/ledger/index.ts'
import { decisionsOf } from '../../packages/server/src/domain/matching/index.ts'
import { addOperator, DECIDING } from '../../packages/server/src/domain/people/index.ts'
import type { BankLine } from '../../packages/server/src/domain/statements/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { operatorActor, UNATTRIBUTED } from '../../packages/server/src/kernel/actor.ts'
import type { Refusal } from '../../packages/server/src/platform/refusal.ts'
import { sql } from '../../packages/server/src/platform/postgres/sql.ts'
import { ingest, matchAll } from './payments.ts'
import { istanbul } from '../../packages/server/src/kernel/istanbul.ts'

const [FIRST, SECOND] = ['ayse.yilmaz', 'mehmet.kaya']
export const [AYSE, MEHMET] = [operatorActor(FIRST), operatorActor(SECOND)]

/** The first of two people. Returns the proposal, whose id the entry gets. */
export async function proposeEntry(
  app: App,
  actor: Actor,
  { reason, ...proposed }: Proposed & { reason: string },
): Promise<Proposal> {
  const asked = await makeProposal(app, actor, 'journal.entry', proposed, { reason, second: true })
  return asked.state === 'open' ? asked.proposal : assert.fail(`the proposal is ${asked.state}`)
}

/** The second, who has seen what was proposed. */
export async function approveEntry(app: App, actor: Actor, id: string): Promise<JournalEntry> {
  const seen = (await findProposal(app.db, id))?.seenSha256 ?? ''
  return (await approveProposal(app, actor, id, seen)).result as JournalEntry
}

/** By another person, or by who proposed it. */
export const rejectEntry = (app: App, actor: Actor, id: string, why: string) => rejectProposal(app, actor, id, why)

/** The command of the second person, as `journal propose` prints it, and the id that the entry gets. */
export function approvalIn(output: string): { id: string; args: string[] } {
  const [, id = '', seen = ''] = /proposal approve (\w{24}) --seen (\w+)/.exec(output) ?? assert.fail(output)
  return { id, args: ['proposal', 'approve', id, '--seen', seen, '--as', 'mehmet.kaya'] }
}

/** Two people who explain lines on the accounts of a service. */
export async function openJournal(app: App) {
  for (const name of [FIRST, SECOND]) await addOperator(app, UNATTRIBUTED, name, DECIDING)
  const accounts = (await app.banks.accounts()).filter(({ currency }) => currency === 'TRY')
  const [here, there] = accounts
  if (!here || !there) throw new Error('there are not two accounts')

  /** A line of the bank that the matcher has judged, and that is booked if it is an unexplained debit. Returns its id. */
  async function arrives(direction: BankLine['direction'], amount: bigint, changes: Partial<BankLine> = {}) {
    const bankReference = app.ids.next()
    const now = app.clock.now()
    const day = { valueDate: istanbul(now).day, bookedAt: now }
    const written = { senderName: 'Veli Can', senderIban: null, narrative: 'aciklama' }
    await ingest(app, [
      { accountIban: here?.iban ?? '', direction, amount, bankReference, ...day, ...written, ...changes },
    ])
    await matchAll(app)
    await bookAll()
    const [row] = await app.db.query<{ id: string }>(
      sql`select id from bank_lines where bank_reference = ${changes.bankReference ?? bankReference}`,
    )
    return row?.id ?? assert.fail('the line did not arrive')
  }

  async function bookAll(): Promise<void> {
    while ((await bookDebits(app)) > 0);
  }

  const propose = (kind: JournalKind, terms: Partial<Terms>, reverses?: string) =>
    proposeEntry(app, AYSE, {
      kind,
      terms: { lineIds: [], ...terms },
      reason: 'as the bank says',
      ...(reverses !== undefined && { reverses }),
    })

  /** Proposed by one, approved by the other. What was proposed about its lines before is rejected. Returns its id. */
  async function post(kind: JournalKind, terms: Partial<Terms>, reverses?: string): Promise<string> {
    const { id } = await propose(kind, terms, reverses).catch(async (error: Refusal) => {
      const open = error.said?.why === 'proposal_open' && error.said.facts['proposal']
      if (typeof open !== 'string') throw error
      await rejectEntry(app, MEHMET, open, 'explained otherwise')
      return propose(kind, terms, reverses)
    })
    await approveEntry(app, MEHMET, id)
    return id
  }

  const approve = (id: string) => approveEntry(app, MEHMET, id)

  type Kind = Parameters<typeof bankAccount>[0]
  const balance = async (ref: AccountRef) => (await balancesOf(app.db, [ref]))[0] ?? 0n
  const of = (kind: Kind, account: { id: string } = here) => balance(bankAccount(kind, account.id, 'TRY'))

  async function stateOf(lineId: string) {
    const line = (await findLine(app.db, lineId)) ?? assert.fail('no line')
    return [line.state, line.reason, line.journalId, line.depositId, line.isBooked]
  }

  async function lastDecision(lineId: string) {
    const { verdict, why, decidedBy } = (await decisionsOf(app.db, [lineId])).at(-1) ?? assert.fail('no decision')
    return [verdict, why, decidedBy]
  }

  /** The ledger sums to zero, nothing drifted, and cash is what the lines and the opening balances say. */
  async function assertSound(): Promise<void> {
    await bookAll()
    assert.deepEqual(await findDrift(app.db), [])
    assert.deepEqual(await findMixedEntries(app.db), [])
    const rows = await app.db.query<{ total: bigint }>(sql`select sum(balance)::bigint as total from accounts`)
    assert.equal(rows[0]?.total ?? 0n, 0n)
    const unequal = await app.db.query(sql`
      select a.subject, -a.balance as cash, l.total as lines
      from accounts a left join lateral (
        select coalesce(sum(case l.direction when 'credit' then l.amount else -l.amount end), 0)
          + coalesce((select sum(t.amount) from transfers t where t.from_account = a.id and t.kind = 'journal_opening_balance'), 0)
          - coalesce((select sum(t.amount) from transfers t join accounts f on f.id = t.from_account
              where t.to_account = a.id and t.kind = 'journal_reversal' and f.kind = 'operator_funds'), 0) as total
        from bank_lines l where l.collecting_account_id = a.subject and l.state <> 'dismissed' and l.state <> 'new'
          and not (l.direction = 'credit' and l.state = 'needs_review')
      ) as l on true
      where a.kind = 'bank_cash' and -a.balance <> l.total`)
    assert.deepEqual(unequal, [], 'cash differs from the lines')
  }

  return { here, there, arrives, bookAll, propose, approve, post, of, balance, stateOf, lastDecision, assertSound }
}
