import { createHash } from 'node:crypto'
import type { Marks } from '../../platform/crypto/marks.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/postgres/db.ts'
import { makeIban } from '../../kernel/iban.ts'
import type { Ids } from '../../platform/crypto/ids.ts'
import { FAST, INTERBANK_CURRENCY } from './bank.ts'
import { accountMark } from './mark-accounts.ts'
import { insertAccounts, insertFirstBanks, lockAccountPool, listAccounts, upsertLimits } from './store.ts'
import { TURKISH_BANKS } from './turkish-banks.ts'

/** From 1 TL, for small test payments, up to a common daily limit of bank customers. */
const BANK_LIMITS = { minAmount: 100n, maxAmount: 50_000_000n }
/** The central bank's cap of 100,000 TL per FAST transfer, in force since April 2024. */
const FAST_LIMITS = { minAmount: 100n, maxAmount: 10_000_000n }

export async function seedBanks({ db, currencies }: { db: Db; currencies: string[] }): Promise<void> {
  const turkish = TURKISH_BANKS.map(([code, name, officialName, kind, bic, retail]) => {
    return { id: stableBankId(code), code, name, officialName, kind, bic, enabled: retail }
  })
  const fast = { id: FAST, code: FAST, name: 'FAST', officialName: 'FAST', kind: 'fast', bic: null, enabled: true }
  await db.transaction(async (tx) => {
    if (!(await insertFirstBanks(tx, [fast, ...turkish]))) return
    const limited = turkish.flatMap(({ id }) =>
      currencies.map((currency) => ({ bankId: id, currency, ...BANK_LIMITS })),
    )
    await upsertLimits(tx, [{ bankId: FAST, currency: INTERBANK_CURRENCY, ...FAST_LIMITS }, ...limited])
  })
}

/** A bank has the same id in every deployment, so that merchants' examples and tests carry over. */
function stableBankId(code: string): string {
  const SECONDS_OF_2024 = '65920080'
  return SECONDS_OF_2024 + createHash('sha256').update(`bank:${code}`).digest('hex').slice(0, 16)
}

/** One account per retail bank, for a fictitious company, on valid IBANs that belong to no one. */
export async function seedSandboxAccounts(app: {
  db: Db
  ids: Ids
  clock: Clock
  marks: Marks
  currencies: string[]
}): Promise<void> {
  await app.db.transaction(async (tx) => {
    await lockAccountPool(tx)
    if ((await listAccounts(tx)).length > 0) return
    const accounts = TURKISH_BANKS.filter(([, , , , , retail]) => retail).flatMap(([code], bank) =>
      app.currencies.map((currency, index) => ({
        id: app.ids.next(),
        bankId: stableBankId(code),
        title: 'Vezne Deneme Ödeme Hizmetleri A.Ş.',
        iban: makeIban(code, String(1_000_000 + bank * 10 + index)),
        currency,
        state: 'active' as const,
        connection: null,
        awaitsConnection: false,
      })),
    )
    const marked = accounts.map(async (one) => ({ ...one, mark: await accountMark(app.marks, one) }))
    await insertAccounts(tx, await Promise.all(marked), app.clock.now())
  })
}
