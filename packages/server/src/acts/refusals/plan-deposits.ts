import type { PLAN_DEPOSITS } from '../../kernel/refusals/plans.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

export const PLAN_DEPOSITS_SENTENCES: Sentences<typeof PLAN_DEPOSITS> = {
  fees_below_debit: {
    en: ({ took, earned }) => `The debit is ${took}; only ${earned} of fees are earned and not taken out yet.`,
    tr: ({ took, earned }) => `Borç satırı ${took}; kazanılmış ve henüz çekilmemiş komisyon ise ${earned}.`,
  },
  deposit_not_credited: {
    en: ({ deposit, status }) => `Deposit ${deposit} is ${status}, not completed: its merchant has none of its money.`,
    tr: ({ deposit, status }) =>
      `${deposit} numaralı yatırım tamamlanmış değil (${durum(status)}): parası satıcıda değil.`,
  },
  deposit_not_refunded: {
    en: ({ deposit, entry }) =>
      `Nothing of deposit ${deposit} is refunded. Take entry ${entry} back; the debit and the payment are then a storno (correction by the bank).`,
    tr: ({ deposit, entry }) =>
      `${deposit} numaralı yatırımdan hiçbir şey iade edilmedi. Önce ${entry} numaralı alacak kaydını geri alın; borç satırı ile ödeme o zaman bir banka düzeltmesidir.`,
    cli: ({ entry, debit }) =>
      `vezne journal reverse ${entry}\nvezne journal propose storno --line PAYMENT --line ${debit}`,
  },
  deposit_sum_differs: {
    en: ({ deposit }) =>
      `The lines of deposit ${deposit} do not sum to what it received. Tell the person who runs the machines.`,
    tr: ({ deposit }) =>
      `${deposit} numaralı yatırımın satırları, yatırıma gelen tutarı vermiyor. Sistem yöneticisine bildirin.`,
    cli: 'vezne doctor',
  },
  deposit_takes_no_more: {
    en: ({ deposit, status }) => `Deposit ${deposit} is ${status}; it takes no more money.`,
    tr: ({ deposit, status }) => `${deposit} numaralı yatırım ${durum(status)}; artık para almaz.`,
  },
  deposit_holds_money: {
    en: ({ deposit, held }) => `${held} is held for deposit ${deposit}. Put its line into suspense first.`,
    tr: ({ deposit, held }) =>
      `${deposit} numaralı yatırım için ${held} bekletiliyor. Önce o paranın satırını askıya alın.`,
    cli: 'vezne line suspend LINE',
  },
  debit_of_no_payment: {
    en: ({ line, deposit }) =>
      `Debit ${line} takes back no payment of deposit ${deposit}. On its account none has its amount, and no larger one fits the code, the id or the sender's IBAN on the debit.`,
    tr: ({ line, deposit }) =>
      `${line} numaralı borç satırı ${deposit} numaralı yatırımın bir ödemesini geri almıyor. Satırın hesabında aynı tutarda bir ödeme yok; satırdaki koda, numaraya veya IBAN’a uyan daha büyük bir ödeme de yok.`,
  },
  merchant_charged: {
    en: ({ of, transaction, entry }) =>
      of === 'payment'
        ? `The bank took the payment of deposit ${transaction} back, and the merchant was charged for that. Take entry ${entry} back first.`
        : `The merchant was charged for the return of payout ${transaction} already. Take entry ${entry} back first.`,
    tr: ({ of, transaction, entry }) =>
      of === 'payment'
        ? `Banka ${transaction} numaralı yatırımın ödemesini geri aldı; tutar satıcının bakiyesinden düşüldü. Önce ${entry} numaralı kaydı geri alın.`
        : `${transaction} numaralı çekimin iadesi satıcının bakiyesinden zaten düşüldü. Önce ${entry} numaralı kaydı geri alın.`,
    cli: ({ entry }) => `vezne journal reverse ${entry}`,
  },
  merchant_charged_in_full: {
    en: ({ of, charged, whole, entry }) =>
      `The merchant was charged for it already, ${charged} of the ${whole} that ${of === 'deposit' ? 'the deposit received' : 'the merchant got back'}: see entry ${entry}.`,
    tr: ({ of, charged, whole, entry }) =>
      `Bu, satıcının bakiyesinden zaten düşüldü: ${of === 'deposit' ? 'yatırıma gelen' : 'satıcıya geri verilen'} ${whole} tutarın ${charged} kadarı (${entry} numaralı kayıt).`,
    cli: ({ entry }) => `vezne journal show ${entry}`,
  },
}
