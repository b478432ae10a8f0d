import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Bank } from '../../packages/simulator/src/bank/bank.ts'
import { openBank } from '../../packages/simulator/src/bank/bank.ts'
import { deskOf } from '../../packages/simulator/src/bank/bank-bookings.ts'
import * as desk from '../../packages/simulator/src/bank/bank-bookings.ts'
import { makeIban } from '../../packages/simulator/src/iban.ts'

export const DAY = '2026-11-16'
const HOLDER = 'ÖRNEK ÖDEME HİZMETLERİ A.Ş.'
/** Of a bank with a CSV layout of its own each. */
export const ACCOUNTS = {
  ziraat: makeIban('0010', '1000000000007001'),
  garanti: makeIban('0062', '1000000000007002'),
  vakifbank: makeIban('0015', '1000000000007003'),
  'kuveyt-turk': makeIban('0205', '1000000000007004'),
  teb: makeIban('0032', '1000000000007005'),
} as const
const RECEIVERS = ['0046', '0062', '0064'].map((code, index) => makeIban(code, `10000000000080${index}5`))

/** A bank whose time stands still until it is moved. */
export function openTestBank(t: TestContext): { bank: Bank; setTime: (local: string) => void; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'simulated-bank-'))
  let time = `${DAY}T08:00:00+03:00`
  const bank = openBank({ path: join(folder, 'bank.jsonl'), now: () => new Date(time) })
  t.after(() => {
    bank.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return { bank, setTime: (local) => (time = `${local}+03:00`), folder }
}

const LONG = 'ÇĞİıÖŞÜçğöşü '.repeat(13).trim()

/** Two days of everything that a bank books. */
export function liveTwoDays(bank: Bank, setTime: (local: string) => void, account: string, other: string): void {
  const credit = (amount: bigint, senderName: string, description: string) =>
    bank.fund(account, amount, { senderName, description })
  setTime('2026-11-15T14:00:00')
  for (const iban of [account, other]) {
    bank.pay({
      ...{
        fromIban: bank.customers()[1]?.iban ?? '',
        toIban: iban,
        toName: HOLDER,
        amount: 5_000_000n,
        currency: null,
      },
      ...{ description: 'AÇILIŞ; "SERMAYE" & <ÖN> ÖDEME', senderName: null, times: 1, hold: false },
    })
  }
  setTime(`${DAY}T09:15:30`)
  credit(125_000n, 'Ayşe Yılmaz', 'K7XM2Q9R')
  setTime(`${DAY}T10:00:00`)
  credit(123_456_789n, 'ŞÜKRÜ ÇAĞDAŞ İĞDIR', `7KQX2M9P ${LONG}`)
  for (const [index, toIban] of RECEIVERS.entries()) {
    setTime(`${DAY}T11:0${index}:00`)
    bank.transfer({
      ...{ reference: `6af966a4749a46a9ac4bd8f${index}`, fromIban: account, toIban, toName: 'Zeynep Şahin Öztürk' },
      ...{ amount: 10_001n + BigInt(index), currency: 'TRY', description: `Çekim ödemesi ${LONG}` },
    })
  }
  setTime(`${DAY}T12:00:00`)
  bank.undoTransfer('6af966a4749a46a9ac4bd8f0', 'returned')
  bank.undoTransfer('6af966a4749a46a9ac4bd8f1', 'returned', { costs: 1_000n, narrative: 'GÖNDERİLEN FAST İADESİ' })
  setTime(`${DAY}T13:00:00`)
  const clerk = deskOf(bank.books)
  desk.charge(clerk, account, 1_279n, 'FAST MASRAFI')
  desk.interest(clerk, account, 4_321n, 'MEVDUAT FAİZİ')
  desk.ownTransfer(clerk, { from: account, to: other, amount: 70_000n, text: 'VİRMAN' })
  const foreign = { currency: 'USD', amount: 10_000n }
  const dollars = { account, senderName: 'ACME LLC', amount: 412_345n, text: 'USD 100,00 KUR 41,2345' }
  desk.incoming(clerk, { ...dollars, foreign })
  const [first] = bank.books.ledger.bookings.get(account)?.filter(({ text }) => text === 'K7XM2Q9R') ?? []
  setTime(`${DAY}T14:00:00`)
  desk.storno(deskOf(bank.books), account, first?.number ?? '')
  setTime(`${DAY}T16:30:00`)
  credit(1n, 'Can Işık', '')
}
