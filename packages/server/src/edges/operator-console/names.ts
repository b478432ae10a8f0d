import { NO_MERCHANT } from '../../domain/ledger/index.ts'
import { listMerchantNames } from '../../domain/merchants/index.ts'
import type { Html } from '../web/html.ts'
import { html, plainName } from '../web/html.ts'
import type { OperatorDeps } from './kind.ts'
import type { Words } from './words-tr.ts'

export type MerchantNames = ReadonlyMap<string, string>
export type AccountName = (id: string | null) => string | null

export async function merchantNames({ db }: OperatorDeps): Promise<MerchantNames> {
  return new Map((await listMerchantNames(db.pages)).map(({ id, name }) => [id, name]))
}

/** The house owns refunds of unexplained money. */
export function merchantName({ house }: Words, merchants: MerchantNames, id: string): string {
  return id === NO_MERCHANT ? house : plainName(merchants.get(id) ?? id)
}

/** As people call it: whose it is, and the merchant's number. */
export function transactionName(
  words: Words,
  merchants: MerchantNames,
  { merchantId, processId }: { merchantId: string; processId: string },
): string {
  return `${merchantName(words, merchants, merchantId)} · ${plainName(processId)}`
}

export async function accountNames({ banks }: OperatorDeps): Promise<AccountName> {
  const names = new Map(
    (await banks.accounts()).map(({ id, bankName, iban }) => [id, `${bankName} …${iban.slice(-4)}`]),
  )
  return (id) => (id === null ? null : (names.get(id) ?? id))
}

/** To the page of a journal entry. */
export const entryLink = ({ root }: { root: string }, id: string): Html =>
  html`<a class="id" href="${root}/books/journal/${encodeURIComponent(id)}">${plainName(id)}</a>`
