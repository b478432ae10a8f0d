import { ERASED_IBAN } from '../../kernel/erased.ts'
import type { Queryable } from '../../platform/postgres/db.ts'
import { ownerOf } from '../../platform/postgres/sealed-rows.ts'
import type { Authority, Word } from '../people/index.ts'
import { ofPeople, strayMarks } from '../people/index.ts'
import type { Approval } from './decisions/store.ts'
import { approvalsOf } from './decisions/store.ts'
import { listByStage } from './store.ts'
import type { Withdrawal } from './withdrawal.ts'

type Deps = Pick<Authority, 'marks'>

/** Binds the approval to what is paid, and to whom. A first word has no number in its name, as before there were others. */
export function wordOf(
  { merchantId, id, amount, iban }: Withdrawal,
  { operator, decision, number }: Pick<Approval, 'operator' | 'decision' | 'number'>,
): Word {
  const turn = number === 1 ? [] : [String(number)]
  return {
    row: ['withdrawal_approvals', merchantId, id, operator, ...turn],
    person: operator,
    says: { decision, amount, iban },
  }
}

type About = Pick<Approval, 'withdrawalId' | 'operator' | 'number'>
const personOf = ({ withdrawalId, operator }: About) => `${withdrawalId} ${operator}`

/** `said`: words of people; `forged`: rows that were written in SQL; `stray`: marks that no word has. */
async function readWords(app: Deps, db: Queryable, withdrawals: Withdrawal[]) {
  const byId = new Map(withdrawals.map((one) => [one.id, one]))
  const word = (one: Approval) => wordOf(byId.get(one.withdrawalId) as Withdrawal, one)
  const stored = await approvalsOf(db, withdrawals)
  const said = await ofPeople(app, db, stored, word)
  const under = new Map(withdrawals.map((one) => [ownerOf('withdrawal_approvals', [one.merchantId, one.id]), one.id]))
  const marks = await strayMarks(db, [...under.keys()], said.map(word))
  const stray = marks.map(({ under: name, key: [operator = '', number = '1'] }): About => {
    return { withdrawalId: under.get(name) ?? '', operator, number: Number(number) }
  })
  return { said, forged: stored.filter((one) => !said.includes(one)), stray }
}

/** `taken`: numbers that have a row or a mark. `isDoubted`: one has a mark that Vezne did not write, so no approval counts. */
export type OwnWords = { said: Approval[]; taken: number[]; isDoubted: boolean }

export async function ownWords(app: Deps, db: Queryable, withdrawal: Withdrawal, person: string): Promise<OwnWords> {
  const { said, forged, stray } = await readWords(app, db, [withdrawal])
  const own = (one: About) => one.operator === person
  const taken = [...said, ...forged, ...stray].filter(own).map(({ number }) => number)
  return { said: said.filter(own), taken, isDoubted: stray.some(own) }
}

/** The newest word of each person about each withdrawal, also one that takes the one before back. */
export async function newestWords(app: Deps, db: Queryable, withdrawals: Withdrawal[]): Promise<Approval[]> {
  const { said, stray } = await readWords(app, db, withdrawals)
  const doubted = new Set(stray.map(personOf))
  return newestOf(said).filter((one) => one.decision !== 'approve' || !doubted.has(personOf(one)))
}

export function newestOf(words: Approval[]): Approval[] {
  const newest = new Map<string, Approval>()
  for (const word of words.toSorted((one, other) => one.number - other.number)) newest.set(personOf(word), word)
  return [...newest.values()]
}

/** To show. What marks are made of is erased with its withdrawal: then all rows are taken as they are. */
export async function wordsAbout(
  app: Deps,
  db: Queryable,
  withdrawal: Withdrawal,
): Promise<{ said: Approval[]; forged: Approval[] }> {
  if (withdrawal.iban === ERASED_IBAN) return { said: await approvalsOf(db, [withdrawal]), forged: [] }
  const { said, forged } = await readWords(app, db, [withdrawal])
  return { said, forged }
}

/** Withdrawals with an approval, or a mark of one, that no one has given: it was written in SQL. */
export async function forgedApprovals(app: Deps & { db: Queryable }, limit: number): Promise<string[]> {
  const { forged, stray } = await readWords(app, app.db, await listByStage(app.db, 'awaiting_approval', limit))
  return [...new Set([...forged, ...stray].map(({ withdrawalId }) => withdrawalId))].toSorted()
}
