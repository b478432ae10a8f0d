import { isIban } from './account-number.ts'
import { BankFileError } from './bank-file-error.ts'
import type { Order, OrderBatch, OrdersProfile } from './orders.ts'
import { toSepa } from './orders-text.ts'
import type { ReadOrder, ReadOrders } from './read-orders.ts'
import { readOrders } from './read-orders.ts'

/**
 * What a file says that differs from its orders, read back from its bytes; null if nothing does. A file that pays someone else, another
 * amount or another number of orders must not leave, whoever has changed the profile or the file.
 */
export async function ordersProblem(
  bytes: Uint8Array,
  { debtor, orders }: Pick<OrderBatch, 'debtor' | 'orders'>,
  profile: OrdersProfile,
): Promise<string | null> {
  try {
    const read = await readOrders(bytes, profile, orders[0]?.currency ?? 'TRY')
    return totalsProblem(read, orders) ?? orderProblem(read, orders) ?? accountProblem(read, debtor.iban, orders)
  } catch (error) {
    if (error instanceof BankFileError || error instanceof TypeError) return `it cannot be read back: ${error.message}`
    throw error
  }
}

function totalsProblem({ orders: read, counts, sums }: ReadOrders, orders: Order[]): string | null {
  const sum = orders.reduce((total, { amount }) => total + amount, 0n)
  if (read.length !== orders.length) return `it has ${read.length} orders instead of ${orders.length}`
  if (counts.some((count) => count !== orders.length)) return 'its number of orders is wrong'
  return sums.some((one) => one !== sum) ? 'its sum is wrong' : null
}

function orderProblem({ orders: read }: ReadOrders, orders: Order[]): string | null {
  for (const [index, order] of orders.entries()) {
    const what = difference(read[index] as ReadOrder, order)
    if (what !== null) return `the ${what} of ${order.endToEndId} differs`
  }
  return null
}

function difference(read: ReadOrder, order: Order): string | null {
  if (read.iban !== order.iban) return 'IBAN'
  if (read.amount !== order.amount) return 'amount'
  if (read.endToEndId !== null && read.endToEndId !== order.endToEndId) return 'reference'
  if (!read.text.includes(order.endToEndId) || !isSame(read.text, order.text, (one, other) => one === other))
    return 'text'
  // A profile may cut a name.
  const isName = isSame(read.name, order.name, (one, other) => one === other || (one !== '' && other.startsWith(one)))
  return isName ? null : 'name'
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
function accountProblem({ text, debtorIbans }: ReadOrders, debtorIban: string, orders: Order[]): string | null {
  if (debtorIbans.some((iban) => iban !== debtorIban)) return 'the account to debit differs'
  const known = new Set([debtorIban, ...orders.map(({ iban }) => iban)])
  // Also in groups, in small letters, and over several values.
  const squeezed = text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  const found = Array.from(squeezed.matchAll(/TR\d{24}/g), ([iban]) => iban)
  const other = found.find((iban) => isIban(iban) && !known.has(iban))
  return other === undefined ? null : `it has an IBAN that is not of its orders: ${other}`
}
