import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { ownerOf } from '../../../platform/postgres/sealed-rows.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import { insertMark, selectMarks, selectNamesUnder } from './store.ts'

/** What a person said where a second one must approve it or say the same. `row`: table and key of the row that keeps it. */
export type Word = { row: readonly [table: string, ...key: string[]]; person: string; says: unknown }

type Deps = { marks: Marks }

/** In the transaction that stores the row. Refused if a mark was planted in its place: the word would not count. */
export async function markWord(app: Deps, tx: Tx, word: Word): Promise<void> {
  await insertMark(tx, nameOf(word), await app.marks.of(nameOf(word), saidBy(word)))
  if ((await ofPeople(app, tx, [word], (one) => one)).length > 0) return
  throw markInPlace()
}

export const markInPlace = () => refuse('mark_in_place')

export const rowInPlace = () => refuse('row_in_place')

/** Those of these rows that the service has stored. One that was written in SQL is no one's word. */
export async function ofPeople<Row>(
  { marks }: Deps,
  db: Queryable,
  rows: readonly Row[],
  wordOf: (row: Row) => Word,
): Promise<Row[]> {
  if (rows.length === 0) return []
  const known = await selectMarks(
    db,
    rows.map((row) => nameOf(wordOf(row))),
  )
  const fits = await Promise.all(
    rows.map((row) => {
      const word = wordOf(row)
      return marks.fits(known.get(nameOf(word)) ?? null, nameOf(word), saidBy(word))
    }),
  )
  return rows.filter((_, at) => fits[at])
}

/** The others: someone else has written them. */
export async function forged<Row>(
  app: Deps,
  db: Queryable,
  rows: readonly Row[],
  wordOf: (row: Row) => Word,
): Promise<Row[]> {
  const real = new Set(await ofPeople(app, db, rows, wordOf))
  return rows.filter((row) => !real.has(row))
}

/** Marks under these names that belong to no word that the service has stored. `key`: the rest of the name. */
export async function strayMarks(
  db: Queryable,
  under: string[],
  real: readonly Word[],
): Promise<{ under: string; key: string[] }[]> {
  const known = new Set(real.map(nameOf))
  const found = under.length === 0 ? [] : await selectNamesUnder(db, under)
  return found
    .filter(({ name }) => !known.has(name))
    .map((one) => ({ under: one.under, key: one.name.slice(one.under.length + 1).split('/') }))
}

/** The next number after `last` that nothing has, also nothing that was written in SQL. */
export function freeNumber(last: number, taken: Iterable<number>): number {
  const used = new Set(taken)
  let number = last + 1
  while (used.has(number)) number++
  return number
}

/** The second person must not approve what no first person has said. */
export async function mustBeOfPerson(app: Deps, tx: Tx, word: Word): Promise<void> {
  if ((await ofPeople(app, tx, [word], (one) => one)).length > 0) return
  throw refuse('word_not_recorded', { person: word.person })
}

const nameOf = ({ row: [table, ...key] }: Word) => ownerOf(table, key)
const saidBy = ({ person, says }: Word) => ({ person, says })
