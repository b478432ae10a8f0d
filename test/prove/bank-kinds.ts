import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import type { ModelLine } from './bank-model.ts'
import type { Kind } from './deposit-kinds.ts'
import { taxOn } from './payout-kinds.ts'
import type { Play } from './play.ts'
import type { Truth } from './truth.ts'

// The bank's own items, its mistakes, and our own money.

/** Our account at a bank that is not connected. */
const US = { name: 'VEZNE ODEME HIZMETLERI A.Ş.', iban: makeIban('0099', '9900001') }

export const accountFee: Kind = (play) => {
  const { iban } = play.account()
  const amount = BigInt(play.random.between(5_000, 15_000))
  play.book('account fee', 'debit', iban, amount, { is: 'charge' }, { text: 'HESAP ISLETIM UCRETI MART' })
  play.book('tax on a charge', 'debit', iban, taxOn(amount), { is: 'tax' }, { text: 'BSMV H.ISL.UCRETI' })
}

export const interest: Kind = (play) => {
  const { iban } = play.account()
  const amount = BigInt(play.random.between(500, 30_000))
  play.book('interest', 'credit', iban, amount, { is: 'interest' }, { text: 'VADESIZ MEVDUAT FAIZI' })
  const withheld = (amount * 15n + 50n) / 100n
  play.book('withholding tax', 'debit', iban, withheld, { is: 'tax' }, { text: 'STOPAJ KESINTISI' })
}

/** A charge that the bank takes by mistake, and gives back under its own name. */
export const chargeGivenBack: Kind = (play) => {
  const { iban } = play.account()
  const amount = BigInt(play.random.between(300, 2_000))
  play.book('charge', 'debit', iban, amount, { is: 'charge' }, { text: 'EFT MASRAFI' })
  play.after(play.random.between(1, 3), () => {
    play.book('charge given back', 'credit', iban, amount, { is: 'charge' }, { text: 'EFT MASRAFI IADESI' })
  })
}

function ownTransfer(play: Play, kept: bigint): void {
  const from = play.account()
  const to = play.pick(play.world.accounts.filter(({ id }) => id !== from.id))
  const amount = BigInt(play.random.between(500_000, 3_000_000))
  const truths: { is: 'own_transfer'; other: ModelLine | null }[] = [
    { is: 'own_transfer', other: null },
    { is: 'own_transfer', other: null },
  ]
  const [title, time] = ['VEZNE ODEME HIZMETLERI', play.time()]
  const kind = kept === 0n ? 'own transfer' : 'own transfer less a charge'
  const debit = play.book(kind, 'debit', from.iban, amount, truths[0] as Truth, {
    ...{ text: 'VIRMAN', time, party: { name: title, iban: to.iban } },
  })
  const credit = play.book(kind, 'credit', to.iban, amount - kept, truths[1] as Truth, {
    ...{ text: 'VIRMAN', time, party: { name: title, iban: from.iban } },
  })
  for (const [index, other] of [credit, debit].entries()) Object.assign(truths[index] as object, { other })
}

export const ownTransferWhole: Kind = (play) => ownTransfer(play, 0n)
export const ownTransferLess: Kind = (play) => ownTransfer(play, play.pick([640n, 1_279n]))

/** Credited to the wrong account by the bank, which takes it back on the same day. */
export const wrongCredit: Kind = (play) => {
  const { iban } = play.account()
  const [sender, amount] = [play.person(), BigInt(play.random.between(500_000, 900_000))]
  const kind = 'wrong credit taken back'
  const truth: { is: 'storno'; other: ModelLine | null } = { is: 'storno', other: null }
  const credit = play.book(kind, 'credit', iban, amount, truth, {
    ...{ text: 'GELEN EFT', party: sender, time: play.time(11, 13) },
  })
  truth.other = play.book(
    kind,
    'debit',
    iban,
    amount,
    { is: 'storno', other: credit },
    {
      ...{ text: `STORNO ${credit.number}`, time: play.time(14, 17) },
    },
  )
}

/** A debit that no one can explain, which comes back days later. */
export const wrongDebit: Kind = (play) => {
  if (play.isLast()) return
  const { iban } = play.account()
  const amount = BigInt(play.random.between(20_000, 300_000))
  const kind = 'unexplained debit comes back'
  const truth: { is: 'storno'; other: ModelLine | null } = { is: 'storno', other: null }
  const debit = play.book(kind, 'debit', iban, amount, truth, { text: play.pick(['TAHSILAT', 'OTOMATIK ODEME']) })
  play.after(play.random.between(1, 4), () => {
    const text = play.pick(['SEHVEN TAHSILAT IADESI', 'DUZELTME', 'IPTAL'])
    truth.other = play.book(kind, 'credit', iban, amount, { is: 'storno', other: debit }, { text, time: '17:30:00' })
  })
}

/** The same, but the bank says on the phone that it will give the money back. */
export const owedDebit: Kind = (play) => {
  if (play.isLast()) return
  const { iban } = play.account()
  const amount = BigInt(play.random.between(20_000, 300_000))
  const truth: Truth = { is: 'owed', payout: null }
  const debit = play.book('debit by a fault of the bank', 'debit', iban, amount, truth, { text: 'FATURA TAHSILATI' })
  play.after(play.random.between(1, 4), () => {
    const given: Truth = { is: 'settles', debit }
    const text = 'FATURA TAHSILATI IADESI'
    play.book('fault of the bank given back', 'credit', iban, amount, given, { text, time: '17:31:00' })
  })
}

export const ownFunds: Kind = (play) => {
  const amount = BigInt(play.random.between(5_000_000, 9_000_000))
  play.book(
    'own funds',
    'credit',
    play.account().iban,
    amount,
    { is: 'own_funds' },
    { text: 'SERMAYE AVANSI', party: US },
  )
}

/** Far less than the fees that were earned by then. */
export const feesTaken: Kind = (play) => {
  const { iban } = play.account()
  const amount = BigInt(play.random.between(1_000, 4_000))
  play.book(
    'fees taken out',
    'debit',
    iban,
    amount,
    { is: 'fees_taken' },
    { text: 'KOMISYON GELIRI AKTARIM', party: US },
  )
}

/** A report of noon shows a stranger's payment with a wrong amount; the statement of the evening has the right one. */
export const correctedAtOnce: Kind = (play) => {
  const { iban } = play.account()
  const [sender, amount] = [play.person(), BigInt(play.random.between(500_000, 900_000))]
  const [isSeen, time] = [play.chance(50), play.time(10, 11)]
  const kind = isSeen ? 'correction, wrong line seen first' : 'correction'
  const { day } = play.state
  const shown = { kind, direction: 'credit' as const, iban, day, time, text: 'GELEN EFT', party: sender }
  const wrong = play.bank.bookEarly({ ...shown, amount: amount + 900n, truth: { is: 'replaced', isSeen } })
  const truth: Truth = { is: 'correction', of: wrong, meant: { is: 'refund', sender } }
  play.bank.book({ ...shown, amount, number: wrong.number, truth })
}
