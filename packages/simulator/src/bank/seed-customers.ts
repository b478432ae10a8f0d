import { makeIban } from '../iban.ts'
import type { BankEvent } from './bank-event.ts'

const OPENING_BALANCE = 100_000_000n

/** The external account: funds any account for tests. Its own statement is not used. */
export const WORLD_IBAN = makeIban('0001', '1000000000000909')
export const WORLD_HOLDER = 'Dünya'
const WORLD_BALANCE = 100_000_000_000_000n

const CUSTOMERS = [
  { holder: 'Ayşe Yılmaz', bankCode: '0046', account: '1000000000000101', wallet: null },
  { holder: 'Mehmet Demir', bankCode: '0062', account: '1000000000000202', wallet: null },
  { holder: 'Zeynep Şahin Öztürk', bankCode: '0064', account: '1000000000000303', wallet: null },
  { holder: 'Can Işık', bankCode: '0010', account: '1000000000000404', wallet: null },
  { holder: 'PAPARA ELEKTRONİK PARA A.Ş.', bankCode: '0829', account: '1000000000000505', wallet: 'ELİF KAYA' },
]

/** All money there will ever be, together with the external account: afterwards it only moves. */
export function seedCustomers(): BankEvent[] {
  return CUSTOMERS.map(({ holder, bankCode, account, wallet }) => ({
    kind: 'customer',
    iban: makeIban(bankCode, account),
    holder,
    wallet,
    amount: OPENING_BALANCE,
  }))
}

export function seedWorld(): BankEvent {
  return { kind: 'world', iban: WORLD_IBAN, amount: WORLD_BALANCE }
}
