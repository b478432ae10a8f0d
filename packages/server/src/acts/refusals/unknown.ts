import type { UNKNOWN } from '../../kernel/refusals/unknown.ts'
import type { Sentences } from './sentence.ts'

export const UNKNOWN_SENTENCES: Sentences<typeof UNKNOWN> = {
  line_unknown: {
    en: ({ line }) => `There is no bank line ${line}.`,
    tr: ({ line }) => `${line} numaralı banka satırı yok.`,
  },
  line_forged: {
    en: ({ line }) => `The service did not write bank line ${line} as it is now. No money follows it.`,
    tr: ({ line }) => `${line} numaralı banka satırının bugünkü hâlini servis yazmadı. Bu satırla para işlenmez.`,
    cli: 'vezne doctor',
  },
  balance_forged: {
    en: ({ merchant }) =>
      `The service did not write the balance of merchant ${merchant} as it is now. Nothing is booked on it.`,
    tr: ({ merchant }) =>
      `${merchant} numaralı satıcının bugünkü bakiyesini servis yazmadı. Bu bakiyeye para işlenmez.`,
    cli: 'vezne doctor',
  },
  deposit_unknown: {
    en: ({ deposit }) => `There is no deposit ${deposit}.`,
    tr: ({ deposit }) => `${deposit} numaralı yatırım yok.`,
  },
  withdrawal_unknown: {
    en: ({ withdrawal }) => `There is no withdrawal ${withdrawal}.`,
    tr: ({ withdrawal }) => `${withdrawal} numaralı çekim yok.`,
  },
  payout_unknown: {
    en: ({ withdrawal }) => `Withdrawal ${withdrawal} has no payout.`,
    tr: ({ withdrawal }) => `${withdrawal} numaralı çekimin ödemesi yok.`,
  },
  transaction_unknown: {
    en: ({ transaction }) => `There is no transaction ${transaction}.`,
    tr: ({ transaction }) => `${transaction} numaralı işlem yok.`,
  },
  proposal_unknown: {
    en: ({ proposal }) => `There is no proposal ${proposal}.`,
    tr: ({ proposal }) => `${proposal} numaralı öneri yok.`,
    cli: 'vezne proposal list',
  },
  batch_unknown: {
    en: ({ batch }) => `There is no order file ${batch}.`,
    tr: ({ batch }) => `${batch} numaralı talimat dosyası yok.`,
    cli: 'vezne batch list',
  },
  statement_file_unknown: {
    en: ({ file }) => `There is no statement file ${file}.`,
    tr: ({ file }) => `${file} numaralı ekstre dosyası yok.`,
    cli: 'vezne statement list --files',
  },
  journal_entry_unknown: {
    en: ({ entry }) => `There is no journal entry ${entry}.`,
    tr: ({ entry }) => `${entry} numaralı defter kaydı yok.`,
    cli: 'vezne journal list',
  },
  merchant_unknown: {
    en: ({ merchant }) => `There is no merchant ${merchant}.`,
    tr: ({ merchant }) => `${merchant} adlı satıcı yok.`,
    cli: 'vezne merchant list',
  },
  endpoint_unknown: {
    en: ({ endpoint, merchant }) => `Merchant ${merchant} has no endpoint ${endpoint}.`,
    tr: ({ endpoint, merchant }) => `${merchant} adlı satıcının ${endpoint} numaralı callback adresi yok.`,
    cli: ({ merchant }) => `vezne endpoint list ${merchant}`,
  },
  event_unknown: {
    en: ({ event }) => `There is no event ${event}.`,
    tr: ({ event }) => `${event} numaralı olay yok.`,
  },
  account_unknown: {
    en: ({ account }) => `There is no collecting account ${account}.`,
    tr: ({ account }) => `${account} diye bir tahsilat hesabı yok.`,
    cli: 'vezne account list',
  },
  bank_unknown: {
    en: ({ bank }) => `There is no bank ${bank}.`,
    tr: ({ bank }) => `${bank} kodlu banka yok.`,
    cli: 'vezne bank list',
  },
  connection_unknown: {
    en: ({ connection, known }) =>
      `There is no connection ${connection}. ${known.length > 0 ? `The connections are: ${known.join(', ')}.` : 'There are none yet.'}`,
    tr: ({ connection, known }) =>
      `${connection} adlı bağlantı yok. ${known.length > 0 ? `Bağlantılar: ${known.join(', ')}.` : 'Henüz bağlantı yok.'}`,
    cli: 'vezne connection list',
  },
  operator_unknown: {
    en: ({ name }) => `There is no staff member ${name}.`,
    tr: ({ name }) => `Personel arasında ${name} adlı kişi yok.`,
    cli: ({ name }) => `vezne operator list\nvezne operator add ${name} --role ROLE`,
  },
  audit_entry_unknown: {
    en: ({ number }) => `There is no audit entry ${number}.`,
    tr: ({ number }) => `${number} numaralı denetim kaydı yok.`,
    cli: 'vezne audit list',
  },
  session_unknown: {
    en: ({ session }) => `There is no session ${session}.`,
    tr: ({ session }) => `${session} numaralı oturum yok.`,
    cli: 'vezne operator sessions',
  },
  login_unknown: {
    en: ({ login }) => `There is no active login ${login}.`,
    tr: ({ login }) => `${login} numaralı etkin giriş yok.`,
  },
}
