import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Queryable, Tx } from '../../../platform/postgres/db.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { Word } from '../../people/index.ts'
import { forged, markWord } from '../../people/index.ts'
import type { StatementFile } from './statement-file.ts'
import { listFiles } from './store.ts'

type Deps = { marks: Marks }
type Told = Pick<
  StatementFile,
  | ('id' | 'createdBy' | 'createdAt' | 'connection' | 'name' | 'sha256' | 'size' | 'format')
  | ('profile' | 'accountIban' | 'acceptedWhy' | 'approvedSha256')
>

/** Who imported which bytes, how they are read, and what was approved of them. */
function wordOf(file: Told): Word {
  const { id, createdBy, connection, name, sha256, size, format, accountIban, acceptedWhy, createdAt } = file
  const read = { connection, format, accountIban, profile: file.profile && JSON.stringify(file.profile) }
  const told = { name, sha256, size, acceptedWhy, createdAt, approvedSha256: file.approvedSha256 }
  return { row: ['statement_files', id], person: createdBy, says: { ...read, ...told } }
}

/** In the transaction that stores the file. */
export const markFile = (app: Deps, tx: Tx, file: Told) => markWord(app, tx, wordOf(file))

/** Ids of those that someone has written in SQL. */
export async function forgedAmong(app: Deps, db: Queryable, files: StatementFile[]): Promise<Set<string>> {
  return new Set((await forged(app, db, files, wordOf)).map(({ id }) => id))
}

/** The same of the newest files. */
export async function forgedFiles(app: Deps & { db: Queryable }, limit: number): Promise<string[]> {
  return [...(await forgedAmong(app, app.db, await listFiles(app.db, limit)))]
}

/** Nothing is booked from a file that no one has imported. */
export async function mustBeImported(app: Deps & { db: Queryable }, file: StatementFile): Promise<void> {
  if ((await forgedAmong(app, app.db, [file])).size === 0) return
  throw refuse('file_forged', { file: file.id, person: file.createdBy })
}

const PAGE = 500

/** The first start, which makes the key of marks, marks the files that are there. From then on one without a mark is no one's. */
export async function markFiles(app: Deps, tx: Tx): Promise<void> {
  let page = await listFiles(tx, PAGE)
  while (page.length > 0) {
    for (const file of page) await markFile(app, tx, file)
    page = await listFiles(tx, PAGE, page.at(-1)?.id)
  }
}
