import type { BOOKS, ENTRIES, ENTRY_LINES, LINE_RULES, NO_REFUNDS } from '../../kernel/refusals/books.ts'
import { DAY_SENTENCES, IMPORT_SENTENCES } from './book-days.ts'
import { entryKind } from './entry-kinds.ts'
import { ENTRY_TO_PROPOSE } from './entry-steps.ts'
import type { Sentences } from './sentence.ts'
import { gun } from './words.ts'

const ENTRY_SENTENCES: Sentences<typeof ENTRIES> = {
  opening_balance_booked: {
    en: 'The account already has an opening balance. Reverse that entry first.',
    tr: 'Hesabın zaten bir açılış bakiyesi var. Önce o kaydı geri alın.',
    cli: 'vezne journal list\nvezne journal reverse ENTRY',
  },
  ledger_account_too_low: {
    en: 'A ledger account does not have that much money. Check the bookings of the proposal.',
    tr: 'Defterdeki bir hesapta bu kadar para yok. Önerinin kayıtlarına bakın.',
    cli: ({ entry }) => `vezne journal show ${entry}`,
  },
}

const RULE_SENTENCES: Sentences<typeof LINE_RULES> = {
  rule_unknown: {
    en: ({ rule }) => `There is no line rule ${rule}.`,
    tr: ({ rule }) => `${rule} numaralı bir satır kuralı yok.`,
    cli: 'vezne rule list',
  },
  rule_ended: {
    en: ({ rule }) => `Line rule ${rule} has ended. Propose a new one.`,
    tr: ({ rule }) => `${rule} satır kuralı sona erdi. Yeni bir kural önerin.`,
    cli: 'vezne rule propose KIND --words TEXT --max KURUS',
  },
  rule_undone: {
    en: ({ rule }) => `What line rule ${rule} booked is being taken back, or was.`,
    tr: ({ rule }) => `${rule} satır kuralının kayıtları geri alınıyor ya da alındı.`,
    cli: 'vezne rule list',
  },
  rule_words_wrong: {
    en: ({ least, most }) => `must have ${least} to ${most} characters, and letters`,
    tr: ({ least, most }) => `${least}–${most} karakter olmalı ve harf içermeli`,
  },
}

