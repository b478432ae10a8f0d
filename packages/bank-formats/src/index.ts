export { BankFileError } from './bank-file-error.ts'
export { readCamt } from './camt.ts'
export { readMt940 } from './mt940.ts'
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
