import type { OrderFacts, OrderProblems } from '@vezne/bank-formats'
import type { FileNotices } from '../../kernel/refusals/files.ts'
import type { ORDERS } from '../../kernel/refusals/orders.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

const FIND_OUT = {
  en: 'Find out why your program left it there or put it back.',
  tr: 'Bankaya ileten programın onu neden orada bıraktığı ya da geri koyduğu bulunmalı.',
}

export const ORDERS_SENTENCES: Sentences<typeof ORDERS> = {
  order_payout_in_doubt: {
    en: ({ withdrawal }) => `Payout ${withdrawal} in it is in doubt and must not be sent`,
    tr: ({ withdrawal }) => `${withdrawal} no’lu çekimin sonucu belirsiz ve gönderilmemeli`,
  },
  order_payout_ended: {
    en: ({ withdrawal, state }) => `Payout ${withdrawal} in it is ${state} and must not be sent`,
    tr: ({ withdrawal, state }) => `${withdrawal} no’lu çekim artık beklemiyor (${durum(state)}) ve gönderilmemeli`,
  },
  order_batch_forged: {
    en: 'Vezne has not written this file as it is: someone else has written or changed its row. Tell the person who runs the machines at once.',
    tr: 'Bu dosyayı Vezne bu haliyle yazmadı: satırını başkası yazmış veya değiştirmiş. Hemen sunucuyu yöneten kişiye haber verin.',
  },
  order_account_unknown: {
    en: 'Its account is not known here',
    tr: 'Dosyanın çıkacağı hesap burada tanımlı değil',
  },
  order_layout_wrong: {
    en: ({ problems }) => `The layout of order files cannot be used: ${problems.join('; ')}`,
    tr: ({ problems }) => `Talimat dosyasının düzeni kullanılamıyor (${problems.join('; ')})`,
  },
  order_file_differs: {
    en: ({ difference }) =>
      `Read back, it does not say what its payouts say, and was not given to the bank: ${difference}. Someone may have changed it`,
    tr: ({ difference }) =>
      `Geri okunan dosya çekimleriyle aynı değil (${difference}) ve bankaya verilmedi; biri değiştirmiş olabilir`,
  },
  order_failed: { en: ({ error }) => error, tr: ({ error }) => `hata: ${error}` },
  order_file_was_cancelled: {
    en: 'it was cancelled, and its payouts leave in another',
    tr: 'iptal edilmişti ve çekimleri başka bir dosyayla gönderiliyor',
  },
  order_file_was_reported: {
    en: 'the bank has reported about it, so it has the file',
    tr: 'banka onun için rapor vermişti, yani dosya bankada',
  },
  order_file_was_stopped: {
    en: 'it was taken out of the folder before, and no one has looked at it yet',
    tr: 'daha önce klasörden alınmıştı ve henüz kimse bakmadı',
  },
  order_file_taken_out: {
    en: ({ problem, staged }) =>
      `Its file was in outbox/: ${problem}. The service moved it to staging/${staged}, so that it is not sent. ${FIND_OUT.en}`,
    tr: ({ problem }) =>
      `Dosya gönderim klasöründeydi: ${problem}. Gönderilmesin diye klasörden alındı. ${FIND_OUT.tr}`,
  },
  order_file_gone_again: {
    en: ({ problem }) =>
      `Its file was in outbox/: ${problem}. A program took it again before the service could stop it: ask the bank at once not to execute it. ${FIND_OUT.en}`,
    tr: ({ problem }) =>
      `Dosya gönderim klasöründeydi: ${problem}. Durdurulamadan yeniden alındı: hemen bankayı arayın, dosya işlenmesin. ${FIND_OUT.tr}`,
  },

  report_of_no_file: {
    en: 'the report names no order file of this connection',
    tr: 'rapor bu bağlantının bir dosyasını anmıyor',
  },
  report_order_unknown: { en: 'the file has no such order', tr: 'dosyada böyle bir çekim yok' },
  report_file_cancelled: { en: 'the file was cancelled', tr: 'dosya iptal edilmişti' },
  report_file_unreleased: { en: 'the file was not released', tr: 'dosya henüz verilmemişti' },
  report_count_differs: {
    en: ({ said, orders }) => `it says ${said} orders, the file has ${orders}`,
    tr: ({ said, orders }) => `raporda ${said} çekim yazıyor, dosyada ${orders} var`,
  },
  report_sum_differs: {
    en: ({ said, sum }) => `it says a sum of ${said}, the file has ${sum}`,
    tr: ({ said, sum }) => `raporda toplam ${said}, dosyada ${sum}`,
  },
  report_payment_differs: {
    en: ({ payment }) => `it names the payment information ${payment}`,
    tr: ({ payment }) => `rapor başka bir ödeme grubunu anıyor (${payment})`,
  },
  report_two_statuses: {
    en: 'it says two things about the order',
    tr: 'rapor aynı çekim için iki ayrı sonuç bildiriyor',
  },
  report_amount_differs: {
    en: ({ said, amount }) => `it says ${said}, the order has ${amount}`,
    tr: ({ said, amount }) => `raporda ${said}, çekimde ${amount}`,
  },
  report_recipient_differs: { en: 'it names another recipient', tr: 'rapordaki alıcı başka' },
  report_levels_disagree: { en: 'its levels disagree', tr: 'raporun bölümleri birbiriyle çelişiyor' },
  report_refused_but_left: {
    en: ({ withdrawal }) => `the file was refused, but payout ${withdrawal} of it left`,
    tr: ({ withdrawal }) => `dosya reddedildi deniyor, ama içindeki ${withdrawal} çekimi çıktı`,
  },
  report_in_another_file: {
    en: ({ problem, batch }) => `${problem}; the payout is also in order file ${batch}, which must be cancelled`,
    tr: ({ problem, batch }) => `${problem}; çekim ${batch} numaralı talimat dosyasında da var, o dosya iptal edilmeli`,
    cli: ({ batch }) => `vezne batch cancel ${batch}`,
  },
  report_refused_in_doubt: {
    en: 'refused, but it is in doubt already: two people decide',
    tr: 'reddedildi, ama sonucu zaten belirsizdi: iki kişi karar verir',
  },
  report_refused_but_paid: {
    en: 'refused, but another report says that it was executed',
    tr: 'reddedildi, ama başka bir rapor ödendiğini bildiriyor',
  },
  report_refused_as_duplicate: {
    en: 'refused as a duplicate: an earlier one may have paid',
    tr: 'mükerrer diye reddedildi: önceki ödemiş olabilir',
  },
  report_sent_before: {
    en: 'it may have been sent another time',
    tr: 'başka bir kez gönderilmiş olabilir',
  },
}

