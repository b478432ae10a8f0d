import { instantOf, localTime } from '../../time.ts'
import type { Booked } from '../bank-bookings.ts'
import { correct, setListing, storno } from '../bank-bookings.ts'
import type { ReturnTerms } from '../bank-event.ts'
import { bookingDay, findBooking } from '../bookings.ts'
import { undoTransfer } from '../undo-transfer.ts'
import type { Discrepancy, DiscrepancyKind, Scene } from './discrepancy.ts'
import { about, creditsOf, payoutsOf, transfersOf } from './discrepancy.ts'

// Discrepancies about bookings that are there. Null: there is none, or no money for it.

export const CHANGED_BOOKINGS: Partial<Record<DiscrepancyKind, (scene: Scene) => Discrepancy | null>> = {
  listed_twice: (scene) => relisted(scene, 'listed_twice', 'twice'),
  late_listing: (scene) => relisted(scene, 'late_listing', 'late'),
  correction_amount(scene) {
    const credit = scene.random.pick(creditsOf(scene))
    const change = scene.random.amount(1, 5_000)
    if (!credit) return null
    const amount =
      credit.amount > change && scene.random.below(2) === 0 ? credit.amount - change : credit.amount + change
    return corrected(scene, 'correction_amount', credit.number, { amount })
  },
  correction_date(scene) {
    const credit = scene.random.pick(creditsOf(scene))
    if (!credit) return null
    const next = new Date(Date.parse(scene.day) + 86_400_000).toISOString().slice(0, 10)
    const bookedAt = instantOf(`${next}${localTime(credit.bookedAt).slice(10)}`)
    return corrected(scene, 'correction_date', credit.number, { bookedAt })
  },
  return: (scene) => returned(scene, 'return', {}),
  return_less_costs(scene) {
    return returned(scene, 'return_less_costs', {
      costs: scene.random.amount(100, 900),
      narrative: 'GÖNDERİLEN FAST İADESİ',
    })
  },
  return_other_account(scene) {
    const to = scene.random.pick(scene.others)
    return to === undefined ? null : returned(scene, 'return_other_account', { to, narrative: 'FAST IADE' })
  },
  storno(scene) {
    const { desk, account, random } = scene
    const credit = random.pick(creditsOf(scene))
    if (!credit) return null
    const taken = storno(desk, account, credit.number)
    if ('refused' in taken) return null
    const booking = findBooking(desk.ledger.bookings, account, taken.numbers[0] ?? '')
    return booking && { ...about('storno', booking), original: credit.number }
  },
}

function relisted(scene: Scene, kind: DiscrepancyKind, listing: 'twice' | 'late'): Discrepancy | null {
  const booking = scene.random.pick(transfersOf(scene))
  if (!booking || 'refused' in setListing(scene.desk, scene.account, booking.number, listing)) return null
  return about(kind, booking)
}

function corrected(
  { desk, account }: Scene,
  kind: DiscrepancyKind,
  number: string,
  correction: { amount?: bigint; bookedAt?: string },
): Discrepancy | null {
  const booking = findBooking(desk.ledger.bookings, account, number)
  const before = booking && { amount: booking.amount, day: bookingDay(booking) }
  const done: Booked = correct(desk, account, number, correction)
  return booking && !('refused' in done) ? { ...about(kind, booking), before } : null
}

/** A payout comes back; the receiver may have spent it. */
function returned(scene: Scene, kind: DiscrepancyKind, terms: ReturnTerms): Discrepancy | null {
  const { desk, account, random } = scene
  const payout = random.pick(payoutsOf(scene))
  if (!payout?.endToEnd) return null
  const [bankReference, reference] = [desk.newNumber(), payout.endToEnd]
  const outcome = undoTransfer(desk, { reference, as: 'returned', bankReference, at: desk.at, ...terms })
  if (outcome === null || typeof outcome === 'string') return null
  const credit = findBooking(desk.ledger.bookings, terms.to ?? account, bankReference)
  if (!credit) return null
  const before = { amount: payout.amount, day: scene.day }
  const known = { original: payout.number, reference, before, otherAccount: terms.to ? account : null }
  return { ...about(kind, credit), ...known }
}
