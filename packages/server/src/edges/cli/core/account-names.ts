import type { CliApp } from './context.ts'

/** Short names of our accounts for lists: the bank and the last digits of the IBAN. */
export async function readAccountNames({ banks }: Pick<CliApp, 'banks'>): Promise<(id: string) => string> {
  const names = new Map(
    (await banks.accounts()).map(({ id, bankName, iban }) => [id, `${bankName} …${iban.slice(-4)}`]),
  )
  return (id) => names.get(id) ?? id
}
