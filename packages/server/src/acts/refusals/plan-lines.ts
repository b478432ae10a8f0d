import type { PLAN_LINES } from '../../kernel/refusals/plans.ts'
import { entryKind } from './entry-kinds.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

type LineAsItIs = { line: string; direction: string; state: string; reason: string | null }

/** Line X (credit, suspense, no_reference). */
const asItIs = ({ line, direction, state, reason }: LineAsItIs) =>
  `Line ${line} (${direction}, ${state}${reason === null ? '' : `, ${reason}`})`

export const PLAN_LINES_SENTENCES: Sentences<typeof PLAN_LINES> = {
  line_like_debit_of_payout: {
    en: ({ line, withdrawal, like, isOpen, has }) =>
      `Line ${line} ${like === 'amount' ? 'has the account and the amount' : 'went to the recipient'} of payout ${withdrawal}, which ${isOpen ? 'is not final yet' : 'has no debit yet'}. ` +
      `If it is the debit of that payout, ${isOpen && has !== 'part' ? 'two people first report the payout as found; then ' : ''}${RECORD_EN[has]}. ` +
      `If the bank confirms that it is not, enter ${withdrawal} as a withdrawal whose debit it is not.`,
    tr: ({ line, withdrawal, like, isOpen, has }) =>
      (like === 'amount'
        ? `${line} satırının hesabı ve tutarı ${withdrawal} çekimininkiyle aynı`
        : `${line} satırı ${withdrawal} çekiminin alıcısına gitmiş`) +
      `; bu çekim ${isOpen ? 'henüz sonuçlanmadı' : 'borç satırını bekliyor'}. ` +
      `Satır o çekimin borcuysa ${isOpen && has !== 'part' ? 'önce iki kişi çekim için “Bulundu” bildirir, sonra satırı ' : ''}${RECORD_TR[has]}. ` +
      `Banka onun borcu olmadığını doğrularsa ${withdrawal} no’sunu ${NOT_PAYOUT_TR} alanına yazın.`,
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
      `Line ${line} also refers to payout ${withdrawal}, which left from another account according to our books. The line cannot be booked as the debit of that payout, even if the bank took the money from here: ` +
      `enter ${withdrawal} as a withdrawal whose debit it is not. If no debit of ${withdrawal} comes, two people report its outcome.`,
    tr: ({ line, withdrawal }) =>
      `${line} satırında ${withdrawal} çekiminin no’su da var; o çekim defterimize göre başka bir hesaptan çıktı. Banka parayı buradan almış olsa da satır onun borcu olarak kaydedilemez: ` +
      `${withdrawal} no’sunu ${NOT_PAYOUT_TR} alanına yazın. O çekimin borç satırı gelmezse iki kişi sonucunu bildirir.`,
    cli: ({ withdrawal }) => `--not-payout ${withdrawal}\nvezne withdrawal show ${withdrawal}`,
  },
  line_names_waiting_payouts: {
    en: ({ line, withdrawals, other }) =>
      `Line ${line} refers to several payouts without a debit: ${withdrawals.join(', ')}. If the line is the debit of all of them, propose it as that. ` +
      `If the bank confirms that it is not the debit of payout ${other}, enter ${other} as a withdrawal whose debit it is not.`,
    tr: ({ line, withdrawals, other }) =>
      `${line} satırında, borç satırı olmayan birkaç çekimin no’su var: ${withdrawals.join(', ')}. Satır hepsinin borcuysa “birden çok çekim tek satırda” olarak önerin. ` +
      `Banka ${other} çekiminin borcu olmadığını doğrularsa bu no’yu ${NOT_PAYOUT_TR} alanına yazın.`,
    cli: ({ line, withdrawals, other }) =>
      `vezne journal propose payout_debit --line ${line} ${withdrawals.map((id) => `--withdrawal ${id}`).join(' ')}\n--not-payout ${other}`,
  },
  payout_like_no_line: {
    en: ({ withdrawal, state }) =>
      `None of these lines can be the debit of payout ${withdrawal}, which is ${state}. Do not enter it as a withdrawal whose debit they are not.`,
    tr: ({ withdrawal, state }) =>
      `Buradaki hiçbir satır ${withdrawal} çekiminin (${durum(state)}) borcu olamaz. No’sunu ${NOT_PAYOUT_TR} alanından çıkarın.`,
  },
  line_not_open: {
    en: ({ wanted, ...line }) =>
      `${asItIs(line)} does not fit: this entry needs ${wanted === 'debit' ? 'a debit in review' : 'a credit in suspense'}.`,
    tr: ({ line, direction, state, wanted }) =>
      `${line} satırı (${durum(direction)}, ${durum(state)}) uygun değil: bu kayıt için ${wanted === 'debit' ? 'incelenecek bir borç satırı' : 'askıdaki bir alacak satırı'} gerekir.`,
  },
  line_not_of: {
    en: ({ of, ids, ...line }) =>
      `${asItIs(line)} is not ${of === 'deposit' ? 'money of deposit' : 'the debit of payout'} ${ids.join(', ')}.`,
    tr: ({ line, direction, state, of, ids }) =>
      `${line} satırı (${durum(direction)}, ${durum(state)}) ${ids.join(', ')} ${of === 'deposit' ? 'yatırımının parası' : 'çekiminin borcu'} değil.`,
  },
  line_may_be_corrected: {
    en: ({ line, correction }) =>
      `Line ${correction} may correct line ${line} and waits for a decision. First say what line ${correction} is.`,
    tr: ({ line, correction }) =>
      `${correction} satırı ${line} satırını düzeltiyor olabilir ve karar bekliyor. Önce onun ne olduğunu söyleyin.`,
    cli: ({ correction }) => `vezne line correction ${correction}`,
  },
  line_split: {
    en: ({ line, entry }) => `Line ${line} was split over several deposits. Reverse that split (entry ${entry}) first.`,
    tr: ({ line, entry }) => `${line} satırı birkaç yatırıma bölünmüş. Önce ${entry} bölme kaydını geri alın.`,
    cli: ({ entry }) => `vezne journal reverse ${entry}`,
  },
  line_explained: {
    en: ({ line, kind, entry }) =>
      `Line ${line} is already explained${kind === null ? '' : ` as ${entryKind('en', kind)}`}. Reverse entry ${entry} first.`,
    tr: ({ line, kind, entry }) =>
      `${line} satırı zaten açıklanmış${kind === null ? '' : ` (${entryKind('tr', kind)})`}. Önce ${entry} kaydını geri alın.`,
    cli: ({ entry }) => `vezne journal reverse ${entry}`,
  },
  line_names_other_withdrawal: {
    en: ({ line, withdrawal }) => `Line ${line} refers to another withdrawal than the proposal: ${withdrawal}.`,
    tr: ({ line, withdrawal }) => `${line} satırında önerilenden başka bir çekimin no’su var: ${withdrawal}.`,
  },
  line_not_on_payouts_account: {
    en: ({ line, withdrawal, isOwed }) =>
      `Line ${line} is not on the account that payout ${withdrawal} left from.${isOwed ? ' Propose the whole line as owed by the bank.' : ''}`,
    tr: ({ line, withdrawal, isOwed }) =>
      `${line} satırı, ${withdrawal} çekiminin çıktığı hesapta değil.${isOwed ? ' Satırın tamamını bankadan alacak olarak önerin.' : ''}`,
    cli: ({ line, isOwed }) => (isOwed ? `vezne journal propose receivable --line ${line}` : ''),
  },
  line_not_needed: {
    en: ({ line, total, ordered }) =>
      `The lines have ${total}, the payout has ${ordered}: line ${line} is not needed. Leave it out and explain it separately.`,
    tr: ({ line, total, ordered }) =>
      `Satırların toplamı ${total}, çekim ${ordered}: ${line} satırı gerekmiyor. Çıkarın ve ayrıca açıklayın.`,
  },
  currencies_differ: {
    en: ({ line, currency, other, otherCurrency }) =>
      `Line ${line} is in ${currency}, the ${other === 'line' ? 'other line' : other} in ${otherCurrency}.`,
    tr: ({ line, currency, other, otherCurrency }) =>
      `${line} satırının para birimi ${currency}, ${{ line: 'diğer satırınki', deposit: 'yatırımınki', payout: 'çekiminki' }[other]} ${otherCurrency}.`,
  },
  lines_on_one_account: {
    en: 'Both lines are on the same account. If the bank took the credit back, propose them as a correction by the bank.',
    tr: 'İki satır da aynı hesapta. Banka gelen parayı geri aldıysa “Banka düzeltmesi” olarak önerin.',
    cli: ({ debit, credit }) => `vezne journal propose storno --line ${credit} --line ${debit}`,
  },
  storno_differs: {
    en: ({ debit, credit }) =>
      `Debit ${debit} differs from credit ${credit} in amount or account, so the two cannot be a correction by the bank.`,
    tr: ({ debit, credit }) =>
      `${debit} borç satırının tutarı veya hesabı ${credit} alacak satırınınkinden farklı: ikisi bir banka düzeltmesi olamaz.`,
  },
}

const NOT_PAYOUT_TR = '“Borcu veya iadesi olmadığı çekimin işlem no’su”'

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
