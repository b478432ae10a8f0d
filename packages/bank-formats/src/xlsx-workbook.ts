import { excerpt, fileError } from './file-problems.ts'
import { visibleText } from './fold-text.ts'
import {
  MAX_CELL,
  MAX_HELD_PART,
  MAX_SHEET,
  MAX_SHEETS,
  MAX_TEXTS,
  MAX_TEXTS_PART,
  noWork,
  spend,
  tooMany,
} from './xlsx-bounds.ts'
import type { Work } from './xlsx-bounds.ts'
import { isDateFormat, isDateFormatId } from './xlsx-numbers.ts'
import { parsePart } from './xlsx-xml.ts'
import type { Handlers } from './xlsx-xml.ts'
import { damaged, listParts, unpack } from './xlsx-zip.ts'

export type Sheet = { name: string; part: string }

export type Workbook = {
  /** Those that a person sees. */
  sheets: Sheet[]
  from1904: boolean
  texts: string[]
  /** By number of a cell's style: whether it shows a date. */
  dateStyles: boolean[]
  /** Feeds a part to handlers, piece by piece. */
  parse: (part: string, handlers: Handlers) => AsyncGenerator<void>
  work: Work
}

type Relation = { type: string; target: string }

export async function openWorkbook(file: Uint8Array): Promise<Workbook> {
  const parts = listParts(file)
  const work = noWork()
  const parse = (name: string, handlers: Handlers, most = MAX_SHEET) => {
    const part = parts.get(name.toLowerCase())
    if (!part) throw damaged(null, 'part_missing', name)
    spend(work, 'bytes', part.unpacked)
    return parsePart(name, unpack(file, part, most), handlers, work)
  }
  const read: Read = async (name, handlers, most = MAX_HELD_PART) => {
    for await (const _ of parse(name, handlers, most));
  }
  const relationsOf = async (part: string) => {
    const name = part.replace(/[^/]*$/, '_rels/$&.rels')
    return parts.has(name.toLowerCase()) ? readRelations(name, part, read) : new Map<string, Relation>()
  }
  const main =
    [...(await relationsOf('')).values()].find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  if (!parts.has(main.toLowerCase())) throw fileError(null, 'file_is', { kind: 'zip' })
  const relations = await relationsOf(main)
  const related = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.target
  const [texts, styles] = [related('sharedStrings'), related('styles')]
  return {
    ...(await readSheets(main, relations, read)),
    texts: texts === undefined ? [] : await readTexts(texts, read),
    dateStyles: styles === undefined ? [] : await readStyles(styles, read),
    parse,
    work,
  }
}

type Read = (name: string, handlers: Handlers, most?: number) => Promise<void>

/** Targets are relative to the folder of the part, or begin with a slash. */
async function readRelations(name: string, part: string, read: Read): Promise<Map<string, Relation>> {
  const folder = part.replace(/[^/]*$/, '')
  const relations = new Map<string, Relation>()
  await read(name, {
    open(tag, { Id, Type, Target, TargetMode }) {
      if (tag !== 'Relationship' || Id === undefined || Target === undefined || TargetMode === 'External') return
      relations.set(Id, { type: (Type ?? '').replace(/.*\//, ''), target: resolved(folder, Target) })
    },
  })
  return relations
}

function resolved(folder: string, target: string): string {
  const steps: string[] = []
  for (const step of (target.startsWith('/') ? target : `${folder}${target}`).split('/'))
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  return steps.join('/')
}

async function readSheets(
  main: string,
  relations: Map<string, Relation>,
  read: Read,
): Promise<Pick<Workbook, 'sheets' | 'from1904'>> {
  const sheets: Sheet[] = []
  let from1904 = false
  await read(main, {
    open(tag, { name = '', id = '', state = 'visible', date1904 }) {
      if (tag === 'workbookPr') from1904 = date1904 === '1' || date1904 === 'true'
      const relation = relations.get(id)
      if (tag !== 'sheet' || state !== 'visible' || relation?.type !== 'worksheet') return
      if (sheets.push({ name: excerpt(name), part: relation.target }) > MAX_SHEETS) throw tooMany('sheets', MAX_SHEETS)
    },
  })
  if (sheets.length === 0) throw damaged(null, 'no_sheet')
  return { sheets, from1904 }
}

/** A text may be in several runs of different fonts; how it is read aloud (rPh) is no part of it. */
async function readTexts(name: string, read: Read): Promise<string[]> {
  const texts: string[] = []
  let inText = false
  let aloud = false
  let pieces: string[] = []
  let length = 0
  const handlers: Handlers = {
    open(tag) {
      if (tag === 'si') [pieces, length] = [[], 0]
      else if (tag === 'rPh') aloud = true
      inText = tag === 't' && !aloud
    },
    text(text) {
      if (!inText) return
      length += text.length
      if (length > MAX_CELL) throw fileError(null, 'too_long', { what: 'text', most: MAX_CELL })
      pieces.push(text)
    },
    close(tag) {
      if (tag === 'si' && texts.push(cellText(pieces.join(''))) > MAX_TEXTS) throw tooMany('texts', MAX_TEXTS)
      if (tag === 'rPh') aloud = false
      inText = false
    },
  }
  await read(name, handlers, MAX_TEXTS_PART)
  return texts
}

async function readStyles(name: string, read: Read): Promise<boolean[]> {
  const own = new Map<string, boolean>()
  const styles: boolean[] = []
  let inCells = false
  await read(name, {
    open(tag, { numFmtId = '0', formatCode = '' }) {
      if (tag === 'numFmt') own.set(numFmtId, isDateFormat(formatCode))
      else if (tag === 'cellXfs') inCells = true
      else if (tag === 'xf' && inCells) styles.push(own.get(numFmtId) ?? isDateFormatId(Number(numFmtId)))
    },
    close: (tag) => void (tag === 'cellXfs' && (inCells = false)),
  })
  return styles
}

/** As a person sees it. Excel writes a line feed in a text as _x000A_. */
export const cellText = (text: string) =>
  visibleText(text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))))
