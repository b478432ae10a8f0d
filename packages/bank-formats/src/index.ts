export { BankFileError, fileError } from './file-problems.ts'
export type { ContentProblems, FileProblem, FileProblems, FormProblems } from './file-problems.ts'
export { minorDigits } from './minor-units.ts'
export { readCamt } from './camt.ts'
export { readMt940 } from './mt940.ts'
export type { BankProfile } from './bank-profile.ts'
export { BANK_PROFILES } from './bank-profiles.ts'
export { readMapping } from './column-mapping.ts'
export { MappingError, OrdersProfileError } from './layout-problems.ts'
export type { LayoutProblem, LayoutProblems } from './layout-problems.ts'
export { readCsv } from './csv.ts'
export { detectFormat } from './detect-format.ts'
export type { DetectedFormat } from './detect-format.ts'
export type {
  Balance,
  Bytes,
  Position,
  Statement,
  StatementAccount,
  StatementEvent,
  StatementFoot,
} from './statement.ts'
export type { StatementFormat, StatementHead, StatementLine, StatementReader } from './statement.ts'
export { collectStatements } from './statement.ts'
export { fittingProfiles, readXlsx } from './xlsx.ts'
export { ordersProblem } from './compare-orders.ts'
export type { OrderFacts, OrdersDifference } from './compare-orders.ts'
export { OrderError } from './orders.ts'
export type { Order, OrderBatch, OrderProblem, OrderProblems, OrdersProfile } from './orders.ts'
export { readOrdersProfile } from './orders-profile.ts'
export { readOrderReport, reportedSum } from './pain002.ts'
export type { OrderReport, PaymentReport, StatusReason, TransactionReport } from './pain002.ts'
export { readPaymentRows } from './payment-rows.ts'
export type { PaymentRow } from './payment-rows.ts'
export { writeOrders } from './write-orders.ts'
