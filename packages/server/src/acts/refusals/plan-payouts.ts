import type { PLAN_PAYOUTS } from '../../kernel/refusals/plans.ts'
import type { Sentences } from './sentence.ts'

export const lineOptions = (lines: readonly string[]) => lines.map((id) => `--line ${id}`).join(' ')

export const PLAN_PAYOUTS_SENTENCES: Sentences<typeof PLAN_PAYOUTS> = {
  payout_never_left: {
    en: ({ withdrawal, state, isRefund }) =>
      `Payout ${withdrawal} was not sent (${state === 'failed' ? 'rejected' : 'never paid'}). ` +
      (isRefund
        ? 'Its money is in suspense again. If its debit came all the same, propose that debit and the credit as a correction by the bank.'
        : "Its merchant has the money back. If its debit came all the same, propose the debit as owed by the bank, then take it from the merchant's balance."),
    tr: ({ withdrawal, state, isRefund }) =>
      `${withdrawal} çekimi gönderilmedi (${state === 'failed' ? 'reddedildi' : 'hiç ödenmedi'}). ` +
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
    en: ({ total, ordered, lines }) =>
      `The debit has ${total}, and ${ordered} was ordered: nothing is left over.${lines.length > 1 ? ' Propose the lines as the debit of the payout.' : ''}`,
    tr: ({ total, ordered, lines }) =>
      `Borç ${total}, çekim ${ordered}: artan bir tutar yok.${lines.length > 1 ? ' Satırları çekimin borcu olarak önerin.' : ''}`,
    cli: ({ withdrawals: [withdrawal], lines }) =>
      lines.length > 1 ? `vezne journal propose payout_debit ${lineOptions(lines)} --withdrawal ${withdrawal}` : '',
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
  debit_in_one_line: {
    en: ({ line, isOpen }) =>
      `Line ${line} alone has the whole payout. ${isOpen ? 'Two people first report the payout as found; then record the line as its debit.' : 'Record it as the debit of the payout.'}`,
    tr: ({ line, isOpen }) =>
      `${line} satırı tek başına çekimin tamamı. ${isOpen ? 'Önce iki kişi çekim için “Bulundu” bildirir; sonra satırı borç satırı olarak kaydedin.' : 'Çekimin borç satırı olarak kaydedin.'}`,
    cli: ({ line, withdrawal, isOpen }) =>
      `${isOpen ? `vezne withdrawal resolve ${withdrawal} --found REFERENCE\n` : ''}vezne line sent ${line} --withdrawal ${withdrawal}`,
  },
  debit_above_payouts: {
    en: ({ total, ordered, more, withdrawals }) =>
      `The debit has ${total}, ${withdrawals.length > 1 ? 'the payouts have' : 'the payout has'} ${ordered}: ${more} too much. ` +
      (withdrawals.length > 1
        ? 'Name the other payouts that the line pays. If the bank says that it charged the difference, enter that as the bank charge.'
        : 'Propose the debit together with the payout, as owed by the bank or as a bank charge: only the excess is booked so.'),
    tr: ({ total, ordered, more, withdrawals }) =>
      `Borç ${total}, ${withdrawals.length > 1 ? 'çekimlerin toplamı' : 'çekim'} ${ordered}: ${more} fazla. ` +
      (withdrawals.length > 1
        ? 'Satırın ödediği diğer çekimleri de yazın; banka farkı masraf olarak aldığını söylerse farkı banka masrafı olarak yazın.'
        : 'Borcu çekimle birlikte bankadan alacak veya banka masrafı olarak önerin; fazlası böyle kaydedilir.'),
    cli: ({ withdrawals, lines }) =>
      withdrawals.length > 1
        ? '--withdrawal TRANSACTION\n--charge KURUS'
        : ['receivable', 'bank_charge']
            .map((kind) => `vezne journal propose ${kind} ${lineOptions(lines)} --withdrawal ${withdrawals[0]}`)
            .join('\n'),
  },
  debit_below_payouts: {
    en: ({ total, ordered, missing, withdrawals }) =>
      withdrawals.length > 1
        ? `The debit has ${total}, the payouts have ${ordered} together: it is not the debit of all of them. Leave out those that it does not pay.`
        : `The lines have ${total} of the payout of ${ordered}: ${missing} is missing. It may come in a later line; until then these lines stay in review. ` +
          'If the bank says that no more will come, two people report the payout as not sent; then propose each part as owed by the bank.',
    tr: ({ total, ordered, missing, withdrawals }) =>
      withdrawals.length > 1
        ? `Borç ${total}, çekimlerin toplamı ${ordered}: satır hepsinin borcu değil. Ödemediği çekimleri çıkarın.`
        : `Satırların toplamı ${total}, çekim ${ordered}: ${missing} eksik. Eksik tutar sonraki bir satırda gelebilir; o zamana kadar bu satırlar incelemede kalır. ` +
          'Banka başka gelmeyeceğini söylerse iki kişi çekimin gönderilmediğini bildirir; sonra her parçayı bankadan alacak olarak önerin.',
    cli: ({ withdrawals }) => (withdrawals.length > 1 ? '' : 'vezne line list --state needs_review'),
  },
}
