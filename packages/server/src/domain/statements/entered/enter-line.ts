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
import { authorizedByName, lockEntitled, markWord, mustBeOfPerson } from '../../people/index.ts'
import type { BankLine } from '../bank-line.ts'
import { lineProblem } from '../files/file-line.ts'
import { draftLines, insertJudged } from '../import-lines.ts'
import { lockImport } from '../store.ts'
import type { EnteredDecision, EnteredLine } from './store.ts'
import type { EnteredFacts } from './similar-lines.ts'
import { factsOfEntered, sameLines } from './similar-lines.ts'
import { insertEntered, lockEntered, lockEntering, updateEntered } from './store.ts'
import { wordOf } from './word.ts'

type Deps = Authority & { db: Db; clock: Clock; ids: Ids }

const SEE_ENTERED = 'see entered_lines'

export type LineToEnter = Pick<
  EnteredLine,
  'direction' | 'amount' | 'bookedOn' | 'senderName' | 'senderIban' | 'narrative' | 'besides' | 'reason'
> & { accountIban: string }

/** What a person should see before entering the line. */
export async function previewEntered(
  app: Pick<Deps, 'clock'> & { db: Queryable },
  written: Omit<LineToEnter, 'besides' | 'reason'>,
): Promise<EnteredFacts> {
  const { accountIban, senderIban } = lineOf(app, written)
  const { id: collectingAccountId } = await mustFindAccount(app.db, accountIban)
  return factsOfEntered(app.db, { ...written, collectingAccountId, senderIban })
}

/**
 * One person enters a line that the bank cannot give now. Nothing is booked until another person confirms it. `seen`: hash of the
 * preview, if there was one.
 */
export async function enterLine(app: Deps, actor: Actor, written: LineToEnter, seen?: string): Promise<EnteredLine> {
  mustGiveReason('why', written.reason)
  mustBeShort(written.reason)
  const line = lineOf(app, written)
  return authorizedByName(app, actor, 'line.enter', async (tx, audit) => {
    // A form that is sent several times at once is compared with what its first sending has entered.
    await lockEntering(tx, actorName(actor))
    const account = await mustFindAccount(tx, line.accountIban)
    const { accountIban: _, ...facts } = written
    const terms = { ...facts, collectingAccountId: account.id, senderIban: line.senderIban }
    await mustBeSeen(tx, terms, seen)
    const proposal = {
      ...terms,
      id: app.ids.next(),
      proposedBy: actorName(actor),
      proposedAt: app.clock.now(),
    }
    await mustBeNew(tx, proposal)
    await insertEntered(tx, proposal)
    await markWord(app, tx, wordOf(proposal))
    const { direction, amount, bookedOn } = proposal
    const after = { state: 'proposed', accountId: account.id, direction, amount, bookedOn }
    await audit(`entered:${proposal.id}`, { after, reason: SEE_ENTERED })
    return { ...proposal, state: 'proposed', decidedBy: null, decidedAt: null, note: null, lineId: null }
  })
}

/**
 * The second person books it, as a line of the account's source of record. The matcher judges it like any other. `seen`: hash of
 * what the person saw of it, if that was on a page.
 */
export async function confirmEntered(app: Deps, actor: Actor, id: string, seen?: string): Promise<EnteredLine> {
  return authorizedByName(app, actor, 'line.confirm', async (tx, audit) => {
    // The bank's line must not come between the comparison and the booking.
    await lockImport(tx)
    const entered = await lockOpen(tx, id)
    await mustBeAnother(app, tx, entered, actor)
    await mustBeOfPerson(app, tx, wordOf(entered))
    await mustBeSeen(tx, entered, seen)
    await mustBeNew(tx, entered)
    const lineId = await book(app, tx, entered)
    await audit(`entered:${id}`, { before: { state: entered.state }, after: { state: 'booked', lineId } })
    return decide(app, tx, entered, { state: 'booked', decidedBy: actorName(actor), note: null, lineId })
  })
}

