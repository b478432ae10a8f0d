import { listMerchantNames } from '../../domain/merchants/index.ts'
import type { OperatorDeps } from './deps.ts'

export type MerchantNames = ReadonlyMap<string, string>
export type AccountName = (id: string | null) => string | null

export async function merchantNames({ db }: OperatorDeps): Promise<MerchantNames> {
  return new Map((await listMerchantNames(db.pages)).map(({ id, name }) => [id, name]))
}

export async function accountNames({ banks }: OperatorDeps): Promise<AccountName> {
  const names = new Map(
    (await banks.accounts()).map(({ id, bankName, iban }) => [id, `${bankName} …${iban.slice(-4)}`]),
  )
  return (id) => (id === null ? null : (names.get(id) ?? id))
}
