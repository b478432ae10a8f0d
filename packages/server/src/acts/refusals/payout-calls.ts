import type { PAYOUT_CALLS } from '../../kernel/refusals/payout-calls.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

const wordEn = (said: string | null, before: string) => (said === null || said === '' ? before : `${before}: ${said}`)
const wordTr = (said: string | null, before: string) =>
  said === null || said === '' ? before : `${before}: ${durum(said)}`

const FITS = {
  no_other_recipient: 'same account, no other recipient',
  recipient: 'same account and recipient',
}

const describedEn = (...words: (string | null)[]) => words.filter((word) => word !== null && word !== '').join(', ')

export const PAYOUT_CALLS_SENTENCES: Sentences<typeof PAYOUT_CALLS> = {
  call_late: {
    en: ({ said }) => wordEn(said, 'late, not acted on'),
    tr: ({ said }) => wordTr(said, 'geç geldi, işlenmedi'),
  },
  call_second_refused: {
    en: ({ said }) => wordEn(said, 'this sending was refused, an earlier one may have paid'),
    tr: ({ said }) => wordTr(said, 'bu gönderim reddedildi, öncekisi ödemiş olabilir'),
  },
  call_rejected_doubted: {
    en: ({ reason, doubt }) => `rejected (${reason}), but ${doubt}`,
    tr: ({ reason, doubt }) => `reddedildi (${durum(reason)}), ama ${doubt}`,
  },
  call_unseen_doubted: {
    en: ({ doubt }) => `the bank has never seen it, but ${doubt}`,
    tr: ({ doubt }) => `banka hiç görmemiş, ama ${doubt}`,
  },
  call_not_recorded: {
    en: ({ said, error }) => describedEn(said, `not recorded: ${error}`).replace(', not', '; not'),
    tr: ({ said, error }) => `${said === null || said === '' ? '' : `${durum(said)}; `}kaydedilemedi: ${error}`,
  },
  call_not_sent: { en: ({ problem }) => `not sent: ${problem}`, tr: ({ problem }) => `gönderilmedi: ${problem}` },
  call_in_order_file: { en: ({ batch }) => `in order file ${batch}`, tr: ({ batch }) => `talimat dosyası ${batch}` },
  call_order_file_cancelled: {
    en: ({ batch, person, reason }) =>
      `order file ${batch} was cancelled before the bank fetched it: ${person}, ${reason}`,
    tr: ({ batch, person, reason }) => `talimat dosyası ${batch} banka almadan iptal edildi: ${person}, ${reason}`,
  },
  call_order_file_back: {
    en: ({ file }) => `${file} is in outbox/ again: a program has put it back`,
    tr: ({ file }) => `${file} yeniden gönderim klasöründe: bir program geri koymuş`,
  },
  call_order_file_stopped: {
    en: ({ file, isStopped, problem }) =>
      `${file} was in outbox/ and ${isStopped ? 'was taken out' : 'was taken again by a program'}: ${problem}`,
    tr: ({ file, isStopped, problem }) =>
      `${file} gönderim klasöründeydi ve ${isStopped ? 'oradan alındı' : 'bir program onu yeniden aldı'}: ${problem}`,
  },
  call_report: {
    en: ({ report, said, follows }) =>
      `report ${report}: ${said.join(', ') || 'no status'}${follows === null ? '' : `; ${follows}`}`,
    tr: ({ report, said, follows }) =>
      `rapor ${report}: ${said.join(', ') || 'durum yok'}${follows === null ? '' : `; ${follows}`}`,
  },
  call_person_line: {
    en: ({ person, line }) => `${person}: line ${line}`,
    tr: ({ person, line }) => `${person}: satır ${line}`,
  },
  call_person_shared_line: {
    en: ({ person, line }) => `${person}: line ${line}, with others`,
    tr: ({ person, line }) => `${person}: satır ${line}, başka çekimlerle birlikte`,
  },
  call_not_its_debit: {
    en: ({ person }) => `${person}: its lines are not its debit`,
    tr: ({ person }) => `${person}: satırlar bu çekimin borcu değil`,
  },
  call_not_its_return: {
    en: ({ person }) => `${person}: its credit is not its return`,
    tr: ({ person }) => `${person}: alacak satırı bu çekimin iadesi değil`,
  },
  call_restore_check: {
    en: ({ restore, marked, said }) => wordEn(said, `restore ${restore}, marked ${marked}`),
    tr: ({ restore, marked, said }) => wordTr(said, `yedekten dönüş ${restore}, işaretlenmesi ${marked}`),
  },

  doubt_differs: { en: 'it differs from its withdrawal', tr: 'ödeme, çekimle aynı değil' },
  doubt_on_statement: {
    en: ({ lines }) => `on the statement ${lines.join('; ')}`,
    tr: ({ lines }) => `ekstrede: ${lines.join('; ')}`,
  },
  doubt_people_look: { en: 'people look into it', tr: 'kişiler inceliyor' },
  doubt_had_order: {
    en: 'an earlier response says that it has the order',
    tr: 'önceki bir yanıta göre emir bankada',
  },
  doubt_was_pending: {
    en: 'it said pending before, so it had the order',
    tr: 'daha önce “bekliyor” dediğine göre emir ondaydı',
  },
  unsent_account_unknown: {
    en: 'the source account is not known here',
    tr: 'gönderen hesap burada bilinmiyor',
  },
  unsent_recipient_ours: {
    en: 'the recipient is a collecting account of ours',
    tr: 'alıcı bizim hesabımız',
  },
  unsent_not_writable: {
    en: ({ problem }) => `it cannot be written to an order file: ${problem}`,
    tr: ({ problem }) => `talimat dosyasına yazılamıyor: ${problem}`,
  },

  statement_line_names: {
    en: ({ line, direction, state, reason }) => `bank line ${line} names it (${describedEn(direction, state, reason)})`,
    tr: ({ line }) => `${line} no’lu banka satırında bu çekimin no’su var`,
    cli: ({ line }) => `vezne line show ${line}`,
  },
  statement_unread_names: {
    en: ({ line, problem }) => `unread line ${line} names it (${problem})`,
    tr: ({ line, problem }) => `okunamayan ${line} satırında bu çekimin no’su var (${problem})`,
    cli: 'vezne line unread --all',
  },
  statement_line_may_be_debit: {
    en: ({ line, amount, at, fits }) => `bank line ${line} may be its debit (${amount}, booked ${at}, ${FITS[fits]})`,
    tr: ({ line, amount }) => `${line} no’lu banka satırı bu çekimin borcu olabilir (${amount})`,
    cli: ({ line }) => `vezne line show ${line}`,
  },
  statement_line_denied: {
    en: ({ line, state, reason }) =>
      `bank line ${line} may be its debit, although two people said otherwise (${describedEn(state, reason)})`,
    tr: ({ line }) => `${line} no’lu banka satırı bu çekimin borcu olabilir; iki kişi öyle olmadığını söylemişti`,
    cli: ({ line }) => `vezne line show ${line}`,
  },
}
