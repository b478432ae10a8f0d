import type { Language } from '../../web/console/site.ts'

const tr = {
  refundedLine: 'İade ettiği satır',
  sendByHand: 'Elle gönderilecek: bir kişi bankanın ekranından gönderir',
  waitsByHand: 'elle gönderilmeyi bekliyor',
  neverPaid: 'hiç ödenmedi, para geri alındı',
  neverPaidStatus: 'Hiç ödenmedi, para geri alındı',
  neverPaidEntry: 'Hiç ödenmeyen çekimin geri alınması',
  views: 'Kayıtlı görünümler',
  saveView: 'Bu görünümü kaydet',
  viewHint: 'Filtre ve sütunlar kaydedilir. Bugün biten bir dönem, her açılışta bugüne kadar sürer.',
  viewName: 'Görünümün adı',
  save: 'Kaydet',
  remove: 'Sil',
  removeNamed: (name: string) => `Sil: ${name}`,
  columns: 'Sütunlar',
  completedSum: 'tamamlanan',
  counted: (shown: string, _count: number) => `${shown} işlem`,
  moreThan: (most: string) => `${most}+ işlem`,
  sumUp: 'Toplamı hesapla',
  tooMany: (most: string) => `${most}+ işlem. Toplam için dönemi kısaltın.`,
}

type TransactionWords = typeof tr

const en: TransactionWords = {
  refundedLine: 'Line that it refunds',
  sendByHand: 'To be sent by hand: a person sends it in the bank’s own system',
  waitsByHand: 'waits to be sent by hand',
  neverPaid: 'never paid, money taken back',
  neverPaidStatus: 'Never paid, money taken back',
  neverPaidEntry: 'Withdrawal that was never paid',
  views: 'Saved views',
  saveView: 'Save this view',
  viewHint: 'Filter and columns are saved. A period that ends today goes on until the day on which it is opened.',
  viewName: 'Name of the view',
  save: 'Save',
  remove: 'Delete',
  removeNamed: (name) => `Delete: ${name}`,
  columns: 'Columns',
  counted: (shown, count) => (count === 1 ? '1 transaction' : `${shown} transactions`),
  completedSum: 'completed',
  moreThan: (most) => `${most}+ transactions`,
  sumUp: 'Sum them up',
  tooMany: (most) => `${most}+ transactions. Shorten the period for a sum.`,
}

export const WORDS: Record<Language, TransactionWords> = { tr, en }

/** Outcomes of the forms. */
export const SAID: Record<Language, Record<string, string>> = {
  tr: { viewSaved: 'Görünüm kaydedildi.', viewRemoved: 'Görünüm silindi.' },
  en: { viewSaved: 'The view is saved.', viewRemoved: 'The view is deleted.' },
}
