import type { PLAN_FIELDS } from '../../kernel/refusals/plans.ts'
import { entryKind } from './entry-kinds.ts'
import type { Sentences } from './sentence.ts'

export const PLAN_FIELDS_SENTENCES: Sentences<typeof PLAN_FIELDS> = {
  line_named_twice: { en: 'must name each line once', tr: 'her satırı bir kez yazın' },
  line_not_one: { en: 'must name one line', tr: 'tek bir satır yazın' },
  return_not_one_line: {
    en: 'must name the one credit that has all of it',
    tr: 'paranın tamamını içeren tek alacak satırını yazın',
  },
  shared_debit_not_one_line: {
    en: 'must name the one line that is the debit of all of them',
    tr: 'hepsinin borcu olan tek satırı yazın',
  },
  lines_not_debit_and_credit: {
    en: 'must name two lines: a debit and a credit',
    tr: 'biri borç, biri alacak iki satır yazın',
  },
  line_beside_write_off: {
    en: 'must be left out: what the bank still owes is written off',
    tr: 'boş bırakın: bankadan kalan alacak siliniyor',
  },
  withdrawal_beside_write_off: {
    en: 'must be left out: the operator bears what is written off',
    tr: 'boş bırakın: silinen tutarı biz karşılarız',
  },
  line_beside_opening_balance: {
    en: 'must be left out: an opening balance has no line',
    tr: 'boş bırakın: açılış bakiyesinin satırı olmaz',
  },
  line_beside_merchant_charge: {
    en: "must be left out: the amount is taken from the merchant's balance",
    tr: 'boş bırakın: tutar satıcının bakiyesinden düşülür',
  },
  deposit_beside_others: {
    en: 'must be left out if a withdrawal or an entry whose rest is used is given',
    tr: 'çekim veya kalanı kullanılan bir kayıt yazıldıysa boş bırakın',
  },
  opening_balance_not_above_zero: {
    en: 'must be the balance before the first line, above zero',
    tr: 'ilk satırdan önceki bakiyeyi yazın; sıfırdan büyük olmalı',
  },
  opening_balance_without_day: {
    en: 'must be the day of the balance, such as 2026-01-31',
    tr: 'bakiyenin gününü yazın, örneğin 2026-01-31',
  },
  unmatch_without_deposit: {
    en: 'must name the deposit that was matched by mistake; for a return, name its withdrawal instead',
    tr: 'yanlış eşleştirilen yatırımı yazın; iade için bunun yerine çekimi yazın',
  },
  deposit_beside_parts: {
    en: 'must be left out where parts are given: a line is for one deposit or for several',
    tr: 'bölünen satırda boş bırakın: satır ya bir yatırım ya birkaç yatırım içindir',
  },
  parts_not_of_deposits: {
    en: 'must be given for two or more deposits, each once',
    tr: 'en az iki yatırım yazın, her birini bir kez',
    cli: '--part TRANSACTION=KURUS',
  },
  parts_not_sum_of_line: {
    en: ({ has, given }) =>
      `must add up to the line: the line has ${has}, the parts and the rest have ${given}. Enter what belongs to no deposit as the rest.`,
    tr: ({ has, given }) =>
      `toplam, satırın tutarına eşit olmalı: satır ${has}, paylar ve kalan ${given}. Hiçbir yatırıma ait olmayan tutarı “Askıda kalan (TL)” alanına yazın.`,
    cli: '--rest KURUS',
  },
  term_not_of_kind: {
    en: ({ kind }) => `does not belong to an entry of the kind “${entryKind('en', kind)}”`,
    tr: ({ kind }) => `“${entryKind('tr', kind)}” kaydında kullanılmaz`,
  },
  term_not_above_zero: { en: 'must be above zero', tr: 'sıfırdan büyük olmalı' },
  withdrawals_not_several: {
    en: 'must name two or more withdrawals, each once',
    tr: 'en az iki çekim yazın, her birini bir kez',
  },
  withdrawal_without_payout: {
    en: ({ wanted }) => `must be the withdrawal ${WANTED_EN[wanted]}`,
    tr: ({ wanted }) => `${WANTED_TR[wanted]} çekimi yazın`,
  },
  payout_line_missing: {
    en: ({ direction }) =>
      direction === 'debit'
        ? 'must name the debit, or each of the debits, of the payout'
        : 'must name the credit, or each of the credits, of the return',
    tr: ({ direction }) =>
      direction === 'debit'
        ? 'çekimin borç satırını, birkaç taneyse hepsini yazın'
        : 'iadenin alacak satırını, birkaç taneyse hepsini yazın',
  },
  sender_not_on_line: {
    en: 'must be given: the line does not show it for its sender',
    tr: 'satırda gönderenin bu bilgisi yok; kendiniz yazın',
  },
  rest_without_settlement: {
    en: 'must be what is left (above zero) of a credit that settles what the bank owes',
    tr: 'alacağı kapatan satırdan artan, sıfırdan büyük tutarı yazın',
  },
  rest_beside_charge: {
    en: 'must be left out: the whole credit returns what the merchant was charged',
    tr: 'boş bırakın: gelen paranın tamamı satıcıdan alınan tutarı geri veriyor',
  },
  rest_not_below_line: { en: 'must be less than the line', tr: 'satırın tutarından az olmalı' },
  settles_beside_debit: { en: 'must be left out: the line is a debit', tr: 'boş bırakın: bu bir borç satırı' },
  debits_of_several_accounts: {
    en: 'must name debits of one account',
    tr: 'aynı hesabın borç satırlarını yazın',
  },
  charge_given_back: {
    en: 'must be a charge that has not been given back yet',
    tr: 'satıcının bakiyesinden düşülmüş ve henüz geri verilmemiş bir kayıt seçin',
  },
  charge_beside_settles: {
    en: 'must be left out: what exceeds the payout settles what the bank owes',
    tr: 'boş bırakın: çekimi aşan tutar alacağı kapatır',
  },
  entry_to_reverse_missing: { en: 'must be a journal entry', tr: 'bir defter kaydı yazın', cli: 'vezne journal list' },
}

const WANTED_EN = {
  debited: 'whose payout the bank debited',
  paid_after_all: 'whose payout was paid after all',
  returned: 'whose payout came back',
  return_undone: 'whose return was booked by mistake',
}

const WANTED_TR = {
  debited: 'bankanın borç yazdığı',
  paid_after_all: 'sonradan ödendiği anlaşılan',
  returned: 'geri dönen',
  return_undone: 'iadesi yanlışlıkla kaydedilen',
}
