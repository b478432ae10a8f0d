import type { PLAN_PAYOUTS } from '../../kernel/refusals/plans.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

export const lineOptions = (lines: readonly string[]) => lines.map((id) => `--line ${id}`).join(' ')

export const PLAN_PAYOUTS_SENTENCES: Sentences<typeof PLAN_PAYOUTS> = {
  payout_not_ended: {
    en: ({ withdrawal, state }) => `Payout ${withdrawal} is ${state}. Two people must report its outcome first.`,
    tr: ({ withdrawal, state }) => `${withdrawal} çekimi ${durum(state)}. Önce iki kişi çekimin sonucunu bildirmeli.`,
    cli: ({ withdrawal }) => `vezne withdrawal resolve ${withdrawal}`,
  },
  payout_never_left: {
    en: ({ withdrawal, state, isRefund }) =>
      `Payout ${withdrawal} was not sent (${state === 'rejected' ? 'rejected' : 'never paid'}). ` +
      (isRefund
        ? 'Its money is in suspense again. If its debit came all the same, propose that debit and the credit as a correction by the bank.'
        : "Its merchant has the money back. If its debit came all the same, propose the debit as owed by the bank, then take it from the merchant's balance."),
    tr: ({ withdrawal, state, isRefund }) =>
      `${withdrawal} çekimi gönderilmedi (${state === 'rejected' ? 'reddedildi' : 'hiç ödenmedi'}). ` +
      (isRefund
        ? 'Parası yeniden askıda. Borç satırı yine de geldiyse alacak satırıyla birlikte “Banka düzeltmesi” olarak önerin.'
        : 'Para satıcıya geri verildi. Borç satırı yine de geldiyse önce bankadan alacak olarak önerin, sonra satıcının bakiyesinden düşün.'),
    cli: ({ withdrawal, isRefund, line }) =>
      isRefund
        ? `vezne journal propose storno --line CREDIT --line ${line ?? 'DEBIT'}`
        : `vezne journal propose receivable --line ${line ?? 'LINE'}\nvezne journal propose receivable --settles ENTRY --withdrawal ${withdrawal}`,
  },
  payout_not_handed_over: {
    en: ({ withdrawal }) =>
      `Payout ${withdrawal} has not been handed to the bank yet, so these cannot be its debits. If they are all the same, two people must report its outcome first.`,
    tr: ({ withdrawal }) =>
      `${withdrawal} çekimi bankaya henüz verilmedi: bunlar onun borç satırı olamaz. Yine de öyleyse önce iki kişi çekimin sonucunu bildirmeli.`,
    cli: ({ withdrawal }) => `vezne withdrawal resolve ${withdrawal}`,
  },
  payout_has_debit: {
    en: ({ withdrawal, debit, line }) =>
      `Payout ${withdrawal} already has its debit: line ${debit}.${line === null ? '' : ` Propose the whole line ${line} as owed by the bank.`}`,
    tr: ({ withdrawal, debit, line }) =>
      `${withdrawal} çekiminin borç satırı zaten var: ${debit}.${line === null ? '' : ` ${line} satırının tamamını bankadan alacak olarak önerin.`}`,
    cli: ({ debit, line }) =>
      line === null ? `vezne line show ${debit}` : `vezne journal propose receivable --line ${line}`,
  },
  payout_differs: {
    en: ({ withdrawal }) =>
      `The payout of withdrawal ${withdrawal} differs from the withdrawal. Tell your system administrator.`,
    tr: ({ withdrawal }) => `${withdrawal} çekimi ile ödeme emri birbirini tutmuyor. Sistem yöneticisine bildirin.`,
    cli: 'vezne doctor',
  },
  payout_of_no_merchant: {
    en: ({ withdrawal }) =>
      `Payout ${withdrawal} was a refund of unexplained money, so no merchant has it. Propose its debit and the credit that it refunded as a correction by the bank.`,
    tr: ({ withdrawal }) =>
      `${withdrawal} çekimi, açıklanamayan bir paranın iadesiydi; para hiçbir satıcıda değil. Borç satırı ile iade edilen alacak satırını “Banka düzeltmesi” olarak önerin.`,
    cli: 'vezne journal propose storno --line CREDIT --line DEBIT',
  },
  debit_has_no_rest: {
    en: ({ took, ordered, areParts }) =>
      `The debit has ${took}, the payout ${ordered}: nothing is left over.${areParts ? ' If the lines are parts of the payout, propose them as its debit.' : ''}`,
    tr: ({ took, ordered, areParts }) =>
      `Borç ${took}, çekim ${ordered}: artan bir tutar yok.${areParts ? ' Satırlar çekimin parçalarıysa çekimin borcu olarak önerin.' : ''}`,
    cli: ({ withdrawal, lines, areParts }) =>
      areParts
        ? `vezne journal propose payout_debit ${lineOptions(lines.length > 1 ? lines : [...lines, 'REST'])} --withdrawal ${withdrawal}`
        : '',
  },
  debit_not_tied_to_payout: {
    en: ({ line, withdrawal, because }) =>
      because === 'account'
        ? `Debit ${line} is not on the account that payout ${withdrawal} left from, and does not refer to the payout.`
        : `Debit ${line} does not refer to withdrawal ${withdrawal}, and its payout has its own debit: the line may belong to another payout.`,
    tr: ({ line, withdrawal, because }) =>
      because === 'account'
        ? `${line} borç satırı ${withdrawal} çekiminin çıktığı hesapta değil; satırda çekimin no’su da yok.`
        : `${line} borç satırında ${withdrawal} çekiminin no’su yok ve çekimin kendi borç satırı var: satır başka bir çekimin olabilir.`,
  },
  debit_parts_missing: {
    en: ({ total, ordered, missing }) =>
      `The lines have ${total} of the payout of ${ordered}: ${missing} is missing. It may come in a later line; until then these lines stay in review. ` +
      'If the bank says that no more will come, two people report the payout as not sent; then propose each part as owed by the bank.',
    tr: ({ total, ordered, missing }) =>
      `Satırların toplamı ${total}, çekim ${ordered}: ${missing} eksik. Eksik tutar sonraki bir satırda gelebilir; o zamana kadar bu satırlar incelemede kalır. ` +
      'Banka başka gelmeyeceğini söylerse iki kişi çekimin gönderilmediğini bildirir; sonra her parçayı bankadan alacak olarak önerin.',
    cli: 'vezne line list --state needs_review',
  },
  debit_parts_exceed: {
    en: ({ total, ordered, excess }) =>
      `The lines have ${total}, the payout has ${ordered}: ${excess} too much. Once the payout is final, propose the lines together with it: the excess is owed by the bank or is a bank charge.`,
    tr: ({ total, ordered, excess }) =>
      `Satırların toplamı ${total}, çekim ${ordered}: ${excess} fazla. Çekim sonuçlanınca satırları çekimle birlikte önerin; fazlası bankadan alacak veya banka masrafıdır.`,
    cli: ({ withdrawal, lines }) =>
      ['receivable', 'bank_charge']
        .map((kind) => `vezne journal propose ${kind} ${lineOptions(lines)} --withdrawal ${withdrawal}`)
        .join('\n'),
  },
  debit_in_one_line: {
    en: ({ line, isOpen }) =>
      `Line ${line} alone has the whole payout. ${isOpen ? 'Two people first report the payout as found; then record the line as its debit.' : 'Record it as the debit of the payout.'}`,
    tr: ({ line, isOpen }) =>
      `${line} satırı tek başına çekimin tamamı. ${isOpen ? 'Önce iki kişi çekim için “Bulundu” bildirir; sonra satırı borç satırı olarak kaydedin.' : 'Çekimin borç satırı olarak kaydedin.'}`,
    cli: ({ line, withdrawal, isOpen }) =>
      `${isOpen ? `vezne withdrawal resolve ${withdrawal} --found REFERENCE\n` : ''}vezne line sent ${line} --withdrawal ${withdrawal}`,
  },
  debit_above_payouts: {
    en: ({ line, has, payouts }) =>
      `Line ${line} has ${has}, the payouts have ${payouts} together. Name the other payouts that it pays. If the bank says that it charged the difference, enter that as the bank charge.`,
    tr: ({ line, has, payouts }) =>
      `${line} satırı ${has}, çekimlerin toplamı ${payouts}. Satırın ödediği diğer çekimleri de yazın; banka farkı masraf olarak aldığını söylerse farkı banka masrafı olarak yazın.`,
    cli: ({ more }) => `--withdrawal TRANSACTION\n--charge ${more}`,
  },
  debit_below_payouts: {
    en: ({ line, has, payouts }) =>
      `Line ${line} has ${has}, the payouts have ${payouts} together: the line is not the debit of all of them. Leave out those that it does not pay.`,
    tr: ({ line, has, payouts }) =>
      `${line} satırı ${has}, çekimlerin toplamı ${payouts}: satır hepsinin borcu değil. Ödemediği çekimleri çıkarın.`,
  },
}
