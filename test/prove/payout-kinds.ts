import type { Kind } from './deposit-kinds.ts'
import type { Play } from './play.ts'
import type { ModelLine } from './bank-model.ts'
import type { ModelPayout, Party, Truth } from './truth.ts'

// Payouts, what the bank takes for them, and what comes back.

const forPayouts = (payouts: ModelPayout[], charge = 0n): Truth => ({ is: 'payouts', payouts, charge, others: [] })

type More = { amount?: bigint; truth?: Truth; text?: string; party?: Partial<Party> | null; time?: string }

/** The debit that names the payout, or as `more` says. */
function debit(play: Play, kind: string, payout: ModelPayout, more: More = {}): ModelLine {
  const { amount = payout.amount, truth = forPayouts([payout]), text = `GIDEN FAST ${payout.id}` } = more
  const { party = payout.to, time = play.time() } = more
  return play.book(kind, 'debit', payout.from ?? '', amount, truth, { text, party, time })
}

/** What banks take for a transfer, and the tax on it, in lines of their own. */
function charged(play: Play, iban: string): void {
  const amount = play.pick([640n, 1_279n, 610n, 305n])
  const time = play.time()
  play.book('charge', 'debit', iban, amount, { is: 'charge' }, { text: 'FAST MASRAFI', time })
  play.book('tax on a charge', 'debit', iban, taxOn(amount), { is: 'tax' }, { text: 'BSMV FAST MASRAFI', time })
}

/** BSMV: five percent, to the nearest kuruş. */
export const taxOn = (charge: bigint) => (charge * 5n + 50n) / 100n

const amountOf = (play: Play) => play.amount(10_000, 600_000)

export const paid: Kind = async (play) => {
  debit(play, 'payout', await play.payout(play.shop(), amountOf(play)))
}

export const paidAndCharged: Kind = async (play) => {
  const payout = await play.payout(play.shop(), amountOf(play))
  debit(play, 'payout', payout)
  charged(play, payout.from ?? '')
}

/** The bank says only that it has the order: its debit completes the payout. */
export const pending: Kind = async (play) => {
  debit(play, 'payout', await play.payout(play.shop(), amountOf(play), 'pending'))
}

export const refused: Kind = async (play) => {
  await play.payout(play.shop(), amountOf(play), 'rejected')
}

/** The text was cut: amount, account and recipient say which payout it is. */
export const unnamed: Kind = async (play) => {
  const payout = await play.payout(play.shop(), amountOf(play))
  const party = play.chance(70) ? payout.to : { name: payout.to.name }
  debit(play, 'payout, not named', payout, { text: play.pick(['GIDEN FAST', 'PARA TRANSFERI']), party })
}

/** One debit has what the bank took for the transfer besides. */
export const withCharge: Kind = async (play) => {
  const payout = await play.payout(play.shop(), 50_000n + amountOf(play))
  const charge = play.pick([640n, 1_279n])
  debit(play, 'payout with a charge', payout, { amount: payout.amount + charge, truth: forPayouts([payout], charge) })
}

/** One debit of our account for several payouts, which all have the same bank. */
export const together: Kind = async (play) => {
  const payouts: ModelPayout[] = []
  for (let count = play.random.between(2, 4); count > 0; count--)
    payouts.push(await play.payout(play.shop(), amountOf(play)))
  // Each account shows its own.
  for (const [from, its] of Map.groupBy(payouts, (one) => one.from ?? '')) {
    const sum = its.reduce((all, { amount }) => all + amount, 0n)
    const [first] = its
    if (its.length === 1 && first) debit(play, 'payout', first)
    else {
      const text = its.map(({ id }) => id).join(' ')
      const truth = forPayouts(its)
      play.book('payouts, one debit for several', 'debit', from, sum, truth, { text: `TOPLU ODEME ${text}` })
    }
  }
}

/** One payout in two debits. */
export const inParts: Kind = async (play) => {
  const payout = await play.payout(play.shop(), 100_000n + amountOf(play))
  const part = (payout.amount * BigInt(play.random.between(30, 70))) / 100n
  const truths = [forPayouts([payout]), forPayouts([payout])]
  const lines = [part, payout.amount - part].map((amount, index) =>
    debit(play, 'payout in several debits', payout, { amount, truth: truths[index] as Truth }),
  )
  for (const truth of truths) if (truth.is === 'payouts') truth.others = lines
}

/** The bank debits it again by mistake, and gives that back days later. */
export const debitedTwice: Kind = async (play) => {
  if (play.isLast()) return
  const payout = await play.payout(play.shop(), amountOf(play))
  debit(play, 'payout', payout, { time: '10:45:00' })
  const second = debit(play, 'payout, debited twice', payout, { truth: { is: 'owed', payout } })
  play.after(play.random.between(1, 4), () => {
    const text = `MUKERRER ISLEM IADESI ${payout.id}`
    const truth: Truth = { is: 'settles', debit: second }
    play.book('second debit given back', 'credit', payout.from ?? '', payout.amount, truth, { text, time: '17:59:00' })
  })
}

/** It comes back on the same day or later. `costs`: what the bank kept. */
function comesBack(play: Play, kind: string, payout: ModelPayout, costs: bigint, text: string, party: Party | null) {
  debit(play, 'payout', payout, { time: '10:45:00' })
  play.after(play.random.below(4), () => {
    const truth: Truth = { is: 'returns', payouts: [payout], costs }
    play.book(kind, 'credit', payout.from ?? '', payout.amount - costs, truth, { text, party })
    payout.isReturned = true
    if (payout.merchant) payout.merchant.balance += payout.amount
  })
}

export const returned: Kind = async (play) => {
  const payout = await play.payout(play.shop(), amountOf(play))
  comesBack(play, 'return', payout, 0n, `IADE ${payout.id}`, null)
}

export const returnedUnnamed: Kind = async (play) => {
  const payout = await play.payout(play.shop(), amountOf(play))
  comesBack(play, 'return, not named', payout, 0n, 'FAST IADE', payout.to)
}

export const returnedLessCosts: Kind = async (play) => {
  const payout = await play.payout(play.shop(), 50_000n + amountOf(play))
  const text = play.chance(50) ? `IADE MASRAF DUSULDU ${payout.id}` : 'FAST IADESI MASRAF DUSULEREK'
  comesBack(play, 'return less costs', payout, 640n, text, payout.to)
}

/** One credit gives two payouts back, and names both. */
export const returnedTogether: Kind = async (play) => {
  const payouts = [await play.payout(play.shop(), amountOf(play)), await play.payout(play.shop(), amountOf(play))]
  for (const payout of payouts) debit(play, 'payout', payout, { time: '10:45:00' })
  play.after(play.random.below(3), () => {
    for (const [from, its] of Map.groupBy(payouts, (one) => one.from ?? '')) {
      const sum = its.reduce((all, { amount }) => all + amount, 0n)
      const kind = its.length > 1 ? 'return of several' : 'return'
      const text = `IADE ${its.map(({ id }) => id).join(' ')}`
      play.book(kind, 'credit', from, sum, { is: 'returns', payouts: its, costs: 0n }, { text })
    }
    for (const payout of payouts) {
      payout.isReturned = true
      if (payout.merchant) payout.merchant.balance += payout.amount
    }
  })
}
