/** Dates are `yyyy-mm-dd`, amounts positive minor units. */
export type Order = {
  /** The payer's reference. The bank returns it in reports and statements. */
  endToEndId: string
  amount: bigint
  currency: string
  iban: string
  name: string
  text: string
  purpose: string
  rail: string
}

/** The orders of one file. All leave one account. */
export type OrderBatch = {
  id: string
  /** With a time zone: `2026-01-31T09:30:00+03:00`. */
  createdAt: string
  executeOn: string
  debtor: { name: string; iban: string }
  orders: Order[]
}

/**
 * Of every format. Lengths are in characters; a longer name is cut, a longer text is an error because it has the reference.
 * Files are made every so many minutes, counted from a minute of the day.
 */
export type OrderLimits = {
  nameLength: number
  textLength: number
  maxOrders: number
  everyMinutes: number
  atMinute: number
}

export type PainProfile = OrderLimits & {
  format: 'pain.001.001.03' | 'pain.001.001.09'
  /** `sepa`: Latin letters without marks, digits and / - ? : ( ) . , ' + only. */
  characters: 'utf-8' | 'sepa'
  /** Whether the bank books one debit for the whole file. */
  batchBooking: boolean
  /** How the purpose of a payment is written. */
  purpose: 'none' | 'code' | 'proprietary'
  chargeBearer: 'DEBT' | 'SHAR' | 'SLEV' | 'CRED' | null
  serviceLevel: string | null
  /** What the bank calls its customer. */
  customerId: string | null
  /** Of the debtor's bank. */
  bic: string | null
}

/** Of the batch: batchId to sum. Of an order: number to rail. */
export type OrderValue =
  | 'constant'
  | 'batchId'
  | 'createdOn'
  | 'executeOn'
  | 'debtorIban'
  | 'debtorName'
  | 'count'
  | 'sum'
  | 'number'
  | 'endToEndId'
  | 'iban'
  | 'bankCode'
  | 'name'
  | 'text'
  | 'amount'
  | 'currency'
  | 'purpose'
  | 'rail'

export type OrderColumn = {
  value: OrderValue
  /** The text of a `constant`, or the title of a column. */
  label: string
  /** Of fixed-width files. */
  width: number
  align: 'left' | 'right'
  pad: ' ' | '0'
  /** `minor`: 123456, `point`: 1234.56, `comma`: 1234,56. */
  number: 'minor' | 'point' | 'comma'
  date: 'yyyymmdd' | 'yyyy-mm-dd' | 'ddmmyyyy' | 'dd.mm.yyyy'
  /** What the bank calls a value, such as a rail: `{ "fast": "F" }`. */
  codes: Readonly<Record<string, string>>
}

export type TableProfile = OrderLimits & {
  format: 'fixed-width' | 'csv'
  encoding: 'utf-8' | 'windows-1254' | 'iso-8859-9' | 'ascii'
  lineEnd: 'crlf' | 'lf'
  separator: ';' | ',' | '\t' | '|'
  /** A first row with the labels of the columns. CSV only. */
  titles: boolean
  /** Rows before and after the orders; empty: none. */
  header: OrderColumn[]
  columns: OrderColumn[]
  trailer: OrderColumn[]
}

export type OrdersProfile = PainProfile | TableProfile

type None = Readonly<Record<string, never>>

/** Why an order cannot be written as the profile says. */
export type OrderProblems = {
  order_value_long: { value: OrderValue; most: number }
  order_name_unwritable: None
  order_text_missing: None
  order_amount_missing: None
  order_id_unwritable: { most: number }
  order_currency_mixed: { currency: string; others: string }
  order_twice: None
  /** Of the whole batch. */
  order_count_unfit: { orders: number; most: number }
}

export type OrderProblem = {
  [Code in keyof OrderProblems]: { code: Code; facts: OrderProblems[Code] }
}[keyof OrderProblems]

/** `endToEndId`: of the order, or the id of the batch. */
export class OrderError extends Error {
  readonly endToEndId: string
  readonly problem: OrderProblem

  constructor(endToEndId: string, problem: OrderProblem) {
    super(`${endToEndId}: ${problem.code} ${JSON.stringify(problem.facts)}`)
    this.endToEndId = endToEndId
    this.problem = problem
  }
}

/** A file has one sum. */
export function mustBeOneCurrency(orders: readonly Order[]): void {
  const others = orders[0]?.currency ?? ''
  const mixed = orders.find(({ currency }) => currency !== others)
  if (!mixed) return
  const { endToEndId, currency } = mixed
  throw new OrderError(endToEndId, { code: 'order_currency_mixed', facts: { currency, others } })
}
