import type { PLAN_REVERSALS } from '../../kernel/refusals/plans.ts'
import { entryKind } from './entry-kinds.ts'
import type { Sentences } from './sentence.ts'

export const PLAN_REVERSALS_SENTENCES: Sentences<typeof PLAN_REVERSALS> = {
  entry_settled: {
    en: ({ entry, by }) => `That amount has been ${BY_EN[by]}. Reverse entry ${entry} first.`,
    tr: ({ entry, by }) => `Bu tutar ${BY_TR[by]} kapatıldı. Önce ${entry} kaydını geri alın.`,
    cli: ({ entry }) => `vezne journal reverse ${entry}`,
  },
  entry_taken_back: {
    en: ({ entry }) => `Entry ${entry} has already been reversed.`,
    tr: ({ entry }) => `${entry} kaydı zaten geri alınmış.`,
  },
  entry_has_other_way_back: {
    en: ({ entry, kind }) =>
      `Entry ${entry} (${entryKind('en', kind)}) cannot be reversed by another entry. ${WAYS[kind].en}`,
    tr: ({ entry, kind }) => `${entry} kaydı (${entryKind('tr', kind)}) ters kayıtla geri alınamaz. ${WAYS[kind].tr}`,
    cli: ({ kind }) => WAYS[kind].cli,
  },
}

const BY_EN = {
  charge: 'written off as a bank charge',
  credit: 'settled by a credit',
  balance: "settled from the merchant's balance",
}
const BY_TR = { charge: 'banka masrafı olarak', credit: 'gelen parayla', balance: 'satıcının bakiyesinden' }

const UNMATCH_RETURN = {
  en: 'If the return was booked by mistake, undo its match with the withdrawal.',
  tr: 'İade yanlışlıkla kaydedildiyse çekimle eşleşmesini geri alın.',
  cli: 'vezne journal propose unmatch --withdrawal TRANSACTION',
}

const WAYS = {
  refund_unexplained: {
    en: 'Stop the withdrawal if it has not been sent; its money is then in suspense again.',
    tr: 'Gönderilmediyse çekimi durdurun; para o zaman yeniden askıya geçer.',
    cli: 'vezne withdrawal stop TRANSACTION',
  },
  payout_return: UNMATCH_RETURN,
  storno: {
    en: 'The bank took the money back. If the bank pays it again, that is a new line: propose it for the deposit that failed.',
    tr: 'Parayı banka geri aldı. Yeniden verirse bu yeni bir satırdır; başarısız olan yatırıma geçirilmesini önerin.',
    cli: 'vezne journal propose deposit_payment --line LINE --deposit TRANSACTION',
  },
  unmatch: {
    en: 'Match the money again.',
    tr: 'Parayı yeniden eşleştirin.',
    cli: 'vezne line match LINE TRANSACTION\nvezne journal propose deposit_payment --line LINE --deposit TRANSACTION',
  },
  deposit_payment: {
    en: 'Undo its match with the deposit.',
    tr: 'Yatırımla eşleşmesini geri alın.',
    cli: 'vezne journal propose unmatch --deposit TRANSACTION',
  },
  reversal: { en: 'Propose the entry again.', tr: 'Kaydı yeniden önerin.', cli: '' },
}
