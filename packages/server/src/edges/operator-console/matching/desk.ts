import { createHash } from 'node:crypto'
import type { Comparison, Effect, JournalEntry, LineCandidate, NextStep } from '../../../domain/books/index.ts'
import { compareFields, effectOf, entriesAbout, findCandidates, refundOf } from '../../../domain/books/index.ts'
import type { Proposal } from '../../../domain/proposals/index.ts'
import { openProposalAbout } from '../../../domain/proposals/index.ts'
import type { Deposit } from '../../../domain/deposits/index.ts'
import { findDepositById, selectByReferenceCodes } from '../../../domain/deposits/index.ts'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import { decisionsOf, readRepeat, severalNamed } from '../../../domain/matching/index.ts'
import type { EnteredLine, LineOrigin, StoredLine, UnconfirmedLine } from '../../../domain/statements/index.ts'
import {
  countOpenLines,
  ENTERED_BY_HAND,
  findLine,
  linesNamedIn,
  listOpenLines,
  originsOf,
  replacementOf,
  selectUnconfirmed,
  waitingCorrections,
} from '../../../domain/statements/index.ts'
import { heldSubjects, lineSubject } from '../../../domain/people/index.ts'
import type { Withdrawal } from '../../../domain/withdrawals/index.ts'
import { findWithdrawalById } from '../../../domain/withdrawals/index.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { AccountName, MerchantNames } from '../names.ts'
import { accountNames, merchantNames } from '../names.ts'
import type { Asked, OperatorDeps } from '../kind.ts'
import type { DataOf } from '../reveal/personal-data.ts'
import { personalData } from '../reveal/personal-data.ts'
import type { DeskFilter } from './filter.ts'
import { filterFrom } from './filter.ts'

const PAGE_SIZE = 25
/** How far the next line without a proposal is looked for. */
const PAGES_AHEAD = 4
/** More are not counted. */
const MOST_COUNTED = 100
/** More than these say nothing more; the search has all. */
const MAX_CANDIDATES = 12

/** A candidate with what a person sees of it: field by field, and what the next step would do. */
export type ShownCandidate = LineCandidate & {
  fields: Comparison[]
  effect: Effect
  seen: string
  /** Which deposit or withdrawal it is, or its line is of. */
  transaction: Pick<Withdrawal, 'id' | 'merchantId' | 'processId'> | null
}

const KINDS = {
  ...{ deposit: 'deposit', payout: 'withdrawal', return: 'withdrawal' },
  ...{
    own_transfer: 'line',
    storno: 'line',
    correction: 'line',
    charge_and_tax: 'line',
    stranger: 'line',
    receivable: 'journal',
  },
} as const

/** As the audit names it. */
export const subjectOf = ({ what, id }: LineCandidate) => `${KINDS[what]}:${id}`

export type DeskLine = {
  line: StoredLine
  isOpen: boolean
  /** The line that it may repeat. */
  repeats: StoredLine | null
  /** What people entered, if it may repeat that. */
  entered: EnteredLine | null
  /** It is the bank's line of that one, which people had entered. */
  showsEntered: boolean
  origin: LineOrigin | null
  /** The line itself, if people entered it and the bank has not shown it. */
  unconfirmed: UnconfirmedLine[]
  /** Lines that may correct it, about which no one has decided. */
  corrections: StoredLine[]
  decisions: Awaited<ReturnType<typeof decisionsOf>>
  entries: JournalEntry[]
  /** What refunds of the line made, the newest last. */
  refunds: Withdrawal[]
  /** A match, or that it is another payment, which another person has to approve. */
  proposal: Proposal | null
  /** Payouts that it names and that lack their debit, if they are several. */
  several: string[]
  /** Deposits whose code it has, whatever became of them. */
  named: Deposit[]
  candidates: ShownCandidate[]
  /** Of our lines, in its text. */
  numbers: ReadonlySet<string>
  freed: { effect: Effect; seen: string }
}

export type Desk = {
  filter: DeskFilter
  lines: StoredLine[]
  /** Lines about which a proposal waits for another person. */
  waiting: ReadonlySet<string>
  /** Lines that people entered and the bank has not shown. */
  unconfirmed: ReadonlySet<string>
  /** Of our lines, in their texts. */
  numbers: ReadonlySet<string>
  hasMore: boolean
  /** Of all pages. */
  count: string
  merchants: MerchantNames
  accountName: AccountName
  accounts: { id: string; name: string }[]
  dataOf: DataOf
}

export async function readDesk(app: OperatorDeps, asked: Asked): Promise<Desk> {
  const filter = filterFrom(asked.query)
  const lines = await listOpenLines(app.db.pages, filter, PAGE_SIZE + 1)
  const accountName = await accountNames(app)
  const accounts = (await app.banks.accounts()).map(({ id }) => ({ id, name: accountName(id) ?? id }))
  return {
    ...{ filter, accountName, accounts, merchants: await merchantNames(app) },
    dataOf: await personalData(app, asked),
    waiting: await waitingFor(app, lines),
    numbers: await numbersOfOurs(app, lines),
    unconfirmed: new Set(
      (
        await selectUnconfirmed(
          app.db.pages,
          lines.map(({ id }) => id),
        )
      ).map(({ id }) => id),
    ),
    lines: lines.slice(0, PAGE_SIZE),
    hasMore: lines.length > PAGE_SIZE,
    count: `${(await countOpenLines(app.db.pages, filter, MOST_COUNTED)) ?? `${MOST_COUNTED}+`}`,
  }
}

/** Bank numbers of our lines that these texts have. They are no one's data. */
async function numbersOfOurs({ db }: OperatorDeps, lines: StoredLine[]): Promise<ReadonlySet<string>> {
  const named = await linesNamedIn(db.pages, lines)
  return new Set(named.flatMap(({ bankReference }) => bankReference ?? []))
}

