import type { Actor } from '../../../kernel/actor.ts'
import { actorName } from '../../../kernel/actor.ts'
import { foldText } from '../../../kernel/fold.ts'
import { ibanFault, normaliseIban } from '../../../kernel/iban.ts'
import { isDay, istanbul, startOfDay } from '../../../kernel/istanbul.ts'
import { mustGiveReason } from '../../../kernel/reason.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Db, Queryable, Tx } from '../../../platform/postgres/db.ts'
import type { Ids } from '../../../platform/crypto/ids.ts'
import { refuse, refuseField } from '../../../kernel/refusals/refuse.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import { accountsByIban } from '../../banks/index.ts'
import type { Authority } from '../../people/index.ts'
import { authorizedByName, mustBeApproved } from '../../people/index.ts'
import type { BankLine } from '../bank-line.ts'
import { lineProblem } from '../files/file-line.ts'
import { draftLines, insertJudged } from '../import-lines.ts'
import { lockImport } from '../store.ts'
import type { EnteredFacts } from './similar-lines.ts'
import { factsOfEntered } from './similar-lines.ts'
import type { EnteredLine } from './store.ts'
import { insertEntered } from './store.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids }

/** A line that the bank cannot give now, as people write it. */
export type LineToEnter = Pick<
  EnteredLine,
  'direction' | 'amount' | 'bookedOn' | 'senderName' | 'senderIban' | 'narrative' | 'besides'
> & { accountIban: string }

type Written = Omit<LineToEnter, 'besides'>

/** One way to write the same. */
export function normaliseEntered({ accountIban, senderName, senderIban, narrative, besides, ...line }: LineToEnter) {
  return {
    ...line,
    accountIban: normaliseIban(accountIban),
    senderName: senderName.trim(),
    senderIban: senderIban === null ? null : normaliseIban(senderIban),
    narrative: narrative.trim(),
    besides: [...new Set(besides)].toSorted(),
  }
}

/** What a person should see before proposing the line. */
export async function previewEntered(
  app: Pick<Deps, 'clock'> & { db: Queryable },
  written: Written,
): Promise<EnteredFacts> {
  return (await read(app, app.db, written)).facts
}

/** Refuses what cannot be entered, and what the bank may have given or people entered already: it would count twice. */
export async function checkEntered(app: Pick<Deps, 'clock'>, db: Queryable, entered: LineToEnter) {
  const found = await read(app, db, entered)
  const { besides } = entered
  const { same } = found.facts
  const unknown = besides.find((id) => !same.some((line) => line.id === id))
  if (unknown !== undefined) throw refuseField('besides', 'entered_line_not_similar', { line: unknown })
  const other = same.find(({ id }) => !besides.includes(id))
  if (other) throw refuse('entered_line_repeats', { line: other.id, state: other.state })
  return found
}

/**
 * Once a second person has agreed: a line of the account's source of record, which the matcher judges like any other. Its key is its
 * own, so that the bank's line is never taken for the same line read again.
 */
export async function enterLine(app: Deps, actor: Actor, entered: LineToEnter, why: string): Promise<EnteredLine> {
  return authorizedByName(app, actor, 'line.enter', async (tx, audit) => {
    mustBeApproved(app, { always: true })
    // The bank's line must not come between the comparison and the booking.
    await lockImport(tx)
    const { account, line } = await checkEntered(app, tx, entered)
    const { accountIban: _, ...facts } = entered
    const decided = {
      proposedBy: app.approval?.proposedBy ?? '',
      decidedBy: actorName(actor),
      decidedAt: app.clock.now(),
    }
    const lineId = await book(app, tx, account, line)
    const booked = { ...facts, lineId, collectingAccountId: account.id, reason: why, ...decided }
    await insertEntered(tx, booked)
    const { direction, amount, bookedOn } = booked
    const after = { state: 'booked', accountId: account.id, direction, amount, bookedOn }
    await audit(`line:${lineId}`, { after, reason: 'see entered_lines' })
    return booked
  })
}

async function read(app: Pick<Deps, 'clock'>, db: Queryable, written: Written) {
  const line = lineOf(app, written)
  const account = (await accountsByIban(db)).get(line.accountIban)
  if (!account) throw refuse('account_unknown', { account: line.accountIban })
  const { senderIban } = line
  const facts = await factsOfEntered(db, { ...written, collectingAccountId: account.id, senderIban })
  return { line, account, facts }
}

/** The line as the bank would give it: a day without a time, no number. */
function lineOf({ clock }: Pick<Deps, 'clock'>, written: Written): BankLine {
  const { amount, direction, bookedOn, senderName, narrative } = written
  const senderIban = written.senderIban === null ? null : normaliseIban(written.senderIban)
  if (!isDay(bookedOn) || bookedOn > istanbul(clock.now()).day) throw refuseField('date', 'entered_day_wrong')
  if (foldText(senderName) === '') throw refuseField('sender', 'entered_name_missing')
  const fault = senderIban === null ? null : ibanFault(senderIban)
  if (fault) throw refuseField('iban', 'iban_wrong', { fault, characters: senderIban?.length ?? 0 })
  const line: BankLine = {
    accountIban: normaliseIban(written.accountIban),
    bankReference: null,
    amount,
    direction,
    valueDate: bookedOn,
    bookedAt: startOfDay(bookedOn),
    wholeDay: true,
    senderName,
    senderIban,
    narrative,
  }
  const problem = lineProblem(line)
  if (problem !== null) throw refuse('line_not_bookable', { problem })
  return line
}

/** As long as the form takes it. */
const MAX_REASON_LENGTH = 200

export function mustExplainEntry(why: string): void {
  mustGiveReason('why', why)
  if (why.length > MAX_REASON_LENGTH) throw refuseField('why', 'length_wrong', { least: 0, most: MAX_REASON_LENGTH })
}

/** Returns the id of the bank line. */
async function book(app: Deps, tx: Tx, { connection, iban }: CollectingAccount, line: BankLine): Promise<string> {
  if (!connection) throw refuse('account_without_source', { account: iban })
  const { drafts, notBooked } = await draftLines(app, tx, { source: connection, lines: [line], file: null })
  const [draft, refused] = [drafts[0], notBooked[0]]
  if (refused) throw refuse('line_not_bookable', { problem: refused.why })
  if (!draft) throw new Error('the entered line is neither booked nor refused')
  const own = { naturalKey: `entered|${draft.id}`, correctsLineId: null, isEntered: false, confirmedBy: null }
  await insertJudged(app, tx, [{ ...draft, ...own }])
  return draft.id
}
