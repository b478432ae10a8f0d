import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '../api-error.ts'
import type { Bank } from '../bank.ts'
import type { StatementOptions } from '../files/files-api.ts'
import { fileRequest } from '../files/files-api.ts'
import { fileNameOf, writeStatement } from '../files/write-statement.ts'
import { executeOrder } from './execute-order.ts'
import type { OrderFile, ReportTerms } from './order-file.ts'
import type { ReportStatus } from './write-report.ts'
import { writeReport } from './write-report.ts'

export type Exchange = {
  folder: string
  /** Null: the accounts that orders from this folder have debited. */
  accounts: string[] | null
  /** Null: no statements. */
  statements: StatementOptions | null
  report: ReportTerms
}

/** Takes what lies in the outbox, executes it, and puts reports and statements into the inbox. */
export async function exchange(bank: Bank, { folder, accounts, statements, report }: Exchange) {
  if (!existsSync(join(folder, 'outbox')) || !existsSync(join(folder, 'inbox'))) {
    throw new ApiError(400, 'no_outbox_and_inbox_in_folder')
  }
  const taken = join(folder, 'bank', 'new')
  const executed = join(folder, 'bank', 'done')
  for (const path of [taken, executed]) mkdirSync(path, { recursive: true })
  takeAll(join(folder, 'outbox'), taken)
  const { ledger } = bank.books
  const before = new Set(ledger.reports)
  const orders: OrderFile[] = []
  for (const stored of readdirSync(taken).toSorted()) {
    const { receipt, name } = receiptOf(stored)
    // Known after a crash between executing and moving: nothing is paid again.
    if (ledger.orderFiles.has(receipt)) continue
    orders.push(executeOrder(bank.books, { receipt, name, folder, bytes: readFileSync(join(taken, stored)), report }))
  }
  // Nothing is reported before it is on disk.
  await bank.written()
  for (const stored of readdirSync(taken)) renameSync(join(taken, stored), join(executed, stored))
  const files = [...putReports(bank, folder, before), ...putStatements(bank, folder, accounts, statements)]
  await bank.written()
  return { orders: orders.map(orderView), files }
}

/** A rename is atomic: either the client still has the file and can cancel it, or the bank has it. */
function takeAll(outbox: string, taken: string): void {
  for (const entry of readdirSync(outbox, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('.')) continue
    const receipt = `R${randomBytes(8).toString('hex')}`
    try {
      renameSync(join(outbox, entry.name), join(taken, `${receipt}_${entry.name}`))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

function receiptOf(stored: string): { receipt: string; name: string } {
  const at = stored.indexOf('_')
  return { receipt: stored.slice(0, at), name: stored.slice(at + 1) }
}

/** The first report at once, the final one of an order that settles later with the next exchange. */
function putReports({ books }: Bank, folder: string, before: Set<string>): string[] {
  const names: string[] = []
  for (const file of books.ledger.orderFiles.values()) {
    if (file.folder !== folder) continue
    const due: ReportStatus[] = before.has(`${file.receipt} first`) ? ['final'] : ['first']
    for (const status of due) {
      const isNeeded = status === 'first' || (file.report.settle === 'later' && !file.refused)
      if (!isNeeded || before.has(`${file.receipt} ${status}`)) continue
      const name = `pain002_${file.receipt}_${status}.xml`
      put(join(folder, 'inbox'), name, Buffer.from(writeReport(file, status)))
      books.record([{ kind: 'reported', receipt: file.receipt, status }])
      names.push(name)
    }
  }
  return names
}

function putStatements(
  bank: Bank,
  folder: string,
  accounts: string[] | null,
  options: StatementOptions | null,
): string[] {
  if (!options) return []
  const { ledger, record, now } = bank.books
  return (accounts ?? debited(ledger.orderFiles, folder)).map((account) => {
    const request = fileRequest(bank, account, options)
    const name = fileNameOf(request, `_${ledger.delivered.length + 1}`)
    record([{ kind: 'delivered', name, account: request.account, at: now().toISOString() }])
    put(join(folder, 'inbox'), name, writeStatement(bank.books, request))
    return name
  })
}

function debited(orderFiles: Map<string, OrderFile>, folder: string): string[] {
  const own = [...orderFiles.values()].filter((file) => file.folder === folder)
  const paid = own.flatMap(({ payments }) => payments.filter(({ number }) => number !== null))
  return [...new Set(paid.map(({ from }) => from))].toSorted()
}

/** Under a temporary name first: who watches the folder never sees half a file. */
function put(inbox: string, name: string, bytes: Buffer): void {
  const temporary = join(inbox, `.${name}.tmp`)
  writeFileSync(temporary, bytes)
  const file = openSync(temporary, 'r')
  fsyncSync(file)
  closeSync(file)
  renameSync(temporary, join(inbox, name))
}

function orderView({ name, receipt, messageId, refused, payments }: OrderFile) {
  const accepted = payments.filter(({ code }) => code === null).length
  return { name, receipt, messageId, refused, accepted, rejected: payments.length - accepted }
}
