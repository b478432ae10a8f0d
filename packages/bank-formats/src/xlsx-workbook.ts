import { BankFileError } from './bank-file-error.ts'
import { isDateFormat, isDateFormatId } from './xlsx-numbers.ts'
import { parseWhole } from './xlsx-xml.ts'
import type { Handlers } from './xlsx-xml.ts'
import { listParts, MAX_HELD_PART, MAX_SHEET, MAX_TEXTS_PART, unpack, zipError } from './xlsx-zip.ts'

export type Sheet = { name: string; part: string }

export type Workbook = {
  /** Those that a person sees. */
  sheets: Sheet[]
  from1904: boolean
  texts: string[]
  /** By number of a cell's style: whether it shows a date. */
  dateStyles: boolean[]
  /** The bytes of a part, in pieces. */
  open: (part: string) => Iterable<Uint8Array>
}

type Relation = { type: string; target: string }

export function openWorkbook(file: Uint8Array): Workbook {
  const parts = listParts(file)
  const open = (name: string, most = MAX_SHEET) => {
    const part = parts.get(name.toLowerCase())
    if (!part) throw zipError(`${name} is missing`)
    return unpack(file, part, most)
  }
  const read = (name: string, handlers: Handlers, most = MAX_HELD_PART) => parseWhole(name, open(name, most), handlers)
  const relationsOf = (part: string) => {
    const name = part.replace(/[^/]*$/, '_rels/$&.rels')
    return parts.has(name.toLowerCase()) ? readRelations(name, part, read) : new Map<string, Relation>()
  }
  const main = [...relationsOf('').values()].find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  if (!parts.has(main.toLowerCase()))
    throw new BankFileError({ line: 1 }, 'a zip file that is no spreadsheet; expected an .xlsx file')
  const relations = relationsOf(main)
  const related = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.target
  const [texts, styles] = [related('sharedStrings'), related('styles')]
  return {
    ...readSheets(main, relations, read),
    texts: texts === undefined ? [] : readTexts(texts, read),
    dateStyles: styles === undefined ? [] : readStyles(styles, read),
    open,
  }
}

type Read = (name: string, handlers: Handlers, most?: number) => void

/** A sheet has half a million lines at most, with two texts each. */
const MAX_TEXTS = 1_000_000

/** Targets are relative to the folder of the part, or begin with a slash. */
function readRelations(name: string, part: string, read: Read): Map<string, Relation> {
  const folder = part.replace(/[^/]*$/, '')
  const relations = new Map<string, Relation>()
  read(name, {
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

function readSheets(main: string, relations: Map<string, Relation>, read: Read): Pick<Workbook, 'sheets' | 'from1904'> {
  const sheets: Sheet[] = []
  let from1904 = false
  read(main, {
    open(tag, { name = '', id = '', state = 'visible', date1904 }) {
      if (tag === 'workbookPr') from1904 = date1904 === '1' || date1904 === 'true'
      const relation = relations.get(id)
      if (tag === 'sheet' && state === 'visible' && relation?.type === 'worksheet')
        sheets.push({ name, part: relation.target })
    },
  })
  if (sheets.length === 0) throw zipError('it has no sheet')
  return { sheets, from1904 }
}

/** A text may be in several runs of different fonts; how it is read aloud (rPh) is no part of it. */
function readTexts(name: string, read: Read): string[] {
  const texts: string[] = []
  let inText = false
  let aloud = false
  let pieces: string[] = []
  const handlers: Handlers = {
    open(tag) {
      if (tag === 'si') pieces = []
      else if (tag === 'rPh') aloud = true
      inText = tag === 't' && !aloud
    },
    text: (text) => void (inText && pieces.push(text)),
    close(tag) {
      if (tag === 'si' && texts.push(pieces.join('')) > MAX_TEXTS)
        throw zipError(`it has more than ${MAX_TEXTS} texts; export a shorter period`)
      if (tag === 'rPh') aloud = false
      inText = false
    },
  }
  read(name, handlers, MAX_TEXTS_PART)
  return texts
}

function readStyles(name: string, read: Read): boolean[] {
  const own = new Map<string, boolean>()
  const styles: boolean[] = []
  let inCells = false
  read(name, {
    open(tag, { numFmtId = '0', formatCode = '' }) {
      if (tag === 'numFmt') own.set(numFmtId, isDateFormat(formatCode))
      else if (tag === 'cellXfs') inCells = true
      else if (tag === 'xf' && inCells) styles.push(own.get(numFmtId) ?? isDateFormatId(Number(numFmtId)))
    },
    close: (tag) => void (tag === 'cellXfs' && (inCells = false)),
  })
  return styles
}
