/** Kinds of journal entries inside a sentence. */
const KINDS: Readonly<Record<string, { en: string; tr: string }>> = {
  own_transfer: { en: 'a transfer between our accounts', tr: 'hesaplarımız arası aktarım' },
  bank_charge: { en: 'a bank charge', tr: 'banka masrafı' },
  bank_tax: { en: 'a bank tax', tr: 'banka vergisi' },
  interest: { en: 'interest', tr: 'faiz' },
  receivable: { en: 'owed by the bank', tr: 'bankadan alacak' },
  fee_withdrawal: { en: 'a withdrawal of fees', tr: 'komisyon çekimi' },
  refund_unexplained: { en: 'a refund to the sender', tr: 'gönderene iade' },
  payout_debit: { en: 'the debit of a payout', tr: 'çekimin borcu' },
  payout_return: { en: 'the return of a payout', tr: 'çekimin iadesi' },
  storno: { en: 'a correction by the bank', tr: 'banka düzeltmesi' },
  own_funds: { en: 'own funds', tr: 'kendi paramız' },
  opening_balance: { en: 'an opening balance', tr: 'açılış bakiyesi' },
  unmatch: { en: 'a match that was undone', tr: 'geri alınan eşleşme' },
  deposit_payment: { en: 'a payment of deposits', tr: 'yatırım ödemesi' },
  reversal: { en: 'the reversal of an entry', tr: 'geri alınan kayıt' },
}

/** `a storno`, as it stands in the middle of a sentence. */
export function entryKind(language: 'en' | 'tr', kind: string | null): string {
  return Object.hasOwn(KINDS, kind ?? '') ? (KINDS[kind ?? '']?.[language] ?? '') : (kind ?? '')
}
