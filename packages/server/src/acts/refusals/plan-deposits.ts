import type { PLAN_DEPOSITS } from '../../kernel/refusals/plans.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

export const PLAN_DEPOSITS_SENTENCES: Sentences<typeof PLAN_DEPOSITS> = {
  fees_below_debit: {
    en: ({ took, earned }) => `The debit is ${took}, but only ${earned} of the earned fees has not been withdrawn yet.`,
    tr: ({ took, earned }) => `Borç satırı ${took}, ama kazanılmış ve henüz çekilmemiş komisyon ${earned}.`,
  },
  deposit_not_credited: {
    en: ({ deposit, status }) =>
      `Deposit ${deposit} is not completed (${status}): the merchant does not have its money.`,
    tr: ({ deposit, status }) => `${deposit} yatırımı tamamlanmış değil (${durum(status)}): parası satıcıda değil.`,
  },
  deposit_not_refunded: {
    en: ({ deposit, entry }) =>
      `Nothing of deposit ${deposit} has been refunded. Reverse entry ${entry}, then propose the debit and the payment as a correction by the bank.`,
    tr: ({ deposit, entry }) =>
      `${deposit} yatırımından hiçbir şey iade edilmedi. Önce ${entry} alacak kaydını geri alın, sonra borç satırı ile ödemeyi “Banka düzeltmesi” olarak önerin.`,
    cli: ({ entry, debit }) =>
      `vezne journal reverse ${entry}\nvezne journal propose storno --line PAYMENT --line ${debit}`,
  },
  deposit_sum_differs: {
    en: ({ deposit }) =>
      `The lines of deposit ${deposit} do not add up to what it received. Tell your system administrator.`,
    tr: ({ deposit }) =>
      `${deposit} yatırımının satırlarının toplamı, yatırıma gelen tutara eşit değil. Sistem yöneticisine bildirin.`,
    cli: 'vezne doctor',
  },
  deposit_holds_money: {
    en: ({ deposit, held }) => `${held} is held for deposit ${deposit}. Put its line in suspense first.`,
    tr: ({ deposit, held }) => `${deposit} yatırımı için ${held} tutuluyor. Önce o paranın satırını askıya alın.`,
    cli: 'vezne line suspend LINE',
  },
  debit_of_no_payment: {
    en: ({ line, deposit }) =>
      `Debit ${line} takes back no payment of deposit ${deposit}. Its account has no payment of the same amount, and no larger payment matches the code, the id or the sender's IBAN on the debit.`,
    tr: ({ line, deposit }) =>
      `${line} borç satırı ${deposit} yatırımının bir ödemesini geri almıyor. Satırın hesabında aynı tutarda bir ödeme yok; satırdaki koda, numaraya veya IBAN’a uyan daha büyük bir ödeme de yok.`,
  },
  merchant_charged: {
    en: ({ of, transaction, entry }) =>
      of === 'payment'
        ? `The bank took the payment of deposit ${transaction} back, and the merchant was charged for that. Reverse entry ${entry} first.`
        : `The merchant was already charged for the return of payout ${transaction}. Reverse entry ${entry} first.`,
    tr: ({ of, transaction, entry }) =>
      of === 'payment'
        ? `Banka ${transaction} yatırımının ödemesini geri aldı; tutar satıcının bakiyesinden düşüldü. Önce ${entry} kaydını geri alın.`
        : `${transaction} çekiminin iadesi satıcının bakiyesinden zaten düşüldü. Önce ${entry} kaydını geri alın.`,
    cli: ({ entry }) => `vezne journal reverse ${entry}`,
  },
  merchant_charged_in_full: {
    en: ({ of, charged, whole, entry }) =>
      `The merchant was already charged ${charged} of the ${whole} that ${of === 'deposit' ? 'the deposit received' : 'the merchant got back'}: see entry ${entry}.`,
    tr: ({ of, charged, whole, entry }) =>
      `Satıcının bakiyesinden zaten düşüldü: ${of === 'deposit' ? 'yatırıma gelen' : 'satıcıya geri verilen'} ${whole} tutarın ${charged} kadarı (${entry} kaydı).`,
    cli: ({ entry }) => `vezne journal show ${entry}`,
  },
}
