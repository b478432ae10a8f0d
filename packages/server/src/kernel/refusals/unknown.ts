import { is } from './catalogue.ts'

/** What is asked for does not exist. */
export const UNKNOWN = {
  line_unknown: is<{ line: string }>('NOT_FOUND'),
  line_forged: is<{ line: string }>('INVALID_STATE'),
  balance_forged: is<{ merchant: string }>('INVALID_STATE'),
  deposit_unknown: is<{ deposit: string }>('NOT_FOUND'),
  withdrawal_unknown: is<{ withdrawal: string }>('NOT_FOUND'),
  payout_unknown: is<{ withdrawal: string }>('NOT_FOUND'),
  transaction_unknown: is<{ transaction: string }>('NOT_FOUND'),
  proposal_unknown: is<{ proposal: string }>('NOT_FOUND'),
  batch_unknown: is<{ batch: string }>('NOT_FOUND'),
  statement_file_unknown: is<{ file: string }>('NOT_FOUND'),
  journal_entry_unknown: is<{ entry: string }>('NOT_FOUND'),
  merchant_unknown: is<{ merchant: string }>('NOT_FOUND'),
  endpoint_unknown: is<{ endpoint: string; merchant: string }>('NOT_FOUND'),
  event_unknown: is<{ event: string }>('NOT_FOUND'),
  account_unknown: is<{ account: string }>('NOT_FOUND'),
  bank_unknown: is<{ bank: string }>('NOT_FOUND'),
  connection_unknown: is<{ connection: string; known: string[] }>('NOT_FOUND'),
  operator_unknown: is<{ name: string }>('NOT_FOUND'),
  audit_entry_unknown: is<{ number: string }>('NOT_FOUND'),
  session_unknown: is<{ session: string }>('NOT_FOUND'),
  login_unknown: is<{ login: string }>('NOT_FOUND'),
}