const VALUES: Partial<Record<OrderProblems['order_value_long']['value'], readonly [en: string, tr: string]>> = {
  text: ['the text', 'açıklama'],
  name: ['the name', 'ad'],
  endToEndId: ['the reference', 'referans'],
  iban: ['the IBAN', 'IBAN'],
  amount: ['the amount', 'tutar'],
}

/** Why an order cannot be written as the bank wants it, and what a file that was read back says instead of its orders. */
export const ORDER_PROBLEM_SENTENCES: Sentences<Pick<FileNotices, keyof OrderProblems | keyof OrderFacts>> = {
  order_unreadable: {
    en: ({ problem }) => `it cannot be read back: ${problem}`,
    tr: ({ problem }) => `geri okunamıyor: ${problem}`,
  },
  order_count_differs: {
    en: ({ found, orders }) => `it has ${found} orders instead of ${orders}`,
    tr: ({ found, orders }) => `${orders} yerine ${found} emir var`,
  },
  order_count_wrong: { en: 'its number of orders is wrong', tr: 'içinde yazan emir sayısı yanlış' },
  order_total_differs: { en: 'its sum is wrong', tr: 'içinde yazan toplam yanlış' },
  order_iban_differs: {
    en: ({ order }) => `the IBAN of ${order} differs`,
    tr: ({ order }) => `${order} emrinin IBAN’ı farklı`,
  },
  order_amount_differs: {
    en: ({ order }) => `the amount of ${order} differs`,
    tr: ({ order }) => `${order} emrinin tutarı farklı`,
  },
  order_reference_differs: {
    en: ({ order }) => `the reference of ${order} differs`,
    tr: ({ order }) => `${order} emrinin referansı farklı`,
  },
  order_text_differs: {
    en: ({ order }) => `the text of ${order} differs`,
    tr: ({ order }) => `${order} emrinin açıklaması farklı`,
  },
  order_name_differs: {
    en: ({ order }) => `the name of ${order} differs`,
    tr: ({ order }) => `${order} emrinin alıcı adı farklı`,
  },
  order_debtor_differs: { en: 'the account to debit differs', tr: 'borçlandırılacak hesap farklı' },
  order_iban_foreign: {
    en: ({ iban }) => `it has an IBAN that is not of its orders: ${iban}`,
    tr: ({ iban }) => `emirlerinde olmayan bir IBAN var: ${iban}`,
  },
  order_value_long: {
    en: ({ value, most }) => `${VALUES[value]?.[0] ?? value} is longer than ${most} characters`,
    tr: ({ value, most }) => `${VALUES[value]?.[1] ?? value} ${most} karakterden uzun`,
  },
  order_name_unwritable: {
    en: 'the name has no character that the bank accepts',
    tr: 'adda bankanın kabul ettiği bir karakter yok',
  },
  order_text_missing: { en: 'the text is empty', tr: 'açıklama boş' },
  order_amount_missing: { en: 'the amount is not above zero', tr: 'tutar sıfırdan büyük değil' },
  order_id_unwritable: {
    en: ({ most }) => `the reference must be 1 to ${most} letters, digits, points, + or -`,
    tr: ({ most }) => `referans 1–${most} harf, rakam, nokta, + veya - olmalı`,
  },
  order_currency_mixed: {
    en: ({ currency, others }) => `it is in ${currency}; the other orders of the file are in ${others}`,
    tr: ({ currency, others }) => `para birimi ${currency}; dosyadaki diğer emirler ${others}`,
  },
  order_twice: { en: 'it is in the file twice', tr: 'dosyada iki kez var' },
  order_count_unfit: {
    en: ({ orders, most }) => `it has ${orders} orders; a file of this bank has 1 to ${most}`,
    tr: ({ orders, most }) => `${orders} emir var; bu bankanın dosyasında 1–${most} olabilir`,
  },
}
