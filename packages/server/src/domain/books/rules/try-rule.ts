import { sumOf } from '../../../kernel/money.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { DAY_MS } from '../../../platform/time/clock.ts'
import type { Db } from '../../../platform/postgres/db.ts'
import type { BookedLine } from '../../statements/index.ts'
import { linesBookedSince } from '../../statements/index.ts'
import type { RuleTerms } from './rule.ts'
import { isOfOthers, isUntouched, readable, speaksOf } from './rule.ts'

const TRIED_DAYS = 90
/** All of them are compared with the words. */
const MAX_READ = 50_000
const SHOWN = 10

type Group = { lines: number; amount: bigint; currency: string }

/** What a rule would have done to the lines of the last 90 days. */
export type Trial = {
  days: number
  /** They wait, and would be booked now. */
  waiting: Group[]
  /** People have explained them as the same. */
  same: Group[]
  /** They are explained as something else: the rule is too wide, or they were wrong. The newest. */
  other: Group[]
  others: Pick<BookedLine, 'id' | 'valueDate' | 'amount' | 'currency' | 'reason' | 'senderName' | 'narrative'>[]
  /** Never for a rule. */
  named: Group[]
  /** More lines were there than are read. */
  isCut: boolean
}

export async function tryRule(
  { db, clock }: { db: Pick<Db, 'report'>; clock: Clock },
  terms: RuleTerms,
): Promise<Trial> {
  const since = new Date(clock.now().getTime() - TRIED_DAYS * DAY_MS)
  const { direction, accountId, maxAmount } = terms
  const read = await linesBookedSince(db.report, { since, direction, accountId, maxAmount }, MAX_READ)
  const lines = read.filter((line) => speaksOf(terms, readable(line)))
  const groups = Map.groupBy(lines, (line) => judge(terms, line))
  const others = groups.get('other') ?? []
  return {
    days: TRIED_DAYS,
    ...{ waiting: sums(groups.get('waiting')), same: sums(groups.get('same')) },
    ...{ other: sums(others), named: sums(groups.get('named')) },
    others: others.slice(0, SHOWN).map(({ id, valueDate, amount, currency, reason, senderName, narrative }) => {
      return { id, valueDate, amount, currency, reason, senderName, narrative }
    }),
    isCut: read.length === MAX_READ,
  }
}

function judge({ kind }: RuleTerms, line: BookedLine): 'waiting' | 'same' | 'other' | 'named' {
  if (isUntouched(line)) return isOfOthers(line) ? 'named' : 'waiting'
  return line.state === 'matched' && line.reason === kind ? 'same' : 'other'
}

function sums(lines: BookedLine[] = []): Group[] {
  return [...Map.groupBy(lines, ({ currency }) => currency)].map(([currency, its]) => {
    return { lines: its.length, amount: sumOf(its), currency }
  })
}
