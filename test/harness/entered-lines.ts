import assert from 'node:assert/strict'
import type { App } from '../../packages/server/src/compose.ts'
import { bookDebits } from '../../packages/server/src/domain/books/index.ts'
import type { Proposal } from '../../packages/server/src/domain/proposals/index.ts'
import { approveProposal, makeProposal } from '../../packages/server/src/domain/proposals/index.ts'
import { balancesOf, bankAccount, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import type { BankLine, EnteredLine, LineToEnter } from '../../packages/server/src/domain/statements/index.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { istanbul, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { AYSE, MEHMET } from './journal.ts'
import { ingest, matchAll } from './payments.ts'
import { openFileAccount } from './statement-files.ts'

/** Two say so who did not enter the line that this one may repeat. */
export async function isNewMoney(app: App, lineId: string): Promise<void> {
  for (const actor of [MEHMET, operatorActor('zeynep.ak')]) await makeProposal(app, actor, 'line.new_money', { lineId })
}

/** The first of two people enters a line. */
export async function proposeLine(app: App, actor: Actor, line: LineToEnter): Promise<Proposal> {
  const asked = await makeProposal(app, actor, 'line.enter', line, { reason: 'the bank is down since ten' })
  return asked.state === 'open' ? asked.proposal : assert.fail(asked.state)
}

/** The second approves what the first proposed. */
export async function approveLine(app: App, actor: Actor, proposed: Proposal): Promise<EnteredLine> {
  return (await approveProposal(app, actor, proposed.id, proposed.seenSha256)).result as EnteredLine
}

/** An account whose bank is down: lines that people enter, and lines that the bank gives later. */
export async function openOutage(app: App) {
  const { id, iban, lines, take } = await openFileAccount(app)
  const today = istanbul(app.clock.now()).day
  const WRITTEN: LineToEnter = {
    accountIban: iban,
    direction: 'credit',
    amount: 125_000n,
    bookedOn: today,
    senderName: 'Veli Can',
    senderIban: null,
    narrative: 'odeme',
    besides: [],
  }

  const propose = (changes: Partial<LineToEnter> = {}) => proposeLine(app, AYSE, { ...WRITTEN, ...changes })

  /** Entered by one, approved by the other. Returns the id of the bank line. */
  async function enter(changes: Partial<LineToEnter> = {}): Promise<string> {
    const { lineId } = await approveLine(app, MEHMET, await propose(changes))
    await settle()
    return lineId
  }

  const real = (changes: Partial<BankLine> = {}): BankLine => ({
    accountIban: iban,
    bankReference: app.ids.next(),
    amount: 125_000n,
    direction: 'credit',
    valueDate: changes.bookedAt ? istanbul(changes.bookedAt).day : today,
    bookedAt: startOfDay(today),
    senderName: 'VELI CAN',
    senderIban: null,
    narrative: 'FAST odeme 99',
    ...changes,
  })

  /** The bank gives these. Returns state, reason and the line that it refers to, of each that is new. */
  async function gives(...given: BankLine[]) {
    const before = new Set((await lines()).map((line) => line.id))
    await ingest(app, given, 'manual')
    await settle()
    const added = (await lines()).filter((line) => !before.has(line.id))
    return added.map(({ state, reason, correctsLineId }) => [state, reason, correctsLineId])
  }

  async function settle(): Promise<void> {
    await matchAll(app)
    while ((await bookDebits(app)) > 0);
    assert.deepEqual(await findDrift(app.db), [])
  }

  /** What the ledger has on the account. */
  const cash = async () => -((await balancesOf(app.db, [bankAccount('bank_cash', id, 'TRY')]))[0] ?? 0n)

  return { id, iban, today, written: WRITTEN, lines, take, propose, enter, real, gives, settle, cash }
}
