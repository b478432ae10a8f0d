import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Action } from '../../people/index.ts'
import { currentOpinions, isAboutEnded, isUndecided } from './doubt-decisions/opinions.ts'
import type { DoubtDecision } from './doubt-decisions/store.ts'
import type { Payout } from './payout.ts'
import { selectDebit } from './store.ts'

/** Who looks. Null: no one who is known, who counts as a person that has not reported. */
export type Reader = { name: string; may: (action: Action) => boolean } | null

/**
 * Those of these words that the reader must not see yet: until the question is decided, who has not reported must not copy the first. An
 * auditor cannot report, and sees all.
 */
export async function hiddenFindings(
  db: Queryable,
  payout: Payout,
  said: DoubtDecision[],
  reader: Reader,
): Promise<Set<DoubtDecision>> {
  if (reader?.may('audit.read') && !reader.may('payout.decide')) return new Set()
  const own = currentOpinions(payout, said).find(({ operator }) => operator === reader?.name)
  const hasDebit = ((await selectDebit(db, payout))?.debitLineId ?? null) !== null
  return new Set(
    said.filter((word) => {
      const meant = opinionIn(said, word)
      const asksAgain = isAboutEnded(meant)
      if (word.operator === reader?.name || !isUndecided(payout, meant) || (asksAgain && hasDebit)) return false
      return !own || isAboutEnded(own) !== asksAgain
    }),
  )
}

/** What a word says, or takes back. */
function opinionIn(said: DoubtDecision[], word: DoubtDecision): DoubtDecision {
  if (word.verdict !== 'withdrawn') return word
  const before = (one: DoubtDecision) => one.operator === word.operator && one.number < word.number
  return said.findLast((one) => before(one) && one.verdict !== 'withdrawn') ?? word
}
