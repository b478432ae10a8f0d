import type { ProposalForm } from '../../../domain/books/index.ts'
import { selectByReferenceCodes } from '../../../domain/deposits/index.ts'
import { findLine, linesNumbered } from '../../../domain/statements/index.ts'
import { isReferenceCode } from '../../../kernel/reference-code.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { OperatorDeps } from '../kind.ts'
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

const FIELDS = ['part', 'deposit']

/** The values with ids where the code of a deposit was given, which is what customers write and people read. */
async function withDepositIds(
  { db }: OperatorDeps,
  { noDeposit }: DeskWords,
  values: URLSearchParams,
): Promise<URLSearchParams> {
  const codeOf = (value: string) => value.trim().toUpperCase()
  const codes = FIELDS.flatMap((field) => values.getAll(field).map(codeOf)).filter(isReferenceCode)
  if (codes.length === 0) return values
  const found = await selectByReferenceCodes(db.pages, codes)
  const resolved = new URLSearchParams()
  for (const [field, value] of values) {
    const code = FIELDS.includes(field) && isReferenceCode(codeOf(value)) ? codeOf(value) : null
    const id = found.find(({ referenceCode }) => referenceCode === code)?.id
    if (code !== null && id === undefined) throw new Refusal('VALIDATION_ERROR', noDeposit(code))
    resolved.append(field, id ?? value)
  }
  return resolved
}