/** Withdrawn by the person who entered it, or rejected by another one. */
export async function rejectEntered(
  app: Deps,
  actor: Actor,
  id: string,
  { state, why }: { state: 'rejected' | 'withdrawn'; why: string },
): Promise<EnteredLine> {
  mustGiveReason('why', why)
  mustBeShort(why)
  return authorizedByName(app, actor, 'line.refuse', async (tx, audit) => {
    const entered = await lockOpen(tx, id)
    const decidedBy = actorName(actor)
    const isOwn = decidedBy === entered.proposedBy
    if (isOwn !== (state === 'withdrawn'))
      throw isOwn ? refuse('entered_line_own') : refuse('entered_line_not_own', { person: entered.proposedBy })
    await audit(`entered:${id}`, { before: { state: entered.state }, after: { state }, reason: SEE_ENTERED })
    return decide(app, tx, entered, { state, decidedBy, note: why, lineId: null })
  })
}

async function decide(app: Deps, tx: Tx, entered: EnteredLine, decision: EnteredDecision): Promise<EnteredLine> {
  const decidedAt = app.clock.now()
  await updateEntered(tx, entered.id, decision, decidedAt)
  return { ...entered, ...decision, decidedAt }
}

/** The line as the bank would give it: a day without a time, no number. */
function lineOf({ clock }: Pick<Deps, 'clock'>, written: Omit<LineToEnter, 'besides' | 'reason'>): BankLine {
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

function mustBeShort(why: string): void {
  if (why.length > MAX_REASON_LENGTH)
    throw refuseField('why', 'setting_length_wrong', { least: 0, most: MAX_REASON_LENGTH })
}

async function mustFindAccount(db: Queryable, iban: string): Promise<CollectingAccount> {
  const account = (await accountsByIban(db)).get(iban)
  if (!account) throw refuse('account_unknown', { account: iban })
  return account
}

async function lockOpen(tx: Tx, id: string): Promise<EnteredLine> {
  const entered = await lockEntered(tx, id)
  if (!entered) throw refuse('entered_line_unknown', { line: id })
  if (entered.state === 'proposed') return entered
  throw refuse('entered_line_decided', { state: entered.state, person: entered.decidedBy ?? '' })
}

async function mustBeAnother(app: Deps, tx: Tx, { proposedBy }: EnteredLine, actor: Actor): Promise<void> {
  if (actorName(actor) === proposedBy) throw refuse('entered_line_unconfirmed', { person: proposedBy })
  if ((await lockEntitled(app, tx, [proposedBy], 'line.enter')).has(proposedBy)) return
  throw refuse('entered_line_lapsed', { person: proposedBy })
}

type Compared = Omit<LineToEnter, 'accountIban' | 'reason'> & { collectingAccountId: string }

/** A similar line may have come since the person looked, or the same was entered. */
async function mustBeSeen(tx: Tx, line: Compared & { id?: string }, seen: string | undefined): Promise<void> {
  if (seen === undefined || (await factsOfEntered(tx, line)).hash === seen) return
  throw refuse('entered_line_changed')
}

/** The bank may have given the booking already, or a person entered it: then it would count twice. */
async function mustBeNew(tx: Tx, entered: Compared): Promise<void> {
  const { besides } = entered
  const alike = await sameLines(tx, entered)
  const unknown = besides.find((id) => !alike.some((line) => line.id === id))
  if (unknown !== undefined) throw refuseField('besides', 'entered_line_not_similar', { line: unknown })
  const other = alike.find(({ id }) => !besides.includes(id))
  if (other) throw refuse('entered_line_repeats', { line: other.id, state: other.state })
}

/** Its key is its own, so that the bank's line is never taken for the same line read again. Returns the id of the bank line. */
async function book(app: Deps, tx: Tx, entered: EnteredLine): Promise<string> {
  const accounts = [...(await accountsByIban(tx)).values()]
  const account = accounts.find(({ id }) => id === entered.collectingAccountId)
  if (!account?.connection)
    throw refuse('account_without_source', { account: account?.iban ?? entered.collectingAccountId })
  const line = lineOf(app, { ...entered, accountIban: account.iban })
  const { drafts, notBooked } = await draftLines(app, tx, { source: account.connection, lines: [line], file: null })
  const [draft] = drafts
  if (!draft) throw refuse('line_not_bookable', { problem: notBooked[0]?.why ?? '' })
  const own = { naturalKey: `entered|${entered.id}`, correctsLineId: null, isEntered: false, confirmedBy: null }
  await insertJudged(app, tx, [{ ...draft, ...own }])
  return draft.id
}
