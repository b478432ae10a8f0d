import { ERASED_IBAN } from '../../../kernel/erased.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { ownerOf } from '../../../platform/postgres/sealed-rows.ts'
import type { Authority, Word } from '../../people/index.ts'
import { freeNumber, markWord, ofPeople, rowInPlace, strayMarks } from '../../people/index.ts'
import { isAboutEnded } from './doubt-decisions/opinions.ts'
import type { DoubtDecision, DoubtRow } from './doubt-decisions/store.ts'
import { insertDoubtDecision, selectDoubtDecisions } from './doubt-decisions/store.ts'
import type { Payout } from './payout.ts'
import { isOpen } from './payout.ts'

type Deps = Pick<Authority, 'marks'>

/** Evidence may be erased later, except the reference by which two agree. */
function wordOf({ merchantId, withdrawalId }: Payout, said: Omit<DoubtDecision, 'decidedAt'>): Word {
  const { submits, number, operator, verdict, evidence } = said
  const key = [merchantId, withdrawalId, String(submits), operator, verdict, String(number)]
  return { row: ['doubt_decisions', ...key], person: operator, says: verdict === 'found' ? evidence : null }
}

/** `said`: words of people; `forged`: rows that were written in SQL; `stray`: marks that no word has. */
export async function readWords(app: Deps, db: Queryable, payout: Payout) {
  const stored = await selectDoubtDecisions(db, payout)
  const word = (one: DoubtDecision) => wordOf(payout, one)
  const said = await ofPeople(app, db, stored, word)
  const under = ownerOf('doubt_decisions', [payout.merchantId, payout.withdrawalId])
  const stray = (await strayMarks(db, [under], said.map(word))).map(({ key: [submits, operator = '', , number] }) => {
    return { submits: Number(submits), operator, number: Number(number) }
  })
  return { said, forged: stored.filter((one) => !said.includes(one)), stray }
}

/** The caller has locked the payout, so that numbers do not repeat. Returns the number of this word. */
export async function recordWord(app: Deps & { clock: Clock }, tx: Tx, payout: Payout, row: DoubtRow): Promise<number> {
  const { said, forged, stray } = await readWords(app, tx, payout)
  const last = Math.max(0, ...said.map((one) => one.number))
  const number = freeNumber(
    last,
    [...forged, ...stray].map((one) => one.number),
  )
  if (!(await insertDoubtDecision(tx, payout, { ...row, number }, app.clock.now()))) throw rowInPlace()
  await markWord(app, tx, wordOf(payout, { ...row, submits: payout.submits, number }))
  return number
}

/** To show. What marks are made of is erased with its payout: then all rows are taken as they are. */
export async function findingsAbout(
  app: Deps,
  db: Queryable,
  payout: Payout,
): Promise<{ said: DoubtDecision[]; forged: DoubtDecision[] }> {
  if (payout.iban === ERASED_IBAN) return { said: await selectDoubtDecisions(db, payout), forged: [] }
  const { said, forged } = await readWords(app, db, payout)
  return { said, forged }
}

/** Those of these payouts about whose end someone wrote a word, or a mark of one, in SQL. */
export async function forgedOpinions(app: Deps & { db: Queryable }, payouts: Payout[]): Promise<string[]> {
  const found: string[] = []
  for (const payout of payouts) {
    const { forged, stray } = await readWords(app, app.db, payout)
    const isNow = ({ submits }: { submits: number }) => submits === payout.submits
    if (stray.some(isNow) || forged.filter(isNow).some((one) => isOpen(payout) || isAboutEnded(one)))
      found.push(payout.withdrawalId)
  }
  return found
}