const LINE_SENTENCES: Sentences<typeof ENTRY_LINES> = {
  receivable_not_open: {
    en: 'must be an open receivable',
    tr: 'bankadan açık bir alacak olmalı',
    cli: 'vezne journal receivables',
  },
  receivable_in_return: {
    en: ({ line, steps }) => `Line ${line} returns this together with the payout. ${steps.join(' ')}`,
    tr: ({ line, steps }) => `${line} satırı bunu çekimle birlikte geri veriyor. ${steps.join(' ')}`,
  },
  rest_not_open: {
    en: 'must be an entry whose rest is in suspense, with no line given',
    tr: 'kalanı askıda duran bir kayıt olmalı; yanına satır yazılmaz',
    cli: 'vezne journal rests',
  },
  rest_used: {
    en: ({ kind, entry }) =>
      `The rest of the entry was used by entry ${entry} (${entryKind('en', kind)}). Reverse that entry first. A refund can be stopped until it is sent; a refund that was paid cannot be undone.`,
    tr: ({ kind, entry }) =>
      `Kaydın kalanı ${entry} kaydında kullanıldı (${entryKind('tr', kind)}). Önce o kaydı geri alın. İade gönderilmediyse durdurulabilir; ödenmiş bir iade geri alınamaz.`,
    cli: ({ entry }) => `vezne journal reverse ${entry}\nvezne withdrawal stop ID`,
  },
  charge_and_tax_missing: {
    en: 'must be a bank charge and its tax: two debits on one account, one 5 % of the other',
    tr: 'bir banka masrafı ile vergisi olmalı: aynı hesabın iki borç satırı, biri diğerinin %5’i',
  },
  line_maybe_return: {
    en: ({ line, payout }) =>
      `Line ${line} may be the return of payout ${payout}: account and amount are the same, and its sender is the recipient of the payout. If it is, record it as that return. If the bank confirms that it is not, say so in the proposal.`,
    tr: ({ line, payout }) =>
      `${line} satırı ${payout} çekiminin iadesi olabilir: hesabı ve tutarı aynı, göndereni de çekimin alıcısı. Öyleyse adaylardan iade olarak kaydedin. Banka olmadığını doğrularsa “Borcu veya iadesi olmadığı çekimin işlem no’su” alanına ${payout} yazın.`,
    cli: ({ line, payout }) => `vezne line return ${line} --withdrawal ${payout}\n--not-payout ${payout}`,
  },
  line_no_return: {
    en: ({ line, payout }) => `Line ${line} cannot be the return of payout ${payout}: leave that payout out.`,
    tr: ({ line, payout }) =>
      `${line} satırı ${payout} çekiminin iadesi olamaz: “Borcu veya iadesi olmadığı çekimin işlem no’su” alanından çıkarın.`,
  },
  line_exceeds_payout: {
    en: ({ line, payout, steps }) =>
      `Line ${line} is the debit of payout ${payout}, but its amount is higher. ${steps.join(' ')}`,
    tr: ({ line, payout, steps }) =>
      `${line} satırı ${payout} çekiminin borcu, ama tutarı çekimden fazla. ${steps.join(' ')}`,
  },
  transfer_more_arrived: {
    en: 'More money arrived than left: these are not two sides of one transfer.',
    tr: 'Gelen, gidenden fazla: bunlar bir aktarımın iki tarafı değil.',
  },
  transfer_less_arrived: {
    en: ({ missing }) =>
      `${missing} less arrived than left. No bank charges that much for a transfer (at most 5 % and 100,00 TL). ${OWED.en}, and the rest is written off as a charge.`,
    tr: ({ missing }) =>
      `Gelen, gidenden ${missing} eksik: hiçbir banka aktarım için bu kadar masraf almaz (en çok %5 ve 100,00 TL). ${OWED.tr}, kalanı banka masrafı olarak silinir.`,
    cli: ({ debit, credit }) => `${asOwed(debit, credit)}\nvezne journal propose bank_charge --settles ENTRY`,
  },
  transfer_line_names_withdrawal: {
    en: ({ line, withdrawal }) =>
      `Line ${line} refers to withdrawal ${withdrawal}, so it is not part of a transfer between our accounts. Check what else it may be.`,
    tr: ({ line, withdrawal }) =>
      `${line} satırında ${withdrawal} çekiminin no’su var: hesaplarımız arası bir aktarım değil. Ne olduğuna adaylarından bakın.`,
    cli: ({ line }) => `vezne line candidates ${line}`,
  },
  transfer_line_has_code: {
    en: ({ line, deposit }) =>
      `Line ${line} has the code of deposit ${deposit}, so it is not part of a transfer between our accounts. Check what else it may be.`,
    tr: ({ line, deposit }) =>
      `${line} satırında ${deposit} yatırımının kodu var: hesaplarımız arası bir aktarım değil. Ne olduğuna adaylarından bakın.`,
    cli: ({ line }) => `vezne line candidates ${line}`,
  },
  transfer_line_other_iban: {
    en: ({ line, other }) =>
      `The IBAN on line ${line} is not that of our account on line ${other}: these are not two sides of one transfer. Check what else it may be. ${OWED.en}.`,
    tr: ({ line, other }) =>
      `${line} satırındaki IBAN, ${other} satırındaki hesabımızın değil: bunlar bir aktarımın iki tarafı değil. Ne olduğuna adaylarından bakın. ${OWED.tr}.`,
    cli: ({ line, debit, credit }) => `vezne line candidates ${line}\n${asOwed(debit, credit)}`,
  },
}

const OWED = {
  en: 'If the bank says they are one transfer, propose the debit as owed by the bank; the credit then settles it',
  tr: 'Banka tek aktarım olduğunu söylerse borç satırını “Bankadan alacak” olarak önerin; gelen satır onu kapatır',
}

const asOwed = (debit: string, credit: string) =>
  `vezne journal propose receivable --line ${debit}\nvezne journal propose receivable --line ${credit} --settles ENTRY`

const REMEDIES = {
  en: {
    unmatch: 'Undo the return. If the bank says it is the return, propose it as a journal entry.',
    storno: 'Explain that line first. If it paid this money back, both lines are a correction by the bank.',
    receivable:
      'Explain that line first. If it paid this money back, the bank owes us that line, and the rest settles it.',
  },
  tr: {
    unmatch: 'İadeyi geri alın. Banka bunun iade olduğunu söylerse “Çekimin iadesi” kaydı önerin.',
    storno: 'Önce o satırı açıklayın. Bu parayı geri ödediyse iki satır birlikte banka düzeltmesidir.',
    receivable: 'Önce o satırı açıklayın. Bu parayı geri ödediyse bankadan alacaktır; kalan onu kapatır.',
  },
}

