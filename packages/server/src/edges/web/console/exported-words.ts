import type { ExportKind } from '../../../domain/books/index.ts'

type ExportedWords = {
  /** Titles of sheets; the names of the files are made from them. */
  titles: Record<ExportKind | 'deposit' | 'withdrawal' | 'statement', string>
  /** By the name that the command line gives the column. */
  columns: Record<string, string>
  total: string
  /** What the service books by itself. */
  automatic: string
  house: string
  /** Accounts of merchants that no merchant owns: refunds of unexplained money. */
  houseAccounts: Record<string, string>
}

export const exportedTr: ExportedWords = {
  titles: {
    transactions: 'İşlemler',
    balances: 'Bakiyeler',
    fees: 'Komisyonlar',
    journal: 'Defter kayıtları',
    deposit: 'Yatırımlar',
    withdrawal: 'Çekimler',
    statement: 'Hesap özeti',
  },
  columns: {
    day: 'Muhasebe günü',
    'about day': 'Ait olduğu gün',
    'merchant id': 'Satıcı no',
    merchant: 'Satıcı',
    event: 'Hareket',
    'transaction id': 'İşlem no',
    'process id': 'Satıcının işlem no’su',
    currency: 'Para birimi',
    amount: 'Tutar',
    fee: 'Komisyon',
    net: 'Net',
    opening: 'Dönem başı bakiyesi',
    deposits: 'Yatırımlar',
    withdrawals: 'Çekimler',
    returns: 'Geri dönenler',
    other: 'Diğer',
    fees: 'Komisyonlar',
    closing: 'Dönem sonu bakiyesi',
    'entry id': 'Kayıt no',
    subject: 'İlgili işlem veya satır no',
    by: 'Kaydeden',
    'from account': 'Çıkan hesap',
    'from owner': 'Çıkan hesabın sahibi',
    'to account': 'Giren hesap',
    'to owner': 'Giren hesabın sahibi',
  },
  total: 'TOPLAM',
  automatic: 'otomatik',
  house: 'Kurum',
  houseAccounts: {
    merchant_available: 'İade edilecek para (bizde)',
    merchant_held: 'İade için ayrılan para (bizde)',
  },
}

export const exportedEn: ExportedWords = {
  titles: {
    transactions: 'Transactions',
    balances: 'Balances',
    fees: 'Fees',
    journal: 'Journal',
    deposit: 'Deposits',
    withdrawal: 'Withdrawals',
    statement: 'Statement',
  },
  columns: {
    day: 'Accounting day',
    'about day': 'About day',
    'merchant id': 'Merchant id',
    merchant: 'Merchant',
    event: 'Movement',
    'transaction id': 'Transaction id',
    'process id': 'processId',
    currency: 'Currency',
    amount: 'Amount',
    fee: 'Fee',
    net: 'Net',
    opening: 'Opening balance',
    deposits: 'Deposits',
    withdrawals: 'Withdrawals',
    returns: 'Returned',
    other: 'Other',
    fees: 'Fees',
    closing: 'Closing balance',
    'entry id': 'Entry id',
    subject: 'Id of transaction or line',
    by: 'By',
    'from account': 'From account',
    'from owner': 'Owner of from account',
    'to account': 'To account',
    'to owner': 'Owner of to account',
  },
  total: 'TOTAL',
  automatic: 'automatic',
  house: 'Institution',
  houseAccounts: {
    merchant_available: 'Money to be refunded (ours)',
    merchant_held: 'Money set aside for the refund (ours)',
  },
}
