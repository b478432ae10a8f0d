import type { Books } from '../bank.ts'
import type { StatementRequest } from './account-statement.ts'
import { accountStatement } from './account-statement.ts'
import type { CamtVersion } from './camt.ts'
import { writeCamt } from './camt.ts'
import { withMark, writeCsv } from './csv.ts'
import type { Encoding } from './encode.ts'
import { encode } from './encode.ts'
import type { FileFormat } from './formats.ts'
import { extensionOf, isLayout } from './formats.ts'
import { writeMt940, writeMt942 } from './mt.ts'

export type FileRequest = StatementRequest & { version: CamtVersion; encoding: Encoding }

/** The file as it would come from the bank. */
export function writeStatement(books: Books, request: FileRequest): Buffer {
  const { format, version, encoding } = request
  const statement = accountStatement(books, request)
  if (isLayout(format)) {
    const text = writeCsv(statement, format)
    return encode(encoding === 'utf-8' ? withMark(text) : text, encoding)
  }
  if (format === 'mt940') return encode(writeMt940(statement), encoding)
  if (format === 'mt942') return encode(writeMt942(statement), encoding)
  return encode(writeCamt(statement, { format, version, encoding }), encoding)
}

/** camt053_TR…_20261115.xml */
export function fileNameOf({ format, account, from, to }: FileRequest & { format: FileFormat }, suffix = ''): string {
  const days = [...new Set([from, to])].map((day) => day.replaceAll('-', '')).join('-')
  return `${format.replace('.', '')}_${account}_${days}${suffix}.${extensionOf(format)}`
}
