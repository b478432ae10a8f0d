import { Refusal } from '../../../platform/refusal.ts'
import type { Earlier, Previous } from './check-statement.ts'
import { hasNothingNew } from './nothing-new.ts'
import type { FileContent } from './open-file.ts'
import type { FilePreview } from './file-preview.ts'
import type { Deps, FileOptions } from './preview-file.ts'
import { previewFile } from './preview-file.ts'
import { isFinal } from './statement-file.ts'

/** One of several files. `refused`: it cannot be read. `sameAs`: the name of a file before it with the same content. `earlier`: how those before it end. */
export type Previewed<C> = { content: C } & (
  | { preview: FilePreview; sameAs: string | null; isClean: boolean; earlier: Earlier }
  | { refused: Refusal }
)

const AS_IN_FILE: FileOptions = { connection: null, account: null, profile: null }

/** What an import of several files would do, in the order in which they should be imported: the oldest day first. */
export async function previewTogether<C extends FileContent>(app: Deps, contents: C[]): Promise<Previewed<C>[]> {
  const alone: { content: C; first: FilePreview | Refusal }[] = []
  for (const content of contents) alone.push({ content, first: await previewOne(app, content) })
  const sorted = alone.toSorted((a, b) =>
    dayOf(a.first) < dayOf(b.first) ? -1 : dayOf(a.first) > dayOf(b.first) ? 1 : 0,
  )
  const earlier = new Map<string, Previous>()
  const names = new Map<string, string>()
  const all: Previewed<C>[] = []
  for (const { content, first } of sorted) {
    const isNext = !(first instanceof Refusal) && first.statements.some(({ account }) => earlier.has(account?.id ?? ''))
    // A day follows on the day before it, which another of the files may have.
    const preview = isNext ? await previewOne(app, content, earlier) : first
    if (preview instanceof Refusal) {
      all.push({ content, refused: preview })
      continue
    }
    const sameAs = names.get(preview.sha256) ?? null
    names.set(preview.sha256, names.get(preview.sha256) ?? content.name)
    const isClean = sameAs === null && !hasNothingNew(preview) && preview.findings.every(isNote)
    all.push({ content, preview, sameAs, isClean, earlier: new Map(earlier) })
    if (isClean) for (const [account, end] of endsOf(preview)) earlier.set(account, end)
  }
  return all
}

const isNote = ({ severity }: { severity: string }) => severity === 'note'

/** Files that cannot be read, or have no day, come last. */
const dayOf = (one: FilePreview | Refusal) =>
  (one instanceof Refusal ? null : one.statements.map(({ fromDay }) => fromDay ?? '~').toSorted()[0]) ?? '~'

function endsOf({ statements }: FilePreview): [string, Previous][] {
  return statements.flatMap(({ account, toDay, closing, format }) =>
    account && toDay !== null && isFinal(format) ? [[account.id, { toDay, closing }] as [string, Previous]] : [],
  )
}

async function previewOne(app: Deps, content: FileContent, earlier: Earlier = new Map()) {
  try {
    return await previewFile(app, content, { ...AS_IN_FILE, earlier })
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'SERVICE_UNAVAILABLE') return error
    throw error
  }
}
