import type { PLAN_LINES } from '../../kernel/refusals/plans.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

type LineAsItIs = { line: string; direction: string; state: string; reason: string | null }

/** Line X is a credit, suspense (no_reference). */
const asItIs = ({ line, direction, state, reason }: LineAsItIs) =>
  `Line ${line} is a ${direction}, ${state}${reason === null ? '' : ` (${reason})`}`

export const PLAN_LINES_SENTENCES: Sentences<typeof PLAN_LINES> = {
  line_awaits_matcher: {
    en: ({ line }) => `The matcher has not looked at line ${line} yet. Try again in a second.`,
    tr: ({ line }) => `Eşleştirici ${line} numaralı satıra henüz bakmadı. Bir saniye sonra yeniden deneyin.`,
  },
  line_like_debit_of_payout: {
    en: ({ line, withdrawal, like, isOpen, has }) =>
      `Line ${line} ${like === 'amount' ? 'has account and amount' : 'went to the recipient'} of payout ${withdrawal}, which ${isOpen ? 'has not ended' : 'lacks its debit'}. ` +
      `If it is the debit of that payout, ${isOpen && has !== 'part' ? 'two people first say that the payout was found; then ' : ''}${RECORD_EN[has]}. ` +
      `If the bank confirms that it is not, name ${withdrawal} as a withdrawal whose debit it is not.`,
    tr: ({ line, withdrawal, like, isOpen, has }) =>
      (like === 'amount'
        ? `${line} numaralı satırın hesabı ve tutarı ${withdrawal} numaralı çekiminkiyle aynı`
        : `${line} numaralı satır ${withdrawal} numaralı çekimin alıcısına gitmiş`) +
      `; bu çekim ${isOpen ? 'henüz sonuçlanmadı' : 'borç satırını bekliyor'}. ` +
      `Satır o çekimin borcuysa ${isOpen && has !== 'part' ? 'önce iki kişi çekimi “bulundu” olarak bildirsin, sonra satırı ' : ''}${RECORD_TR[has]}. ` +
      `Banka onun borcu olmadığını doğrularsa ${withdrawal} numarasını, satırın borcu olmadığı çekim olarak yazın.`,
    cli: ({ line, withdrawal, isOpen, has }) =>
      [
        ...(isOpen && has !== 'part' ? [`vezne withdrawal resolve ${withdrawal} --found REFERENCE`] : []),
        {
          part: `vezne journal propose payout_debit --line ${line} --line REST --withdrawal ${withdrawal}`,
          all: `vezne line sent ${line} --withdrawal ${withdrawal}`,
          more: `vezne journal propose bank_charge --line ${line} --withdrawal ${withdrawal}`,
        }[has],
        `--not-payout ${withdrawal}`,
      ].join('\n'),
  },
  line_names_payout_elsewhere: {
    en: ({ line, withdrawal }) =>
      `Line ${line} also names payout ${withdrawal}, which left from another account by our books. It cannot be booked as the debit of that one, even if the bank took the money from here: ` +
      `name ${withdrawal} as a withdrawal whose debit it is not. If no debit of ${withdrawal} comes, two people say what became of it.`,
    tr: ({ line, withdrawal }) =>
      `${line} numaralı satırda ${withdrawal} numaralı çekim de yazılı; o çekim defterimize göre başka bir hesaptan çıktı. Banka parayı buradan almış olsa da satır onun borcu olarak kaydedilemez: ` +
      `${withdrawal} numarasını, satırın borcu olmadığı çekim olarak yazın. O çekimin borç satırı gelmezse iki kişi sonucunu bildirir.`,
    cli: ({ withdrawal }) => `--not-payout ${withdrawal}\nvezne withdrawal show ${withdrawal}`,
  },
  line_names_waiting_payouts: {
    en: ({ line, withdrawals, other }) =>
      `Line ${line} names several payouts that lack their debit: ${withdrawals.join(', ')}. If it is the debit of all of them, propose it as that. ` +
      `If the bank confirms that it is not that of payout ${other}, name ${other} as a withdrawal whose debit it is not.`,
    tr: ({ line, withdrawals, other }) =>
      `${line} numaralı satırda, borç satırını bekleyen birkaç çekim yazılı: ${withdrawals.join(', ')}. Satır hepsinin borcuysa “birden çok çekim tek satırda” olarak önerin. ` +
      `Banka ${other} numaralı çekimin borcu olmadığını doğrularsa bu numarayı, satırın borcu olmadığı çekim olarak yazın.`,
    cli: ({ line, withdrawals, other }) =>
      `vezne journal propose payout_debit --line ${line} ${withdrawals.map((id) => `--withdrawal ${id}`).join(' ')}\n--not-payout ${other}`,
  },
  payout_like_no_line: {
    en: ({ withdrawal, state }) =>
      `No line here may be the debit of payout ${withdrawal}, which is ${state}. Do not name it as a withdrawal whose debit it is not.`,
    tr: ({ withdrawal, state }) =>
      `Buradaki hiçbir satır ${withdrawal} numaralı çekimin (${durum(state)}) borcu olamaz. Numarasını, satırın borcu olmadığı çekim olarak yazmayın.`,
  },
  line_not_open: {
    en: ({ wanted, ...line }) =>
      `${asItIs(line)}, not ${wanted === 'debit' ? 'a debit in needs_review' : 'a credit in suspense'}.`,
    tr: ({ line, direction, state, wanted }) =>
      `${line} numaralı satır (${durum(direction)}, ${durum(state)}) uygun değil: bu kayıt için ${wanted === 'debit' ? 'incelenecek bir borç satırı' : 'askıdaki bir alacak satırı'} gerekir.`,
  },
  line_not_of: {
    en: ({ of, ids, ...line }) =>
      `${asItIs(line)}, not ${of === 'deposit' ? 'money of deposit' : 'the debit of payout'} ${ids.join(', ')}.`,
    tr: ({ line, direction, state, of, ids }) =>
      `${line} numaralı satır (${durum(direction)}, ${durum(state)}) ${ids.join(', ')} numaralı ${of === 'deposit' ? 'yatırımın parası' : 'çekimin borcu'} değil.`,
  },
  line_held_for_deposit: {
    en: ({ line, deposit }) => `Line ${line} is held for deposit ${deposit}. Put it into suspense first.`,
    tr: ({ line, deposit }) =>
      `${line} numaralı satır ${deposit} numaralı yatırım için bekletiliyor. Önce satırı askıya alın.`,
    cli: ({ line }) => `vezne line suspend ${line}`,
  },
  line_suspected_repeat: {
    en: ({ line, first }) => `Line ${line} may repeat line ${first}. Say first what it is.`,
    tr: ({ line, first }) =>
      `${line} numaralı satır ${first} numaralı satırın tekrarı olabilir. Önce ne olduğunu belirtin.`,
    cli: ({ line }) => `vezne line correction ${line}`,
  },
  line_may_be_corrected: {
    en: ({ line, correction }) =>
      `Line ${correction} may correct line ${line}, and waits for a person. Say first what it is.`,
    tr: ({ line, correction }) =>
      `${correction} numaralı satır ${line} numaralı satırı düzeltiyor olabilir ve karar bekliyor. Önce onun ne olduğunu belirtin.`,
    cli: ({ correction }) => `vezne line correction ${correction}`,
  },
  line_split: {
    en: ({ line, entry }) =>
      `Line ${line} was split over several deposits. Take the split, entry ${entry}, back first.`,
    tr: ({ line, entry }) =>
      `${line} numaralı satır birkaç yatırıma bölünmüş. Önce ${entry} numaralı bölme kaydını geri alın.`,
    cli: ({ entry }) => `vezne journal reverse ${entry}`,
  },
  line_explained: {
    en: ({ line, kind, entry }) =>
      `Line ${line} is explained${kind === null ? '' : ` as ${kind}`}. Take entry ${entry} back first.`,
    tr: ({ line, entry }) => `${line} numaralı satır açıklanmış. Önce ${entry} numaralı kaydı geri alın.`,
    cli: ({ entry }) => `vezne journal reverse ${entry}`,
  },
  line_names_other_withdrawal: {
    en: ({ line, withdrawal }) => `Line ${line} names another withdrawal than the proposal: ${withdrawal}.`,
    tr: ({ line, withdrawal }) => `${line} numaralı satırda önerilenden başka bir çekim yazılı: ${withdrawal}.`,
  },
  line_not_on_payouts_account: {
    en: ({ line, withdrawal, isOwed }) =>
      `Line ${line} is on another account than the one that payout ${withdrawal} left from.${isOwed ? ' Propose all of the debit as owed by the bank.' : ''}`,
    tr: ({ line, withdrawal, isOwed }) =>
      `${line} numaralı satır, ${withdrawal} numaralı çekimin çıktığı hesapta değil.${isOwed ? ' Satırın tamamını bankadan alacak olarak önerin.' : ''}`,
    cli: ({ line, isOwed }) => (isOwed ? `vezne journal propose receivable --line ${line}` : ''),
  },
  line_not_needed: {
    en: ({ line, total, ordered }) =>
      `The lines have ${total}, the payout has ${ordered}: line ${line} is not needed. Leave it out; it is explained on its own.`,
    tr: ({ line, total, ordered }) =>
      `Satırların toplamı ${total}, çekim ${ordered}: ${line} numaralı satır gerekmiyor. Çıkarın; o ayrıca açıklanır.`,
  },
  currencies_differ: {
    en: ({ line, currency, other, otherCurrency }) =>
      `Line ${line} is in ${currency}, the ${other === 'line' ? 'other line' : other} in ${otherCurrency}.`,
    tr: ({ line, currency, other, otherCurrency }) =>
      `${line} numaralı satırın para birimi ${currency}, ${{ line: 'öbür satırınki', deposit: 'yatırımınki', payout: 'çekiminki' }[other]} ${otherCurrency}.`,
  },
  lines_on_one_account: {
    en: 'Both lines are on one account. If the bank took the credit back, it is a storno (correction by the bank).',
    tr: 'İki satır da aynı hesapta. Banka gelen parayı geri aldıysa bu bir banka düzeltmesidir; öyle önerin.',
    cli: ({ debit, credit }) => `vezne journal propose storno --line ${credit} --line ${debit}`,
  },
  storno_differs: {
    en: ({ debit, credit }) =>
      `Debit ${debit} has another amount or account than credit ${credit}: it is no storno (correction by the bank) of it.`,
    tr: ({ debit, credit }) =>
      `${debit} numaralı borç satırının tutarı veya hesabı ${credit} numaralı alacak satırınınkinden farklı: onun banka düzeltmesi olamaz.`,
  },
}

const RECORD_EN = {
  part: 'propose it with the other parts as the debit',
  all: 'record it as the debit',
  more: 'propose it as a bank charge together with the payout',
}

const RECORD_TR = {
  part: 'diğer parçalarıyla birlikte çekimin borcu olarak önerin',
  all: 'borç satırı olarak kaydedin',
  more: 'çekimle birlikte banka masrafı olarak önerin',
}
