import type { PLAN_PAYOUTS } from '../../kernel/refusals/plans.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

export const lineOptions = (lines: readonly string[]) => lines.map((id) => `--line ${id}`).join(' ')

export const PLAN_PAYOUTS_SENTENCES: Sentences<typeof PLAN_PAYOUTS> = {
  payout_not_ended: {
    en: ({ withdrawal, state }) => `Payout ${withdrawal} is ${state}. Two people say first what became of it.`,
    tr: ({ withdrawal, state }) =>
      `${withdrawal} numaralı çekim ${durum(state)}. Önce iki kişi çekimin sonucunu bildirmeli.`,
    cli: ({ withdrawal }) => `vezne withdrawal resolve ${withdrawal}`,
  },
  payout_never_left: {
    en: ({ withdrawal, state, isRefund }) =>
      `Payout ${withdrawal} was not sent (${state === 'rejected' ? 'rejected' : 'never paid'}). ` +
      (isRefund
        ? 'Its money is in suspense again. If its debit came all the same, that and the credit are a storno (correction by the bank).'
        : "Its merchant has the money back. If its debit came all the same, two people book that as owed by the bank, and then take it from the merchant's balance."),
    tr: ({ withdrawal, state, isRefund }) =>
      `${withdrawal} numaralı çekim gönderilmedi (${state === 'rejected' ? 'reddedildi' : 'hiç ödenmedi'}). ` +
      (isRefund
        ? 'Parası yeniden askıda. Borç satırı yine de geldiyse alacak satırıyla birlikte bir banka düzeltmesidir.'
        : 'Para satıcıya geri verildi. Borç satırı yine de geldiyse iki kişi onu bankadan alacak olarak kaydeder, sonra satıcının bakiyesinden düşer.'),
    cli: ({ withdrawal, isRefund, line }) =>
      isRefund
        ? `vezne journal propose storno --line CREDIT --line ${line ?? 'DEBIT'}`
        : `vezne journal propose receivable --line ${line ?? 'LINE'}\nvezne journal propose receivable --settles ENTRY --withdrawal ${withdrawal}`,
  },
  payout_not_handed_over: {
    en: ({ withdrawal }) =>
      `Payout ${withdrawal} was not handed to the bank yet: these are not its debits. If they are, two people say first what became of it.`,
    tr: ({ withdrawal }) =>
      `${withdrawal} numaralı çekim bankaya henüz verilmedi: bunlar onun borç satırı olamaz. Yine de öyleyse önce iki kişi çekimin sonucunu bildirmeli.`,
    cli: ({ withdrawal }) => `vezne withdrawal resolve ${withdrawal}`,
  },
  payout_has_debit: {
    en: ({ withdrawal, debit, line }) =>
      `Payout ${withdrawal} has its debit already, line ${debit}.${line === null ? '' : ` Propose all of line ${line} as owed by the bank.`}`,
    tr: ({ withdrawal, debit, line }) =>
      `${withdrawal} numaralı çekimin borç satırı zaten var: ${debit}.${line === null ? '' : ` ${line} numaralı satırın tamamını bankadan alacak olarak önerin.`}`,
    cli: ({ debit, line }) =>
      line === null ? `vezne line show ${debit}` : `vezne journal propose receivable --line ${line}`,
  },
  payout_differs: {
    en: ({ withdrawal }) =>
      `The payout of withdrawal ${withdrawal} differs from it. Tell the person who runs the machines.`,
    tr: ({ withdrawal }) =>
      `${withdrawal} numaralı çekim ile ödeme emri birbirini tutmuyor. Sistem yöneticisine bildirin.`,
    cli: 'vezne doctor',
  },
  payout_of_no_merchant: {
    en: ({ withdrawal }) =>
      `Payout ${withdrawal} was a refund of unexplained money, so no merchant has it. Its debit and the credit that it paid back are a storno (correction by the bank).`,
    tr: ({ withdrawal }) =>
      `${withdrawal} numaralı çekim, açıklanamayan bir paranın iadesiydi; para hiçbir satıcıda değil. Borç satırı ile iade edilen alacak satırı bir banka düzeltmesidir.`,
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
        ? `Debit ${line} is on another account than payout ${withdrawal}, and does not name it.`
        : `Debit ${line} does not name withdrawal ${withdrawal}, and the payout has its own debit: it may be another's.`,
    tr: ({ line, withdrawal, because }) =>
      because === 'account'
        ? `${line} numaralı borç satırı ${withdrawal} numaralı çekimin çıktığı hesapta değil, çekimin numarası da yazılı değil.`
        : `${line} numaralı borç satırında ${withdrawal} numaralı çekim yazılı değil ve çekimin kendi borç satırı var: satır başka bir çekimin olabilir.`,
  },
  debit_parts_missing: {
    en: ({ total, ordered, missing }) =>
      `The lines have ${total} of the ${ordered} of the payout: ${missing} is missing. It may come in a later line; until then these stay in review. ` +
      'If the bank says that no more comes, two people say that the payout was not sent; then propose each part as owed by the bank.',
    tr: ({ total, ordered, missing }) =>
      `Satırların toplamı ${total}, çekim ${ordered}: ${missing} eksik. Eksik tutar sonraki bir satırda gelebilir; o zamana kadar bu satırlar incelemede kalır. ` +
      'Banka başka gelmeyeceğini söylerse iki kişi çekimin gönderilmediğini bildirir; sonra her parçayı bankadan alacak olarak önerin.',
    cli: 'vezne line list --state needs_review',
  },
  debit_parts_exceed: {
    en: ({ total, ordered, excess }) =>
      `The lines have ${total}, the payout has ${ordered}: ${excess} too much. Once the payout has ended, propose them with it: what is more is owed by the bank, or a bank charge.`,
    tr: ({ total, ordered, excess }) =>
      `Satırların toplamı ${total}, çekim ${ordered}: ${excess} fazla. Çekim sonuçlanınca satırları çekimle birlikte önerin; fazlası bankadan alacak veya banka masrafıdır.`,
    cli: ({ withdrawal, lines }) =>
      ['receivable', 'bank_charge']
        .map((kind) => `vezne journal propose ${kind} ${lineOptions(lines)} --withdrawal ${withdrawal}`)
        .join('\n'),
  },
  debit_in_one_line: {
    en: ({ line, isOpen }) =>
      `Line ${line} alone has all of the payout. ${isOpen ? 'Two people first say that the payout was found; then record the line as its debit.' : 'Record it as the debit of the payout.'}`,
    tr: ({ line, isOpen }) =>
      `${line} numaralı satır tek başına çekimin tamamı. ${isOpen ? 'Önce iki kişi çekimi “bulundu” olarak bildirsin; sonra satırı borç satırı olarak kaydedin.' : 'Çekimin borç satırı olarak kaydedin.'}`,
    cli: ({ line, withdrawal, isOpen }) =>
      `${isOpen ? `vezne withdrawal resolve ${withdrawal} --found REFERENCE\n` : ''}vezne line sent ${line} --withdrawal ${withdrawal}`,
  },
  debit_above_payouts: {
    en: ({ line, has, payouts }) =>
      `Line ${line} has ${has}, the payouts have ${payouts} together. Name the other payouts that it pays, or, if the bank says that it charged the difference besides, give that as its charge.`,
    tr: ({ line, has, payouts }) =>
      `${line} numaralı satır ${has}, çekimlerin toplamı ${payouts}. Satırın ödediği diğer çekimleri de yazın; banka farkı masraf olarak aldığını söylerse farkı banka masrafı olarak yazın.`,
    cli: ({ more }) => `--withdrawal TRANSACTION\n--charge ${more}`,
  },
  debit_below_payouts: {
    en: ({ line, has, payouts }) =>
      `Line ${line} has ${has}, the payouts have ${payouts} together: it is not the debit of all of them. Leave out those that it does not pay.`,
    tr: ({ line, has, payouts }) =>
      `${line} numaralı satır ${has}, çekimlerin toplamı ${payouts}: satır hepsinin borcu değil. Ödemediği çekimleri çıkarın.`,
  },
}