/** Lines about which a proposal waits for another person. */
export async function waitingFor(app: OperatorDeps, lines: StoredLine[]): Promise<ReadonlySet<string>> {
  const held = await heldSubjects(
    app,
    app.db.pages,
    lines.map(({ id }) => lineSubject(id)),
  )
  return new Set(lines.flatMap(({ id }) => (held.has(lineSubject(id)) ? id : [])))
}

export const isOpen = ({ state }: StoredLine) => state === 'suspense' || state === 'needs_review'

/** Taken for the same money as another line: that can be taken back. */
export const isSetAside = ({ state, reason, direction, correctsLineId }: StoredLine) =>
  state === 'dismissed' &&
  (reason === 'same_money' ? correctsLineId !== null || direction === 'debit' : reason === ENTERED_BY_HAND)

export async function readLine(app: OperatorDeps, id: string): Promise<DeskLine | null> {
  const { pages } = app.db
  const line = await findLine(pages, id)
  if (!line) return null
  const found = await findCandidates({ db: pages, banks: app.banks, marks: app.marks }, line)
  const candidates = await Promise.all(
    found.slice(0, MAX_CANDIDATES).map(async (one) => {
      const effect = await effectOf({ ...app, db: pages }, line, one.next)
      const transaction = await transactionOf(pages, one)
      return { ...one, effect, fields: compareFields(line, one), seen: seenHash(line, one.next, effect), transaction }
    }),
  )
  return {
    ...{ line, candidates, isOpen: isOpen(line) },
    repeats: line.correctsLineId === null ? null : ((await findLine(pages, line.correctsLineId)) ?? null),
    entered: (await readRepeat(pages, id)).entered,
    showsEntered: (await replacementOf(pages, line.correctsLineId ?? ''))?.id === id,
    origin: (await originsOf(pages, [id])).get(id) ?? null,
    unconfirmed: await selectUnconfirmed(pages, [id]),
    corrections: await waitingCorrections(pages, [id]),
    decisions: await decisionsOf(pages, [id]),
    ...(await entriesAndRefunds(pages, id)),
    proposal: await openProposalAbout({ ...app, db: pages }, lineSubject(id)),
    several: await severalNamed(pages, line),
    numbers: await numbersOfOurs(app, [line]),
    named: line.direction === 'credit' ? await selectByReferenceCodes(pages, codesOf(line)) : [],
    freed: await seenStep(app, line, { do: 'suspend', lineId: id }),
  }
}

async function entriesAndRefunds(db: Queryable, lineId: string): Promise<Pick<DeskLine, 'entries' | 'refunds'>> {
  const entries = await entriesAbout(db, lineId)
  const posted = entries.filter(({ kind }) => kind === 'refund_unexplained')
  const made = await Promise.all(posted.map((entry) => refundOf(db, entry.id)))
  return { entries, refunds: made.flatMap((refund) => refund ?? []) }
}

async function transactionOf(db: Queryable, { what, id }: LineCandidate): Promise<ShownCandidate['transaction']> {
  const kind = KINDS[what]
  const line = kind === 'line' ? await findLine(db, id) : undefined
  const depositId = kind === 'deposit' ? id : null
  return transactionOfLine(db, line ?? { depositId, withdrawalId: kind === 'withdrawal' ? id : null })
}

/** The deposit or the withdrawal that a line belongs to. */
export async function transactionOfLine(
  db: Queryable,
  { depositId, withdrawalId }: Pick<StoredLine, 'depositId' | 'withdrawalId'>,
): Promise<ShownCandidate['transaction']> {
  const deposit = depositId === null ? undefined : await findDepositById(db, depositId)
  return deposit ?? (withdrawalId === null ? null : ((await findWithdrawalById(db, withdrawalId)) ?? null))
}

const codesOf = ({ narrative }: StoredLine) => findReferenceCodes(narrative).map(({ code }) => code)

/** A match that completes the deposit with another amount than it asks for. */
export const differs = (effect: Effect): effect is Extract<Effect, { does: 'credit' }> =>
  effect.does === 'credit' && effect.deposit.receivedAmount !== effect.deposit.amount

/** A step as a person sees it now: a decision about it is bound to the hash. */
export async function seenStep(app: OperatorDeps, line: StoredLine, step: NextStep) {
  const effect = await effectOf(app, line, step)
  return { effect, seen: seenHash(line, step, effect) }
}

function seenHash(line: StoredLine, step: NextStep, effect: Effect): string {
  const { id, state, reason, amount, depositId, withdrawalId, journalId } = line
  const facts = [id, state, reason, amount, depositId, withdrawalId, journalId, step, effect]
  const text = JSON.stringify(facts, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value))
  return createHash('sha256').update(text).digest('base64url')
}

/** The line that follows in the list, without a proposal that waits; after the last one, the first. */
export async function nextLine(app: OperatorDeps, filter: DeskFilter, id: string): Promise<string | null> {
  return (await nextAfter(app, filter, id, id)) ?? nextAfter(app, filter, id, '')
}

/** Among the lines of some pages after this one. */
async function nextAfter(app: OperatorDeps, filter: DeskFilter, id: string, start: string): Promise<string | null> {
  let after: string | undefined = start
  for (let page = 0; page < PAGES_AHEAD && after !== undefined; page++) {
    const lines = await listOpenLines(app.db.pages, { ...filter, after }, PAGE_SIZE)
    const waiting = await waitingFor(app, lines)
    const next = lines.find((line) => line.id !== id && !waiting.has(line.id))
    if (next) return next.id
    after = lines[PAGE_SIZE - 1]?.id
  }
  return null
}
