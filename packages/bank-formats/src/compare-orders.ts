import { isIban } from './account-number.ts'
import { BankFileError } from './file-problems.ts'
import type { FileProblem } from './file-problems.ts'
import type { Order, OrderBatch, OrdersProfile } from './orders.ts'
import { toSepa } from './orders-text.ts'
import type { ReadOrder, ReadOrders } from './read-orders.ts'
import { readOrders } from './read-orders.ts'

type DifferenceOfOrder =
  | ('order_iban_differs' | 'order_amount_differs' | 'order_reference_differs')
  | ('order_text_differs' | 'order_name_differs')

/** What can differ, and the facts of each. `order`: its end-to-end id. */
export type OrderFacts = Record<DifferenceOfOrder, { order: string }> & {
  order_unreadable: { problem: FileProblem }
  order_count_differs: { found: number; orders: number }
  order_iban_foreign: { iban: string }
} & Record<'order_count_wrong' | 'order_total_differs' | 'order_debtor_differs', Record<string, never>>

export type OrdersDifference = { [Code in keyof OrderFacts]: { code: Code; facts: OrderFacts[Code] } }[keyof OrderFacts]

/**
 * What a file says that differs from its orders, read back from its bytes; null if nothing does. A file that pays someone else, another
 * amount or another number of orders must not leave, whoever has changed the profile or the file.
 */
export async function ordersProblem(
  bytes: Uint8Array,
  { debtor, orders }: Pick<OrderBatch, 'debtor' | 'orders'>,
  profile: OrdersProfile,
): Promise<OrdersDifference | null> {
  try {
    const read = await readOrders(bytes, profile, orders[0]?.currency ?? 'TRY')
    return totalsProblem(read, orders) ?? orderProblem(read, orders) ?? accountProblem(read, debtor.iban, orders)
  } catch (error) {
    if (!(error instanceof BankFileError)) throw error
    return { code: 'order_unreadable', facts: { problem: error.problem } }
  }
}

function totalsProblem({ orders: read, counts, sums }: ReadOrders, orders: Order[]): OrdersDifference | null {
  const sum = orders.reduce((total, { amount }) => total + amount, 0n)
  if (read.length !== orders.length)
    return { code: 'order_count_differs', facts: { found: read.length, orders: orders.length } }
  if (counts.some((count) => count !== orders.length)) return { code: 'order_count_wrong', facts: {} }
  return sums.some((one) => one !== sum) ? { code: 'order_total_differs', facts: {} } : null
}

function orderProblem({ orders: read }: ReadOrders, orders: Order[]): OrdersDifference | null {
  for (const [index, order] of orders.entries()) {
    const code = difference(read[index] as ReadOrder, order)
    if (code !== null) return { code, facts: { order: order.endToEndId } }
  }
  return null
}

function difference(read: ReadOrder, order: Order): DifferenceOfOrder | null {
  if (read.iban !== order.iban) return 'order_iban_differs'
  if (read.amount !== order.amount) return 'order_amount_differs'
  if (read.endToEndId !== null && read.endToEndId !== order.endToEndId) return 'order_reference_differs'
  if (!read.text.includes(order.endToEndId) || !isSame(read.text, order.text, (one, other) => one === other))
    return 'order_text_differs'
  // A profile may cut a name.
  const isName = isSame(read.name, order.name, (one, other) => one === other || (one !== '' && other.startsWith(one)))
  return isName ? null : 'order_name_differs'
}

const FORMS = ['NFC', 'NFD'] as const

/** Without marks, case and signs, which the encoding of a file may lack. A letter with a mark may have been one sign or two. */
function isSame(read: string, wanted: string, is: (read: string, wanted: string) => boolean): boolean {
  const letters = (text: string) =>
    toSepa(text)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')
  const spellings = (text: string) => [text, ...FORMS.map((form) => text.normalize(form))].map(letters)
  return spellings(read).some((one) => spellings(wanted).some((other) => is(one, other)))
}

/** A constant, or a text in place of another, must not be an account that the bank would pay. */
function accountProblem(
  { text, debtorIbans }: ReadOrders,
  debtorIban: string,
  orders: Order[],
): OrdersDifference | null {
  if (debtorIbans.some((iban) => iban !== debtorIban)) return { code: 'order_debtor_differs', facts: {} }
  const known = new Set([debtorIban, ...orders.map(({ iban }) => iban)])
  // Also in groups, in small letters, and over several values.
  const squeezed = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  const found = Array.from(squeezed.matchAll(/TR\d{24}/g), ([iban]) => iban)
  const other = found.find((iban) => isIban(iban) && !known.has(iban))
  return other === undefined ? null : { code: 'order_iban_foreign', facts: { iban: other } }
}
