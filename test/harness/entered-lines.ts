import assert from 'node:assert/strict'
import type { App } from '../../packages/server/src/compose.ts'
import { bookDebits } from '../../packages/server/src/domain/books/index.ts'
import { requestChange } from '../../packages/server/src/domain/changes/index.ts'
import { balancesOf, bankAccount, findDrift } from '../../packages/server/src/domain/ledger/index.ts'
import type { BankLine, LineToEnter } from '../../packages/server/src/domain/statements/index.ts'
import { confirmEntered, enterLine } from '../../packages/server/src/domain/statements/index.ts'
import { operatorActor } from '../../packages/server/src/kernel/actor.ts'
import { istanbul, startOfDay } from '../../packages/server/src/kernel/istanbul.ts'
import { AYSE, MEHMET } from './journal.ts'
import { ingest, matchAll } from './payments.ts'
import { openFileAccount } from './statement-files.ts'

/** Two say so who did not enter the line that this one may repeat. */
export async function isNewMoney(app: App, lineId: string): Promise<void> {
  for (const actor of [MEHMET, operatorActor('zeynep.ak')])
    await requestChange(app, actor, 'line.new_money', { lineId })
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
    reason: 'the bank is down since ten',
  }

  const propose = (changes: Partial<LineToEnter> = {}) => enterLine(app, AYSE, { ...WRITTEN, ...changes })

  /** Entered by one, confirmed by the other. Returns the id of the bank line. */
  async function enter(changes: Partial<LineToEnter> = {}): Promise<string> {
    const { lineId } = await confirmEntered(app, MEHMET, (await propose(changes)).id)
    await settle()
    return lineId ?? assert.fail('not booked')
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

  return { id, iban, today, lines, take, propose, enter, real, gives, settle, cash }
}
