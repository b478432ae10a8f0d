import type { PLAN_REVERSALS } from '../../kernel/refusals/plans.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

export const PLAN_REVERSALS_SENTENCES: Sentences<typeof PLAN_REVERSALS> = {
  entry_is_payout_debit: {
    en: ({ withdrawal, isOwed }) =>
      `The line is the debit of payout ${withdrawal}. ` +
      (isOwed
        ? 'The rest is owed until a credit settles it, alone or together with the payout. If it does not come back, write it off as a bank charge.'
        : 'If the bank gives the rest back, that credit is a bank charge, too; in one credit with the payout, it is the return of the payout with the charge.'),
    tr: ({ withdrawal, isOwed }) =>
      `Satır, ${withdrawal} numaralı çekimin borcu. ` +
      (isOwed
        ? 'Fazlası bankadan alacaktır; tek başına veya çekimle birlikte gelen bir alacak satırıyla kapanır. Geri gelmeyecekse banka masrafı olarak silin.'
        : 'Banka fazlasını geri verirse gelen satır da banka masrafıdır; çekimle birlikte tek satırda gelirse masrafıyla birlikte çekimin iadesidir.'),
    cli: ({ entry, withdrawal, isOwed }) =>
      isOwed
        ? `vezne journal propose receivable --line CREDIT --settles ${entry}\nvezne journal propose payout_return --line CREDIT --withdrawal ${withdrawal} --settles ${entry}\nvezne journal propose bank_charge --settles ${entry}`
        : `vezne journal propose bank_charge --line CREDIT\nvezne journal propose payout_return --line CREDIT --withdrawal ${withdrawal} --charge KURUS`,
  },
  entry_settled: {
    en: ({ entry, by }) => `${BY_EN[by]} has settled it. Take entry ${entry} back first.`,
    tr: ({ entry, by }) => `Bu alacak ${BY_TR[by]} kapatıldı. Önce ${entry} numaralı kaydı geri alın.`,
    cli: ({ entry }) => `vezne journal reverse ${entry}`,
  },
  entry_not_posted: {
    en: ({ entry, state }) => `Entry ${entry} is ${state}: it has booked nothing that could be taken back.`,
    tr: ({ entry, state }) => `${entry} numaralı kayıt deftere geçmemiş (${durum(state)}): geri alınacak bir şey yok.`,
  },
  entry_taken_back: {
    en: ({ entry }) => `Entry ${entry} was taken back already.`,
    tr: ({ entry }) => `${entry} numaralı kayıt zaten geri alınmış.`,
  },
  entry_has_other_way_back: {
    en: ({ entry, kind }) => `Entry ${entry} (${kind}) is not taken back by its reverse. ${WAYS[kind].en}`,
    tr: ({ entry, kind }) => `${entry} numaralı kayıt, ters kayıtla geri alınmaz. ${WAYS[kind].tr}`,
    cli: ({ kind }) => WAYS[kind].cli,
  },
}

const BY_EN = { charge: 'A bank charge', credit: 'A credit', balance: 'The balance of the merchant' }
const BY_TR = { charge: 'banka masrafı olarak', credit: 'gelen parayla', balance: 'satıcının bakiyesinden' }

const UNMATCH_RETURN = {
  en: 'If the return was booked by mistake, take back its match with the withdrawal.',
  tr: 'İade yanlışlıkla kaydedildiyse çekimle eşleşmesini geri alın.',
  cli: 'vezne journal propose unmatch --withdrawal TRANSACTION',
}

const WAYS = {
  refund_unexplained: {
    en: 'Stop the withdrawal while it is not sent; the money is then in suspense again.',
    tr: 'Gönderilmediyse çekimi durdurun; para o zaman yeniden askıya geçer.',
    cli: 'vezne withdrawal stop TRANSACTION',
  },
  return_with_costs: UNMATCH_RETURN,
  payout_return: UNMATCH_RETURN,
  storno: {
    en: 'The bank took the money back. If it gives it again, that is a new line: propose it for the deposit that failed.',
    tr: 'Parayı banka geri aldı. Yeniden verirse bu yeni bir satırdır; başarısız olan yatırıma geçirilmesini önerin.',
    cli: 'vezne journal propose reassign --line LINE --deposit TRANSACTION',
  },
  unmatch: {
    en: 'Match the money again.',
    tr: 'Parayı yeniden eşleştirin.',
    cli: 'vezne line match LINE TRANSACTION\nvezne journal propose reassign --line LINE --deposit TRANSACTION',
  },
  reassign: {
    en: 'Take the match with the deposit back.',
    tr: 'Yatırımla eşleşmesini geri alın.',
    cli: 'vezne journal propose unmatch --deposit TRANSACTION',
  },
  reversal: { en: 'Propose the entry again.', tr: 'Kaydı yeniden önerin.', cli: '' },
}
