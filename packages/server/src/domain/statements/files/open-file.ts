import type { BankProfile, StatementFormat, StatementReader } from '@vezne/bank-formats'
import {
  BANK_PROFILES,
  BankFileError,
  detectFormat,
  fileError,
  fittingProfiles,
  readCamt,
  readCsv,
  readMt940,
  readXlsx,
} from '@vezne/bank-formats'

/** A file that can be read several times. */
export type FileContent = { name: string; open: () => AsyncIterable<Uint8Array> }

/** `profile` is null for formats that need none. */
export type Opened = { profile: BankProfile | null; reader: StatementReader }

/** Enough to recognise a format. */
const HEAD_BYTES = 64 * 1024

export async function headOf(content: FileContent): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content.open()) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks)
}

/** Chooses the reader by the content; `wanted` is the profile of a table, if who imports it has named one. */
export async function openFile(content: FileContent, wanted: BankProfile | null): Promise<Opened> {
  const profiles = wanted ? [wanted] : Object.values(BANK_PROFILES)
  const { format, profile, problem } = detectFormat(await headOf(content), profiles)
  if (format === 'camt') return { profile: null, reader: readCamt }
  if (format === 'mt940' || format === 'mt942') return { profile: null, reader: readMt940 }
  if (format === 'xlsx') {
    const found = wanted ?? (await profileOfWorkbook(content))
    return { profile: found, reader: readXlsx(found) }
  }
  const table = wanted ?? profile
  if (format === 'csv' && table) return { profile: table, reader: readCsv(table) }
  throw problem ? new BankFileError(problem) : fileError(null, 'file_is', { kind: 'order_report' })
}

/** Whether another layout may read it: only a table has one. */
export async function isTable(content: FileContent): Promise<boolean> {
  const { format } = detectFormat(await headOf(content))
  return format === 'csv' || format === 'xlsx'
}

/** The reader of a file that was opened before. */
export function readerOf(format: StatementFormat, profile: BankProfile | null): StatementReader {
  if (profile) return format === 'xlsx' ? readXlsx(profile) : readCsv(profile)
  return format.startsWith('camt') ? readCamt : readMt940
}

/** A workbook is packed, so its header is known only by reading it. */
async function profileOfWorkbook(content: FileContent): Promise<BankProfile> {
  const { fitting, problem } = await fittingProfiles(content.open(), Object.values(BANK_PROFILES))
  const [only, another] = fitting
  if (only && !another) return only
  if (only) throw fileError(null, 'bank_ambiguous', { banks: fitting.map(({ name }) => name) })
  throw fileError(null, 'bank_unfitting', { problem })
}
