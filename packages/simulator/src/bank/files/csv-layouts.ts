import type { FileEntry } from './account-statement.ts'
import { turkishAmount } from './amounts.ts'

export type Row = { entry: FileEntry; date: string; text: string; balance: bigint; accountNumber: string }

type LayoutOf = {
  /** As the bank names itself above the table. */
  title: string
  columns: { name: string; value: (row: Row) => string }[]
}

const debitOf = ({ entry }: Row) => (entry.direction === 'debit' ? turkishAmount(entry.amount) : '')
const creditOf = ({ entry }: Row) => (entry.direction === 'credit' ? turkishAmount(entry.amount) : '')
const signedOf = ({ entry }: Row) => turkishAmount(entry.direction === 'credit' ? entry.amount : -entry.amount)
const column = (name: string, value: (row: Row) => string) => ({ name, value })

const TEXT = column('Açıklama', ({ text }) => text)
const BALANCE = column('Bakiye', ({ balance }) => turkishAmount(balance))
const dateAs = (name: string) => column(name, ({ date }) => date)
const numberAs = (name: string) => column(name, ({ entry }) => entry.number)

/** Columns as internet branches export them. */
export const LAYOUTS = {
  ziraat: {
    title: 'T.C. Ziraat Bankası A.Ş.',
    columns: [
      dateAs('Tarih'),
      TEXT,
      column('Borç', debitOf),
      column('Alacak', creditOf),
      BALANCE,
      numberAs('Dekont No'),
    ],
  },
  garanti: {
    title: 'Türkiye Garanti Bankası A.Ş.',
    columns: [
      dateAs('Tarih'),
      TEXT,
      column('Etiket', () => ''),
      column('Tutar', signedOf),
      BALANCE,
      numberAs('Dekont No'),
    ],
  },
  vakifbank: {
    title: 'Türkiye Vakıflar Bankası T.A.O.',
    columns: [
      column('Hesap No', ({ accountNumber }) => accountNumber),
      numberAs('Fiş No'),
      dateAs('İşlem Tarihi'),
      TEXT,
      column('Tutar', ({ entry }) => turkishAmount(entry.amount)),
      column('B/A', ({ entry }) => (entry.direction === 'debit' ? 'B' : 'A')),
    ],
  },
  'kuveyt-turk': {
    title: 'Kuveyt Türk Katılım Bankası A.Ş.',
    columns: [dateAs('İşlem Tarihi'), TEXT, column('Tutar', signedOf), BALANCE, numberAs('İşlem Referans Numarası')],
  },
  teb: {
    title: 'Türk Ekonomi Bankası A.Ş.',
    columns: [
      dateAs('Tarih'),
      TEXT,
      column('Borç', debitOf),
      column('Alacak', creditOf),
      BALANCE,
      numberAs('İşlem No'),
    ],
  },
} satisfies Record<string, LayoutOf>

export type Layout = keyof typeof LAYOUTS
