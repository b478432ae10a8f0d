import type { ExportKind } from '../../../domain/books/index.ts'
import { COLUMNS } from '../../../domain/books/index.ts'
import { NO_MERCHANT } from '../../../domain/ledger/index.ts'
import { foldText } from '../../../kernel/fold.ts'
import type { Cell, Column } from '../../../platform/files/table-cells.ts'
import { worded } from './codes/codes.ts'
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
  const at = (wanted: string) => columns.findIndex(({ name }) => name === wanted)
  const isHouse = (row: Cell[], column: string) => row[at(column)] === NO_MERCHANT
  const owner = (id: string) => (id === NO_MERCHANT ? exported.house : nameOf(id))
  const account = (code: string, ofHouse: boolean) =>
    worded(ofHouse ? { ...codes.accounts, ...exported.houseAccounts } : codes.accounts, code)
  const by = (actor: string) => {
    const [kind, name = ''] = actor.split(':')
    if (kind === 'system') return exported.automatic
    return kind === 'merchant' ? owner(name) : kind === 'operator' ? name || exported.house : actor
  }
  const cellOf: Record<string, (cell: string, row: Cell[]) => string> = {
    event: (code) => worded(codes.entries, code),
    by,
    merchant: (name, row) => (isHouse(row, 'merchant id') ? exported.house : name),
    'merchant id': (id) => (id === NO_MERCHANT ? '' : id),
    'from account': (code, row) => account(code, isHouse(row, 'from owner')),
    'to account': (code, row) => account(code, isHouse(row, 'to owner')),
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
