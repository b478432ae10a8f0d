import { addDays } from '../../packages/server/src/kernel/istanbul.ts'
import type { Play } from './play.ts'
import type { ModelDeposit, Truth } from './truth.ts'

// Customers and strangers who pay, right and wrong.

/** It has expired when people match it in the evening: the service calls that late, though the money came in time. */
const BY_HAND = 'late'

export type Kind = (play: Play) => Promise<void> | void

const forOne = (deposit: ModelDeposit, amount: bigint): Truth => {
  return { is: 'deposits', parts: [{ deposit, amount }], rest: 0n }
}

/** What banks write around the code. */
const textOf = (play: Play, { code, customer }: ModelDeposit) =>
  play.pick([`FAST ${code} odeme`, code, `${code} ${customer.name}`, `GELEN FAST-${code}-MOBIL`])

async function asked(play: Play, is?: 'plain' | 'strict' | 'tolerant') {
  const [shop, account] = [play.shop(is), play.account()]
  return play.deposit(shop, account, play.amount(), play.person())
}

/** A payment as it was asked for, or with another amount. Books the line, and what becomes of the deposit. */
function pays(play: Play, kind: string, deposit: ModelDeposit, more: Partial<{ amount: bigint; time: string }> = {}) {
  const { amount = deposit.amount, time = play.timeToPay() } = more
  const text = textOf(play, deposit)
  return play.book(kind, 'credit', deposit.iban, amount, forOne(deposit, amount), {
    ...{ text, time, party: deposit.customer },
  })
}

export const right: Kind = async (play) => {
  const deposit = await asked(play)
  pays(play, 'deposit', deposit)
  play.credited(deposit, deposit.amount)
}

export const neverPaid: Kind = async (play) => void (await asked(play))

/** One character of the code is another, or there is none: sender and amount say whose it is. */
export const wrongCode: Kind = async (play) => {
  const deposit = await asked(play)
  const at = play.random.below(8)
  const other = deposit.code[at] === 'A' ? 'B' : 'A'
  const typed = deposit.code.slice(0, at) + other + deposit.code.slice(at + 1)
  const text = play.chance(50) ? `FAST ${typed} odeme` : play.pick(['odeme', 'HAVALE', deposit.customer.name])
  play.book('deposit, wrong code', 'credit', deposit.iban, deposit.amount, forOne(deposit, deposit.amount), {
    ...{ text, time: play.timeToPay(), party: deposit.customer },
  })
  play.credited(deposit, deposit.amount, BY_HAND)
}

/** The second payment goes back. */
export const twice: Kind = async (play) => {
  const deposit = await asked(play)
  pays(play, 'deposit', deposit)
  play.credited(deposit, deposit.amount, 'duplicate')
  play.after(play.random.below(3), () => {
    const truth: Truth = { is: 'refund', sender: deposit.customer }
    play.book('deposit, paid twice', 'credit', deposit.iban, deposit.amount, truth, {
      ...{ text: textOf(play, deposit), time: play.time(), party: deposit.customer },
    })
  })
}

/** After the deadline: credited, or held by a merchant that wants to look at it. */
export const late: Kind = async (play) => {
  const deposit = await asked(play)
  const isHeld = deposit.merchant.name === 'Siki'
  play.after(play.random.below(4), () => {
    pays(play, isHeld ? 'deposit, late, held' : 'deposit, late', deposit, { time: play.time() })
    play.credited(deposit, deposit.amount, 'late')
  })
}

export const short: Kind = async (play) => {
  const deposit = await asked(play, 'plain')
  const received = deposit.amount - BigInt(play.random.between(100, 4_000))
  pays(play, 'deposit, short', deposit, { amount: received })
  play.credited(deposit, received)
}

/** The rest comes within the half hour. */
export const shortWithRest: Kind = async (play) => {
  const deposit = await asked(play, 'plain')
  const first = (deposit.amount * BigInt(play.random.between(20, 80))) / 100n
  pays(play, 'deposit, in two parts', deposit, { amount: first, time: '10:09:30' })
  pays(play, 'deposit, in two parts', deposit, { amount: deposit.amount - first, time: '10:25:30' })
  play.credited(deposit, deposit.amount)
}

export const over: Kind = async (play) => {
  const deposit = await asked(play, 'plain')
  const received = deposit.amount + BigInt(play.random.between(100, 5_000))
  pays(play, 'deposit, too much', deposit, { amount: received })
  play.credited(deposit, received)
}

