import type { ProposalForm } from '../../../domain/books/index.ts'
import { findLine, linesNumbered } from '../../../domain/statements/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { OperatorDeps } from '../kind.ts'
import { withDepositIds } from './deposits-by-code.ts'
import { ID, wordsOf } from './read-proposal.ts'
import type { DeskWords } from './words.ts'

const MAX_LINES = 50

/** The values with ids where people gave the number of a line or the code of a deposit. */
export async function withIds(
  app: OperatorDeps,
  words: DeskWords,
  form: ProposalForm,
  lineId: string,
  values: URLSearchParams,
): Promise<URLSearchParams> {
  return withDepositIds(app, words, await withLineIds(app, words, form, lineId, values))
}

/** The values with ids where the bank's number of a line was given: of the same account; of our own transfer, of another one. */
async function withLineIds(
  { db, banks }: OperatorDeps,
  { noNumber, severalOfNumber }: DeskWords,
  { kind }: ProposalForm,
  lineId: string,
  values: URLSearchParams,
): Promise<URLSearchParams> {
  const given = wordsOf(values, 'lines')
  const numbers = given.filter((one) => !ID.test(one))
  const line = numbers.length === 0 ? undefined : await findLine(db.pages, lineId)
  if (!line) return values
  const isHere = (id: string) => (id === line.collectingAccountId) !== (kind === 'own_transfer')
  const accounts = (await banks.accounts()).map(({ id }) => id).filter(isHere)
  const wanted = numbers.flatMap((number) => accounts.map((collectingAccountId) => ({ collectingAccountId, number })))
  const isOther = kind === 'storno' || kind === 'own_transfer'
  const found = (await linesNumbered(db.pages, wanted, MAX_LINES)).filter(
    ({ id, direction }) => id !== lineId && (!isOther || direction !== line.direction),
  )
  const idOf = (one: string): string => {
    if (ID.test(one)) return one
    const [its, another] = found.filter(({ bankReference }) => bankReference === one)
    if (!its || another) throw new Refusal('VALIDATION_ERROR', (its ? severalOfNumber : noNumber)(one))
    return its.id
  }
  const resolved = new URLSearchParams(values)
  resolved.set('lines', [...new Set(given.map(idOf))].join(' '))
  return resolved
}
