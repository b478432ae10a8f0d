import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import type { PayoutAccount } from '../../packages/server/src/domain/withdrawals/payouts/route.ts'

export const [ZIRAAT, GARANTI, AKBANK] = ['0010', '0062', '0046']
export const day = (day: string, halfDay = false) => ({ day, name: 'Tatil', halfDay })
export const HOLIDAYS = [
  ...[day('2026-01-01'), day('2026-03-19', true), day('2026-03-20'), day('2026-03-21'), day('2026-03-22')],
  ...[day('2026-04-23'), day('2026-05-01'), day('2026-05-26', true), day('2026-05-27'), day('2026-05-28')],
  ...[day('2026-05-29'), day('2026-05-30'), day('2026-07-15'), day('2026-10-28', true), day('2026-10-29')],
  ...[day('2027-01-01'), day('2027-05-15', true), day('2027-05-16'), day('2027-05-17'), day('2027-05-18')],
  ...[day('2027-05-19')],
]
/** FAST cap since 2024. */
export const CAP = 100_000_00n

/** By default at another bank than the payout's, with large funds and no limit. */
export function source(id: string, changes: Partial<PayoutAccount> & { bank?: string } = {}): PayoutAccount {
  const { bank = GARANTI, ...rest } = changes
  const plain = {
    currency: 'TRY',
    state: 'active',
    stoppedBy: null,
    connection: 'bank',
    sentToday: 0n,
    dailySendLimit: null,
  } as const
  return { id, iban: makeIban(bank, '1'), balance: 9_000_000_00n, ...plain, ...rest }
}