/** Someone else pays, to a merchant that wants to look at it. Its customer has confirmed it. */
export const thirdParty: Kind = async (play) => {
  const deposit = await asked(play, 'strict')
  const payer = { ...play.newcomer(), name: 'Hüseyin Karabulut' }
  play.book('deposit, another sender', 'credit', deposit.iban, deposit.amount, forOne(deposit, deposit.amount), {
    ...{ text: textOf(play, deposit), time: play.timeToPay(), party: payer },
  })
  play.credited(deposit, deposit.amount, 'name_mismatch')
}

/** With the right code, to another account of ours. */
export const otherAccount: Kind = async (play) => {
  const deposit = await asked(play)
  const others = play.world.accounts.filter(({ iban }) => iban !== deposit.iban)
  const iban = play.pick(others).iban
  play.book('deposit, another account', 'credit', iban, deposit.amount, forOne(deposit, deposit.amount), {
    ...{ text: textOf(play, deposit), time: play.timeToPay(), party: deposit.customer },
  })
  play.credited(deposit, deposit.amount, BY_HAND)
}

/** One credit with the codes of two or three. */
export const split: Kind = async (play) => {
  const [account, customer] = [play.account(), play.person()]
  const deposits = []
  for (let count = play.random.between(2, 3); count > 0; count--)
    deposits.push(await play.deposit(play.shop(), account, play.amount(), customer))
  const parts = deposits.map((deposit) => ({ deposit, amount: deposit.amount }))
  const sum = parts.reduce((all, { amount }) => all + amount, 0n)
  const text = deposits.map(({ code }) => code).join(' ')
  play.book(
    'deposits, one credit for several',
    'credit',
    account.iban,
    sum,
    { is: 'deposits', parts, rest: 0n },
    {
      ...{ text, time: play.timeToPay(), party: customer },
    },
  )
  for (const deposit of deposits) play.credited(deposit, deposit.amount)
}

/** Nothing of ours is asked for: the money goes back. */
export const stranger: Kind = (play) => {
  const sender = play.person()
  // Some banks do not say from which account it came.
  const party = play.chance(25) ? { name: sender.name } : sender
  const text = play.pick(['FATURA', 'kira', 'borc', 'EFT', 'hediye', 'FAST'])
  const amount = BigInt(play.random.between(500_000, 900_000))
  play.book(
    'stranger',
    'credit',
    play.account().iban,
    amount,
    { is: 'refund', sender },
    {
      ...{ text, time: play.time(), party },
    },
  )
}

/** The merchant pays in its own money, and makes the deposit for it on the day after. */
export const funding: Kind = async (play) => {
  if (play.isLast()) return
  const [shop, account] = [play.shop(), play.account()]
  const company = { ...play.newcomer(), name: `${shop.name} Ticaret A.Ş.` }
  const amount = BigInt(play.random.between(1_000_000, 9_000_000))
  const parts: { deposit: ModelDeposit; amount: bigint }[] = []
  play.book(
    'merchant funding',
    'credit',
    account.iban,
    amount,
    { is: 'deposits', parts, rest: 0n },
    {
      ...{ text: 'BAKIYE YUKLEME', time: play.time(), party: company },
    },
  )
  play.after(1, async () => {
    const deposit = await play.deposit(shop, account, amount, company)
    parts.push({ deposit, amount })
    play.credited(deposit, amount, BY_HAND)
  })
}

/** The bank takes a payment back that was credited days before. */
export const stornoOfDeposit: Kind = async (play) => {
  const deposit = await asked(play)
  const credit = pays(play, 'deposit', deposit)
  play.credited(deposit, deposit.amount)
  const bookedOn = play.state.day
  play.after(play.random.between(1, 4), () => {
    if (play.state.day < addDays(bookedOn, 1)) return
    const text = play.pick([`STORNO ${credit.number}`, `IPTAL ${deposit.code}`, `HATALI ISLEM ${credit.number}`])
    const truth: Truth = { is: 'storno', other: credit }
    const debit = play.book('storno of a deposit', 'debit', deposit.iban, deposit.amount, truth, {
      ...{ text, party: play.chance(50) ? deposit.customer : null },
    })
    credit.truth = { is: 'storno', other: debit }
    play.takenBack(deposit, deposit.amount)
  })
}
