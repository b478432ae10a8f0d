import { selectByReferenceCodes } from '../../../domain/deposits/index.ts'
import { isReferenceCode } from '../../../kernel/reference-code.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { OperatorDeps } from '../kind.ts'
import type { DeskWords } from './words.ts'

const FIELDS = ['part', 'deposit']

/** The values with ids where the code of a deposit was given, which is what customers write and people read. */
export async function withDepositIds(
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
