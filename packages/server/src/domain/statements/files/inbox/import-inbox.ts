import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BankProfile, DetectedFormat } from '@vezne/bank-formats'
import { detectFormat, MappingError, readMapping } from '@vezne/bank-formats'
import { INBOX } from '../../../../kernel/actor.ts'
import type { Log } from '../../../../platform/log.ts'
import type { Said } from '../../../../platform/refusal.ts'
import { note } from '../../../../kernel/refusals/note.ts'
import { Refusal } from '../../../../platform/refusal.ts'
import { listAccounts } from '../../../banks/index.ts'
import type { Authority } from '../../../people/index.ts'
import type { FileResult } from '../import-file.ts'
import { importFile } from '../import-file.ts'
import type { FileContent } from '../open-file.ts'
import { headOf } from '../open-file.ts'
import type { Deps } from '../preview-file.ts'
import type { Arrived, Looks } from './arrived-files.ts'
import { arrivedFiles, isUnchanged, moveWithReport } from './arrived-files.ts'

/** Imports a bank's report about orders (pain.002) and returns lines for the report. A `Refusal` moves the file to `refused/`, and says what to do. */
type OnOrderReport = (report: { connection: string; content: FileContent }) => Promise<string[]>

export type Inbox = {
  connection: string
  /** With `inbox/`, `done/` and `refused/`; a `mapping.json` in it says how the tables of this bank are read. */
  folder: string
  /** What was seen at the last look; the same object at each call. */
  looks: Looks
  onOrderReport: OnOrderReport
  /** Lines of the report beside the file. */
  words: { imported: (result: FileResult) => string[]; refused: (refusal: Refusal, next: Said[]) => string[] }
}

/**
 * Imports the files that have fully arrived, and moves each with a report to `done/` or `refused/`. After a crash, or in another process,
 * a file that is still in the inbox is recognised by its content. Returns how many were moved.
 */
export async function importInbox(app: Deps & Authority & { log: Log }, inbox: Inbox): Promise<number> {
  const profile = savedMapping(app, inbox)
  if (profile === undefined) return 0
  let moved = 0
  for (const file of arrivedFiles(join(inbox.folder, 'inbox'), inbox.looks)) {
    const content: FileContent = { name: file.name, open: () => createReadStream(file.path) }
    const outcome = await takeIn(app, inbox, { file, content, profile })
    if (outcome === null) continue
    const to = join(inbox.folder, outcome.refused ? 'refused' : 'done')
    if (moveWithReport(file, to, outcome.report)) moved++
    if (outcome.refused)
      app.log.warn({ connection: inbox.connection, file: file.name }, 'a file of the inbox was refused')
  }
  return moved
}

/** Null if there is none, undefined if it is wrong: then nothing is imported until it is mended. */
function savedMapping({ log }: { log: Log }, { folder, connection }: Inbox): BankProfile | null | undefined {
  const path = join(folder, 'mapping.json')
  if (!existsSync(path)) return null
  try {
    return readMapping(readFileSync(path, 'utf8'))
  } catch (error) {
    if (!(error instanceof MappingError)) throw error
    log.error({ connection, path, why: error.message }, 'the column mapping is wrong; files wait until it is mended')
    return undefined
  }
}

type Outcome = { refused: boolean; report: string[] }
type Taking = { file: Arrived; content: FileContent; profile: BankProfile | null }

/** Null if the file must wait because it is being changed. Temporary errors are thrown, and it stays. */
async function takeIn(
  app: Deps & Authority,
  inbox: Inbox,
  { file, content, profile }: Taking,
): Promise<Outcome | null> {
  const { connection, onOrderReport } = inbox
  let format: DetectedFormat['format'] = null
  try {
    format = detectFormat(await headOf(content)).format
    if (format === 'pain.002') return { refused: false, report: await onOrderReport({ connection, content }) }
    const account = await onlyAccount(app, connection)
    const result = await importFile(app, INBOX, content, { connection, account, profile, acceptProblems: null })
    return { refused: false, report: inbox.words.imported(result) }
  } catch (error) {
    if (!isUnchanged(file)) return null
    if (!(error instanceof Refusal) || !FINAL.has(error.code)) throw error
    return { refused: true, report: inbox.words.refused(error, whatNext(format)) }
  }
}

/** The refusal of a report says itself what to do. */
function whatNext(format: DetectedFormat['format']): Said[] {
  return format === 'pain.002' ? [] : [note('inbox_file_refused', { isTable: format === 'csv' || format === 'xlsx' })]
}

const FINAL: ReadonlySet<string> = new Set(['INVALID_STATE', 'VALIDATION_ERROR', 'NOT_FOUND'])

/** A table that names no account is of the only one that this connection has. */
async function onlyAccount({ db }: Deps, connection: string): Promise<string | null> {
  const [only, another] = (await listAccounts(db)).filter((account) => account.connection === connection)
  return only && !another ? only.iban : null
}
