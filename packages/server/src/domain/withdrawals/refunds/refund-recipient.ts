import { ERASED } from '../../../kernel/erased.ts'
import { ibanFault, normaliseIban } from '../../../kernel/iban.ts'
import { refuseField } from '../../../kernel/refusals/refuse.ts'
import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Tx } from '../../../platform/postgres/db.ts'
import type { CollectingAccount } from '../../banks/index.ts'
import type { Deposit } from '../../deposits/index.ts'
import { linesOfDeposit, senderOfLine } from '../../statements/index.ts'
import { checkIban, checkReach } from '../check-recipient.ts'

/** As the request gives it, the IBAN normalised. */
export type GivenRecipient = { iban?: string; accountName?: string }
type Recipient = { iban: string; accountName: string }
type Accounts = readonly Pick<CollectingAccount, 'iban' | 'currency'>[]

/** The rails take names of this many characters or more. */
const SHORTEST_NAME = 3

/**
 * The account that the money came from. If the bank did not name it, the one that the merchant gives, or that was entered with the
 * line; two people then approve it.
 */
export async function recipientOf(
  app: { marks: Marks },
  tx: Tx,
  deposit: Deposit,
  given: GivenRecipient,
  accounts: Accounts,
): Promise<Recipient & { approvalRequired: boolean }> {
  const sender = await senderOf(app, tx, deposit, accounts)
  if (!sender || (!sender.isNamed && given.iban !== undefined))
    return { ...mustGive(given, deposit.currency, accounts), approvalRequired: true }
  if (given.iban !== undefined && given.iban !== sender.iban) throw refuseField('iban', 'refund_recipient_not_sender')
  checkReach(sender.iban, deposit.currency, accounts)
  const { isNamed, ...recipient } = sender
  return { ...recipient, approvalRequired: !isNamed }
}

/** `isNamed`: by the bank. */
type Sender = Recipient & { isNamed: boolean }

/** Of the largest line; null if it has no IBAN or name that can be paid, or they are erased. */
async function senderOf(
  app: { marks: Marks },
  tx: Tx,
  { merchantId, id }: Deposit,
  accounts: Accounts,
): Promise<Sender | null> {
  const lines = (await linesOfDeposit(tx, merchantId, id)).filter(({ state }) => state === 'matched')
  const [largest] = lines.toSorted((a, b) => Number(b.amount - a.amount))
  if (!largest) return null
  const { isNamed, ...sender } = await senderOfLine(app, tx, largest)
  const [iban, accountName] = [normaliseIban(sender.senderIban ?? ''), sender.senderName.trim()]
  if (accountName.length < SHORTEST_NAME || accountName === ERASED || ibanFault(iban) !== null) return null
  return accounts.some((own) => own.iban === iban) ? null : { iban, accountName, isNamed }
}

function mustGive({ iban, accountName }: GivenRecipient, currency: string, accounts: Accounts): Recipient {
  if (iban === undefined || accountName === undefined) {
    const missing = Object.entries({ iban, accountName }).filter(([, value]) => value === undefined)
    const names = missing.map(([field]) => field)
    throw refuseField(names, 'refund_recipient_missing')
  }
  checkIban(iban, undefined)
  checkReach(iban, currency, accounts)
  return { iban, accountName }
}
