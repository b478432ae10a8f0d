import type { LineFault, WITHDRAWALS } from '../../kernel/refusals/withdrawals.ts'
import type { Sentences } from './sentence.ts'
import { durum, gun } from './words.ts'

export const WITHDRAWALS_SENTENCES: Sentences<typeof WITHDRAWALS> = {
  withdrawal_above_balance: {
    en: ({ needed, available }) => `The withdrawal and its fee need ${needed}, but only ${available} is available.`,
    tr: ({ needed, available }) =>
      `Çekim için komisyonuyla birlikte ${needed} gerekir; kullanılabilir bakiye ${available}.`,
  },
  withdrawal_not_pending: {
    en: ({ status }) => `Only a pending withdrawal can be cancelled; this one is ${status}.`,
    tr: ({ status }) => `Yalnızca bekleyen çekimler iptal edilebilir; bu çekimin durumu: ${durum(status)}.`,
  },
  withdrawal_ended: {
    en: ({ status }) => `The withdrawal is ${status}: there is nothing to stop.`,
    tr: ({ status }) => `Durdurulacak bir şey yok; çekimin durumu: ${durum(status)}.`,
  },
  withdrawal_at_bank: {
    en: 'The withdrawal is processing: the bank may already have it. Check the answer of the bank. If the outcome stays in doubt, two people must report it.',
    tr: 'Çekim işleniyor: banka almış olabilir. Bankanın yanıtına bakın; sonuç belirsiz kalırsa iki kişi bildirmeli.',
    cli: ({ withdrawal }) => `vezne withdrawal show ${withdrawal}\nvezne withdrawal resolve ${withdrawal}`,
  },
  withdrawal_has_payout: {
    en: 'The withdrawal has a payout, so the bank may already have it. Tell your system administrator.',
    tr: 'Çekimin ödeme emri var; banka almış olabilir. Sistem yöneticisine bildirin.',
    cli: 'docs/operations.md, "A payout that differs"',
  },
  withdrawal_unchecked_after_restore: {
    en: 'The service was restored from a backup, and the bank may already have paid this withdrawal. Try again once the operator has checked this.',
    tr: 'Sistem yedekten geri yüklendi; banka bu çekimi ödemiş olabilir. Ödeme kuruluşu denetledikten sonra yeniden deneyin.',
  },
  withdrawal_awaits_approval: {
    en: 'The withdrawal is waiting for approval: reject it instead of stopping it.',
    tr: 'Çekim onay bekliyor: durdurmak yerine reddedin.',
    cli: ({ withdrawal }) => `vezne withdrawal reject ${withdrawal}`,
  },
  withdrawal_awaits_no_approval: {
    en: ({ state }) => `The withdrawal is not waiting for approval; it is ${state}.`,
    tr: ({ state }) => `Çekim onay beklemiyor; durumu: ${durum(state)}.`,
  },
  withdrawal_not_as_seen: {
    en: 'The withdrawal is not what you saw. Look again, then decide.',
    tr: 'Çekim gördüğünüzden farklı. Yeniden bakıp karar verin.',
    cli: ({ withdrawal }) => `vezne withdrawal show ${withdrawal}`,
  },
  withdrawal_not_recorded: {
    en: ({ withdrawal }) =>
      `Vezne has not written withdrawal ${withdrawal} as it is: someone else has written or changed its row. Reject it, and tell your system administrator.`,
    tr: ({ withdrawal }) =>
      `${withdrawal} çekimini Vezne bu haliyle yazmadı: satırını başkası yazmış veya değiştirmiş. Reddedin ve sistem yöneticinize haber verin.`,
    cli: 'vezne doctor',
  },

  iban_of_other_bank: {
    en: ({ bank, code, ibanCode }) => `is ${bank} (${code}), but the IBAN belongs to bank code ${ibanCode}`,
    tr: ({ bank, code, ibanCode }) => `${bank} (${code}) seçilmiş, ama IBAN ${ibanCode} kodlu bankaya ait`,
  },
  iban_of_collecting_account: {
    en: 'must be an account of the recipient, not a collecting account of this service',
    tr: 'alıcının hesabı olmalı; bu bir tahsilat hesabı',
  },
  currency_not_sendable: {
    en: ({ currency, bankCode }) =>
      `${currency} can only be sent within the same bank, and this service has no ${currency} account at the recipient's bank (${bankCode})`,
    tr: ({ currency, bankCode }) =>
      `${currency} yalnızca aynı banka içinde gönderilebilir; alıcının bankasında (${bankCode}) ${currency} hesabımız yok`,
  },

  refund_of_withdrawal: {
    en: ({ transaction }) => `${transaction} is a withdrawal; only a completed deposit can be refunded.`,
    tr: ({ transaction }) => `${transaction} bir çekim; yalnızca tamamlanmış yatırımlar iade edilebilir.`,
  },
  refund_of_uncompleted_deposit: {
    en: ({ status }) => `Only a completed deposit can be refunded; this one is ${status}.`,
    tr: ({ status }) => `Yalnızca tamamlanmış yatırımlar iade edilebilir; bu yatırımın durumu: ${durum(status)}.`,
  },
  refund_nothing_left: {
    en: (sums) => `${soFar.en(sums)}: nothing is left to refund.`,
    tr: (sums) => `${soFar.tr(sums)}; iade edilebilecek tutar kalmadı.`,
  },
  refund_above_rest: {
    en: ({ left, ...sums }) => `${soFar.en(sums)}; ${left} is left to refund.`,
    tr: ({ left, ...sums }) => `${soFar.tr(sums)}; en çok ${left} iade edilebilir.`,
  },
  refund_payment_not_confirmed: {
    en: 'The payment of this deposit is not on a final statement of the bank yet. Request the refund again when it is.',
    tr: 'Bu yatırımın ödemesi henüz bankanın gün sonu ekstresinde yok. Ekstre gelince iadeyi yeniden isteyin.',
  },
  refund_correction_undecided: {
    en: 'A bank line may correct or repeat the payment of this deposit, and the operator has not decided on that yet. Request the refund again once this is decided.',
    tr: 'Bir banka satırı bu yatırımın ödemesini düzeltiyor veya yineliyor olabilir; ödeme kuruluşu henüz karar vermedi. Karar verilince iadeyi yeniden isteyin.',
  },
  refund_debit_unexplained: {
    en: 'The bank has debited money with the code of this deposit, and the operator has not explained that yet: the bank may have taken the payment back. Request the refund again once this is explained.',
    tr: 'Banka bu yatırımın koduyla para çekti ve ödeme kuruluşu bunu henüz açıklamadı: ödemeyi geri almış olabilir. Açıklanınca iadeyi yeniden isteyin.',
  },
  refund_second_payment_waits: {
    en: ({ waiting }) =>
      `This deposit was paid twice. The second payment, ${waiting}, is not in your balance: the operator holds it and sends it back. This refund would send back the first payment. Confirm that you want that, or wait until the second payment is decided.`,
    tr: ({ waiting }) =>
      `Bu yatırım iki kez ödendi. İkinci ödeme (${waiting}) bakiyede değil: ödeme kuruluşunda bekliyor ve oradan iade edilir. Bu iade ilk ödemeyi geri gönderir: istediğiniz buysa kutuyu işaretleyin, değilse ikinci ödeme için karar verilmesini bekleyin.`,
    api: 'The merchant console asks for that on the page of the deposit.',
  },
  refund_recipient_not_sender: {
    en: 'is not the account that the deposit was paid from; a refund always goes there, so leave this out',
    tr: 'yatırımın ödendiği hesap değil; iade hep o hesaba gider, boş bırakın',
  },
  refund_recipient_missing: {
    en: 'must be given: the bank did not say from which account the deposit was paid, or that data has been erased',
    tr: 'gerekli: banka yatırımın hangi hesaptan ödendiğini bildirmedi veya bu bilgi silindi',
  },

  settlement_held_up: {
    en: ({ by }) =>
      by === 'merchant_frozen'
        ? 'Nothing is settled while the merchant is frozen.'
        : 'Nothing is settled while a restored database is checked.',
    tr: ({ by }) =>
      by === 'merchant_frozen'
        ? 'Satıcı dondurulmuşken hakediş gönderilmez.'
        : 'Yedekten dönülen veritabanı denetlenirken hakediş gönderilmez.',
  },
  settlement_nothing_to_send: {
    en: ({ available, unconfirmed }) =>
      unconfirmed === null
        ? `There is nothing to settle: ${available} is available.`
        : `There is nothing to settle: ${available} is available, and ${unconfirmed} of the merchant's money is not on a final statement of the bank yet.`,
    tr: ({ available, unconfirmed }) =>
      unconfirmed === null
        ? `Gönderilecek bakiye yok: kullanılabilir bakiye ${available}.`
        : `Gönderilecek bakiye yok: kullanılabilir bakiye ${available}; satıcının parasından ${unconfirmed} henüz bankanın gün sonu ekstresinde yok.`,
  },
  settlement_changed: {
    en: 'This is no longer what you saw: the balance has fallen, the account has changed or another settlement was made. Look again.',
    tr: 'Gördüğünüzden farklı: bakiye azaldı, hesap değişti veya bu arada bir hakediş gönderildi. Yeniden bakın.',
  },
  settlement_numbers_used: {
    en: ({ day, most }) =>
      `All processIds for settlements of this day are used (settlement-${day} to settlement-${day}-${most}). Try again tomorrow.`,
    tr: ({ day, most }) =>
      `${gun(day)} gününün hakedişleri için ayrılan işlem numaralarının hepsi kullanılmış (settlement-${day} – settlement-${day}-${most}). Yarın yeniden deneyin.`,
  },

  instructions_full: {
    en: ({ most }) => `${most} instructions are already waiting for approval. Approve or reject some of them first.`,
    tr: ({ most }) => `${most} talimat zaten onay bekliyor. Önce bazılarını onaylayın veya reddedin.`,
  },
  instruction_sent_before: {
    en: 'This instruction has already been sent for approval.',
    tr: 'Bu talimat zaten onaya gönderildi.',
  },
  instruction_lines_missing: {
    en: 'are missing',
    tr: 'hiç satır yok',
  },
  instruction_lines_too_many: {
    en: ({ most }) => `must be at most ${most}`,
    tr: ({ most }) => `en çok ${most} olabilir`,
  },
  instruction_line_wrong: {
    en: ({ line, field, problem, iban }) =>
      `Line ${line}: ${field === null ? 'it' : LINE_FIELDS[field].en} ${iban ?? LINE_PROBLEMS[problem].en}.`,
    tr: ({ line, field, problem, iban }) =>
      `${line}. satır: ${field === null ? '' : `${LINE_FIELDS[field].tr}: `}${iban ?? LINE_PROBLEMS[problem].tr}.`,
  },
}