const REFUND_SENTENCES: Sentences<typeof NO_REFUNDS> = {
  line_returns_money: {
    en: ({ line, what, steps }) =>
      `Line ${line} returns money that was taken before, so it must not be refunded to its sender. ${what} ${steps.join(' ')}`,
    tr: ({ line, what, steps }) =>
      `${line} satırı daha önce alınan paranın geri dönüşü; gönderene iade edilmez. ${what} ${steps.join(' ')}`,
  },
  payout_debit_unexplained: {
    en: ({ payout, line }) => `It refers to payout ${payout}, whose debit (line ${line}) is not explained yet.`,
    tr: ({ payout, line }) =>
      `Satırda ${payout} çekiminin no’su var; o çekimin borcu (${line} satırı) henüz açıklanmadı.`,
  },
  payout_debited_with_more: {
    en: ({ payout }) => `It refers to payout ${payout}, for which the bank had debited this amount.`,
    tr: ({ payout }) => `Satırda ${payout} çekiminin no’su var; banka o çekim için bu tutarda borç yazmıştı.`,
  },
  payout_debit_owed: {
    en: ({ payout, amount, entry }) =>
      `It refers to payout ${payout}, and the bank owes us ${amount} for the debit of that payout (entry ${entry}).`,
    tr: ({ payout, amount, entry }) =>
      `Satırda ${payout} çekiminin no’su var; o çekimin borcu için bankadan ${amount} alacağımız var (${entry} kaydı).`,
  },
  merchant_charged_before: {
    en: ({ amount, entry }) => `The merchant was charged ${amount} for this money (entry ${entry}).`,
    tr: ({ amount, entry }) => `Bu para için satıcıdan ${amount} alınmıştı (${entry} kaydı).`,
  },
  credit_taken_back: {
    en: ({ line, isOwed }) =>
      `Line ${line} took all or part of this money back${isOwed ? '; the bank owes us that line' : ''}.`,
    tr: ({ line, isOwed }) =>
      `${line} satırı bu parayı veya bir kısmını geri aldı${isOwed ? '; satır bankadan alacak yazıldı' : ''}.`,
  },
  refund_maybe_paid: {
    en: ({ withdrawal, sign, remedy }) =>
      `The sender may already have this money from an earlier refund (withdrawal ${withdrawal}): ${sign}. ${REMEDIES.en[remedy]}`,
    tr: ({ withdrawal, sign, remedy }) =>
      `Gönderen bu parayı önceki iadeden (${withdrawal} çekimi) almış olabilir: ${sign}. ${REMEDIES.tr[remedy]}`,
    cli: ({ withdrawal, remedy, line, restOf }) =>
      ({
        unmatch: `vezne journal propose unmatch --withdrawal ${withdrawal}\nvezne journal propose payout_return --line LINE --withdrawal ${withdrawal}`,
        storno: `vezne journal propose storno --line ${line} --line DEBIT`,
        receivable: `vezne journal propose receivable --settles ENTRY --rest-of ${restOf}`,
      })[remedy],
  },
  refund_debit_explained: {
    en: ({ line, kind, entry }) =>
      `bank line ${line} refers to it, but was explained as ${entryKind('en', kind)} (entry ${entry})`,
    tr: ({ line, kind, entry }) =>
      `${line} banka satırında bu çekimin no’su var, ama satır “${entryKind('tr', kind)}” olarak açıklanmış (${entry} kaydı)`,
    cli: ({ entry }) => `vezne journal show ${entry}`,
  },
  refund_debit_without_return: {
    en: ({ line }) => `bank line ${line} is its debit, and no credit shows that it came back`,
    tr: ({ line }) => `${line} banka satırı bu çekimin borcu, döndüğünü gösteren bir alacak satırı yok`,
    cli: ({ line }) => `vezne line show ${line}`,
  },
  refund_return_not_shown: {
    en: ({ debit, line }) =>
      `bank line ${debit} is its debit, and line ${line} was booked as its return, although neither text nor sender of that line shows it`,
    tr: ({ debit, line }) =>
      `${debit} banka satırı bu çekimin borcu; iadesi yazılan ${line} satırında ise ne açıklama ne gönderen bunu gösteriyor`,
  },
  entry_to_propose: ENTRY_TO_PROPOSE,
}

export const BOOKS_SENTENCES: Sentences<typeof BOOKS> = {
  ...ENTRY_SENTENCES,
  ...RULE_SENTENCES,
  ...LINE_SENTENCES,
  ...REFUND_SENTENCES,
  ...DAY_SENTENCES,
  ...IMPORT_SENTENCES,
  erasure_too_early: {
    en: ({ until, days }) =>
      `The data must be kept until ${until}: personal data is kept for ${days} days (VEZNE_RETAIN_PERSONAL_DAYS). If the law allows erasing it earlier, say so.`,
    tr: ({ until, days }) =>
      `Veriler ${gun(until)} gününe kadar saklanmalı: kişisel veriler ${days} gün saklanır (VEZNE_RETAIN_PERSONAL_DAYS). Yasa daha erken silinmesine izin veriyorsa bunu belirtin.`,
    cli: '--despite-retention',
  },
  erasure_nothing_left: {
    en: 'Its personal data has been erased already. Reject the proposal.',
    tr: 'Kişisel verileri zaten silindi. Öneriyi reddedin.',
  },
  views_at_limit: {
    en: ({ most }) => `You can save at most ${most} views. Delete one first.`,
    tr: ({ most }) => `En çok ${most} görünüm kaydedebilirsiniz. Önce birini silin.`,
  },
}
