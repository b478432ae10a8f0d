import type { Booked } from '../bank-bookings.ts'
import { charge, incoming, interest, ownTransfer } from '../bank-bookings.ts'
import type { Booking } from '../bookings.ts'
import { findBooking } from '../bookings.ts'
import type { Discrepancy, DiscrepancyKind, Scene } from './discrepancy.ts'
import { about, creditsOf, payoutsOf } from './discrepancy.ts'

// Discrepancies that are bookings of their own. Null: not possible on this account and day.

const STRANGERS = ['KUZEY LOJİSTİK LTD. ŞTİ.', 'DOĞAN ÇELİK', 'ŞULE İPEKÇİ', 'ÇINAR GIDA SANAYİ A.Ş.', 'UMUT ÖĞÜT']
const MONTHS = [
  'OCAK',
  'ŞUBAT',
  'MART',
  'NİSAN',
  'MAYIS',
  'HAZİRAN',
  'TEMMUZ',
  'AĞUSTOS',
  'EYLÜL',
  'EKİM',
  'KASIM',
  'ARALIK',
]

export const NEW_BOOKINGS: Partial<Record<DiscrepancyKind, (scene: Scene) => Discrepancy | null>> = {
  transfer_charge(scene) {
    const { desk, random, account } = scene
    const payout = random.pick(payoutsOf(scene))
    const text = payout ? `FAST MASRAFI ${payout.number}` : 'EFT MASRAFI'
    const made = named(scene, 'transfer_charge', charge(desk, account, random.amount(300, 2_600), text))
    return made && { ...made, original: payout?.number ?? null, reference: payout?.endToEnd ?? null }
  },
  monthly_charge(scene) {
    const { desk, random, account, day } = scene
    const text = `HESAP İŞLETİM ÜCRETİ ${MONTHS[Number(day.slice(5, 7)) - 1]}`
    return named(scene, 'monthly_charge', charge(desk, account, random.amount(5_000, 25_000), text))
  },
  interest(scene) {
    const { desk, random, account } = scene
    return named(scene, 'interest', interest(desk, account, random.amount(100, 90_000), 'MEVDUAT FAİZİ'))
  },
  own_transfer(scene) {
    const { desk, random, account: from, others } = scene
    const to = random.pick(others)
    if (to === undefined) return null
    const moved = ownTransfer(desk, { from, to, amount: random.amount(1_000, 500_000), text: 'VİRMAN HESAPLAR ARASI' })
    const made = named(scene, 'own_transfer', moved)
    return made && { ...made, otherAccount: to }
  },
  wrong_account(scene) {
    const { desk, random, account } = scene
    const senderName = random.pick(STRANGERS) ?? ''
    const text = `FATURA ÖDEMESİ 2026/${100 + random.below(900)} BAŞKA ŞİRKET A.Ş.`
    const paid = incoming(desk, { account, senderName, amount: random.amount(10_000, 900_000), text })
    return named(scene, 'wrong_account', paid)
  },
  foreign_currency(scene) {
    const { desk, random, account } = scene
    const [dollars, rate] = [random.below(900) + 100, 410_000 + random.below(9_999)]
    const text = `SWIFT USD ${dollars},00 KUR ${Math.floor(rate / 10_000)},${rate % 10_000}`
    const foreign = { currency: 'USD', amount: BigInt(dollars) * 100n }
    const amount = (foreign.amount * BigInt(rate)) / 10_000n
    return named(scene, 'foreign_currency', incoming(desk, { account, senderName: 'ACME LLC', amount, text, foreign }))
  },
  paid_twice(scene) {
    const { desk, random, account } = scene
    const first = random.pick(creditsOf(scene).filter(({ iban }) => iban !== ''))
    if (!first) return null
    const { iban: from, name: senderName, amount, text } = first
    const made = named(scene, 'paid_twice', incoming(desk, { account, from, senderName, amount, text }))
    return made && { ...made, original: first.number }
  },
}

/** What was booked, by its first booking. */
function named({ desk, account }: Scene, kind: DiscrepancyKind, booked: Booked): Discrepancy | null {
  if ('refused' in booked) return null
  const { numbers } = booked
  const booking = findBooking(desk.ledger.bookings, account, numbers[0] ?? '') as Booking
  return { ...about(kind, booking), bankNumbers: numbers, original: null }
}