type Sums = { refunded: string; received: string; takenBack: string | null }

const soFar = {
  en: ({ refunded, received, takenBack }: Sums) =>
    `${refunded} of ${received} has already been refunded${takenBack === null ? '' : `, and the bank took ${takenBack} back`}`,
  tr: ({ refunded, received, takenBack }: Sums) =>
    `Gelen ${received} tutarından ${refunded} iade edildi${takenBack === null ? '' : `, ${takenBack} tutarını banka geri aldı`}`,
}

type Words = { en: string; tr: string }

const LINE_FIELDS: Record<NonNullable<LineFault['field']>, Words> = {
  processId: { en: 'its processId', tr: 'işlem no' },
  accountName: { en: "the recipient's name", tr: 'alıcı adı' },
  iban: { en: 'the IBAN', tr: 'IBAN' },
  amount: { en: 'the amount', tr: 'tutar' },
}

const LINE_PROBLEMS: Record<LineFault['problem'], Words> = {
  columns: { en: 'does not have four columns', tr: 'dört sütun yok' },
  missing: { en: 'is missing', tr: 'boş' },
  too_long: { en: 'is too long', tr: 'çok uzun' },
  too_short: { en: 'is too short', tr: 'çok kısa' },
  twice: { en: 'is used twice', tr: 'iki kez var' },
  used: { en: 'was used before', tr: 'daha önce kullanıldı' },
  invalid: { en: 'is not valid', tr: 'geçersiz' },
  not_reachable: { en: 'cannot be paid to', tr: 'bu hesaba gönderilemez' },
}
