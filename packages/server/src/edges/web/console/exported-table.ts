import type { ExportKind } from '../../../domain/books/index.ts'
import { COLUMNS } from '../../../domain/books/index.ts'
import { NO_MERCHANT } from '../../../domain/ledger/index.ts'
import { foldText } from '../../../kernel/fold.ts'
import type { Cell, Column } from '../../../platform/files/table-cells.ts'
import { deciderName, worded } from './codes/codes.ts'
import type { SharedWords } from './words-tr.ts'

type Title = keyof SharedWords['exported']['titles']

/** `yatirimlar-2026-11-01-2026-11-30`: letters that every system can save. */
export function fileName({ exported }: SharedWords, title: Title, ...parts: string[]): string {
  return [foldText(exported.titles[title]).toLowerCase().replaceAll(' ', '-'), ...parts].join('-')
}

/**
 * A table of `exportTable` as an accountant reads it: headings and codes in words, names instead of the ids of owners.
 * The command line writes it with the codes.
 */
export function tableInWords(words: SharedWords, kind: ExportKind, nameOf: (owner: string) => string) {
  const { exported, codes } = words
  const columns = COLUMNS[kind]
  const merchantAt = columns.findIndex(({ name }) => name === 'merchant id')
  const owner = (id: string) => (id === NO_MERCHANT ? exported.house : nameOf(id))
  const cellOf: Record<string, (cell: string, row: Cell[]) => string> = {
    event: (code) => worded(codes.entries, code),
    by: (name) => deciderName(codes, name),
    merchant: (name, row) => (row[merchantAt] === NO_MERCHANT ? exported.house : name),
    'merchant id': (id) => (id === NO_MERCHANT ? '' : id),
    'from account': (code) => worded(codes.accounts, code),
    'to account': (code) => worded(codes.accounts, code),
    'from owner': owner,
    'to owner': owner,
  }
  const inWords = (row: Cell[]): Cell[] =>
    row.map((cell, at) => {
      if (cell === 'TOTAL') return exported.total
      return typeof cell === 'string' ? (cellOf[columns[at]?.name ?? '']?.(cell, row) ?? cell) : cell
    })
  return {
    title: exported.titles[kind],
    columns: columns.map(({ name, kind }): Column => ({ name: exported.columns[name] ?? name, kind })),
    rows: (rows: Cell[][]) => rows.map(inWords),
  }
}
