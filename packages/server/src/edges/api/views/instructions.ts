import type { CollectingAccount } from '../../../domain/banks/index.ts'
import type { Deposit } from '../../../domain/deposits/index.ts'
import { payableUntil } from '../../../domain/deposits/index.ts'
import { plainName } from '../../web/html.ts'
import { minuteIn, moneyIn } from '../../web/money-and-time.ts'

type Facts = { deposit: Deposit; account: CollectingAccount | undefined; shop: string; url: string }

const tr = {
  title: (shop: string, amount: string) => `${shop}: ${amount} ödeme`,
  lead: 'Banka uygulamanızda şu bilgilerle transfer yapın:',
  choose: 'Bankanızı ödeme sayfasında seçin.',
  holder: 'Alıcı adı',
  amount: 'Tutar',
  description: 'Açıklama (yalnızca bu kod)',
  until: 'Son gönderme',
  zone: 'İstanbul saati',
  through: (shop: string, receiver: string) => `${shop} bu ödemeyi ${receiver} aracılığıyla alır.`,
  page: 'Ödeme sayfası ve durum',
}
const en: typeof tr = {
  title: (shop, amount) => `${shop}: payment of ${amount}`,
  lead: 'Make a transfer in your banking app with these details:',
  choose: 'Choose your bank on the payment page.',
  holder: 'Recipient',
  amount: 'Amount',
  description: 'Description (only this code)',
  until: 'Send by',
  zone: 'Istanbul time',
  through: (shop, receiver) => `${shop} uses ${receiver} to receive this payment.`,
  page: 'Payment page and status',
}
const WORDS = { tr, en }

/** Plain text, with the fields in the order in which banking apps ask for them. */
export function instructions(language: 'tr' | 'en', { deposit, account, shop, url }: Facts): string {
  const words = WORDS[language]
  const amount = moneyIn(language, deposit.amount - deposit.receivedAmount, deposit.currency)
  const name = plainName(shop)
  const transfer = account
    ? [
        words.lead,
        `IBAN: ${account.iban}`,
        `${words.holder}: ${account.title}`,
        `${words.amount}: ${amount}`,
        `${words.description}: ${deposit.referenceCode}`,
        '',
        words.through(name, account.title),
      ]
    : [words.choose]
  const until = `${words.until}: ${minuteIn(language, payableUntil(deposit))} (${words.zone})`
  return [words.title(name, amount), '', ...transfer, until, `${words.page}: ${url}`].join('\n')
}
