import { BankFileError } from '../src/file-problems.ts'
import { collectStatements } from '../src/statement.ts'
import type { Statement, StatementReader } from '../src/statement.ts'

/** A file in pieces of a few bytes, so that every reader has to put characters and lines together. */
async function* bytesOf(content: string | Uint8Array, pieceBytes = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content as string)
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

export function readAll(
  read: StatementReader,
  content: string | Uint8Array,
  pieceBytes?: number,
): Promise<Statement[]> {
  return collectStatements(read(bytesOf(content, pieceBytes)))
}

/** `line 3, column 5: closing_differs {"found":…}`. */
export function problemsOf({ problems }: Statement): string[] {
  return problems.map((problem) => new BankFileError(problem).message)
}

/** The only statement of a file. */
export async function readOne(read: StatementReader, content: string | Uint8Array): Promise<Statement> {
  const [statement, ...others] = await readAll(read, content)
  if (!statement || others.length > 0) throw new Error(`expected one statement, found ${others.length}`)
  return statement
}
