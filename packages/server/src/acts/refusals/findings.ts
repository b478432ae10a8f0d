import type { FINDINGS } from '../../kernel/refusals/findings.ts'
import type { Sentences } from './sentence.ts'
import { durum, gun } from './words.ts'

const daysEn = (from: string, to: string) => (from === to ? from : `${from} to ${to}`)
const daysTr = (from: string, to: string) => (from === to ? gun(from) : `${gun(from)} – ${gun(to)}`)

const WHICH = { opening: ['opening', 'açılış'], closing: ['closing', 'kapanış'] } as const

const FATES = {
  booked: [
    'each is a booking of its own: the balances of all pages include them',
    'her biri ayrı hareket: sayfaların bakiyelerinde hepsi var',
  ],
  waits: [
    'each is booked once all pages have come, if their balances include them',
    'bütün sayfalar gelince, bakiyelerde varsa her biri deftere geçer',
  ],
  unproven: [
    'not booked twice: the balances of the pages do not show that each is a booking of its own. Ask the bank',
    'iki kez deftere geçmedi: bakiyeler her birinin ayrı hareket olduğunu göstermiyor. Bankaya sorun',
  ],
  not_seen: [
    'booked once: the people who approved this page did not see the others. If the bank confirms them, two people enter them by hand',
    'bir kez deftere geçti: bu sayfayı onaylayanlar diğerlerini görmedi. Banka doğrularsa iki kişi elle girer',
  ],
} as const

export const FINDINGS_SENTENCES: Sentences<typeof FINDINGS> = {
  finding_no_statement: { en: 'the file has no statement', tr: 'dosyada ekstre yok' },
  finding_none_ours: {
    en: 'no statement of the file is of one of our accounts',
    tr: 'dosyadaki ekstrelerin hiçbiri bizim hesaplarımızın değil',
  },
  finding_account_not_ours: {
    en: ({ account }) => `${account} is not one of our accounts`,
    tr: ({ account }) => `${account} bizim hesaplarımızdan biri değil`,
    cli: 'vezne account list',
  },
  finding_account_missing: {
    en: 'the file names no account: say which one it is of',
    tr: 'dosyada hesap yazmıyor: hangi hesap olduğunu seçin',
    cli: '--account IBAN',
  },
  finding_account_differs: {
    en: ({ written, chosen }) => `the file is of account ${written}, not of ${chosen}`,
    tr: ({ written, chosen }) => `dosya ${written} hesabının, ${chosen} hesabının değil`,
  },
  finding_account_ambiguous: {
    en: ({ number }) => `several of our accounts have the number ${number}: say which one it is of`,
    tr: ({ number }) => `${number} numarası birden çok hesabımızda var: hangi hesap olduğunu seçin`,
    cli: '--account IBAN',
  },
  finding_account_unconnected: {
    en: ({ account }) => `account ${account} has no connection yet`,
    tr: ({ account }) => `${account} hesabının bağlantısı henüz yok; önce hesabı bağlayın`,
    cli: 'vezne account connect',
  },
  finding_account_without_source: {
    en: ({ account }) => `account ${account} has no source of record: connect it`,
    tr: ({ account }) => `${account} hesabının esas kaynağı yok; önce hesabı bağlayın`,
    cli: '--connection NAME',
  },
  finding_other_source: {
    en: ({ account, source, connection }) =>
      `the source of record of account ${account} is ${source}, not ${connection}`,
    tr: ({ account, source, connection }) => `${account} hesabının esas kaynağı ${source}; ${connection} değil`,
  },
  finding_currency: {
    en: ({ written, account, currency }) => `the statement is in ${written}; account ${account} is in ${currency}`,
    tr: ({ written, account, currency }) => `ekstre ${written}, ${account} hesabı ${currency} para biriminde`,
  },
  finding_future: {
    en: ({ day }) => `the statement ends on ${day}, which is in the future: is the year right?`,
    tr: ({ day }) => `ekstre ${gun(day)} günü bitiyor; bu tarih gelecekte. Yıl doğru mu?`,
  },
  finding_other_origin: {
    en: ({ from, to }) =>
      `${daysEn(from, to)} has lines that came over the bank's API or by hand: the same booking may have another number there`,
    tr: ({ from, to }) =>
      `${daysTr(from, to)}: bu dönemde bankanın API’sinden gelen veya elle girilen satırlar var; aynı hareket orada başka numarayla olabilir`,
  },
  finding_other_format: {
    en: ({ format, days }) =>
      `these days were imported in another format, whose numbers and texts cannot be compared with ${format}: ${days.join(', ')}`,
    tr: ({ format, days }) =>
      `bu günler başka biçimde aktarılmış; numaraları ve metinleri ${format} ile karşılaştırılamaz: ${days.join(', ')}`,
  },
  finding_overlap: {
    en: ({ days }) => `overlaps ${days.join(', ')}: known lines are not counted again`,
    tr: ({ days }) => `${days.join(', ')} ile çakışıyor; bilinen satırlar yeniden sayılmaz`,
  },
  finding_days_of_file: {
    en: ({ from, to, file, format }) => `${daysEn(from, to)} (${format === null ? '' : `${format}, `}file ${file})`,
    tr: ({ from, to, file, format }) => `${daysTr(from, to)} (${format === null ? '' : `${format}, `}${file} dosyası)`,
  },

  finding_first: {
    en: ({ account }) => `the first statement of ${account}`,
    tr: ({ account }) => `${account} hesabının ilk ekstresi`,
  },
  finding_opening_unlike_last: {
    en: ({ day, balance, lastDay, lastBalance }) =>
      `the opening balance of ${day} is ${balance}; our last closing balance, of ${lastDay}, is ${lastBalance}: is a statement missing?`,
    tr: ({ day, balance, lastDay, lastBalance }) =>
      `${gun(day)} açılış bakiyesi ${balance}; bizdeki son kapanış bakiyesi (${gun(lastDay)}) ${lastBalance}. Eksik bir ekstre var mı?`,
  },
  finding_balance_unlike_file: {
    en: ({ which, day, balance, file, other }) =>
      `the ${WHICH[which][0]} balance of ${day} is ${balance}; file ${file} gave ${other}. Ask the bank which is right`,
    tr: ({ which, day, balance, file, other }) =>
      `${gun(day)} ${WHICH[which][1]} bakiyesi ${balance}; ${file} dosyası ${other} vermişti. Hangisinin doğru olduğunu bankaya sorun`,
  },
  finding_closing_missing: {
    en: ({ day, file, other }) =>
      `the statement has no closing balance of ${day}; file ${file} gave ${other}. Ask the bank for one with balances`,
    tr: ({ day, file, other }) =>
      `ekstrede ${gun(day)} kapanış bakiyesi yok; ${file} dosyası ${other} vermişti. Bankadan bakiyeli bir ekstre isteyin`,
  },
  finding_closing_unlike_next: {
    en: ({ day, balance, nextDay, nextBalance }) =>
      `the closing balance of ${day} is ${balance}; the statement of ${nextDay} opens with ${nextBalance}`,
    tr: ({ day, balance, nextDay, nextBalance }) =>
      `${gun(day)} kapanış bakiyesi ${balance}; ${gun(nextDay)} ekstresi ${nextBalance} ile açılıyor`,
  },
  finding_gap_empty: {
    en: ({ from, to }) => `no statement of ${daysEn(from, to)}; the balances show no movement`,
    tr: ({ from, to }) => `${daysTr(from, to)} için ekstre yok; bakiyelere göre hareket de yok`,
  },
  finding_gap: {
    en: ({ from, to }) => `no statement of ${daysEn(from, to)}: is a file missing?`,
    tr: ({ from, to }) => `${daysTr(from, to)} için ekstre yok. Eksik bir dosya var mı?`,
  },
  finding_closed_day: {
    en: ({ which, day, was, is, difference }) =>
      `${day} is closed: its ${WHICH[which][0]} balance would change from ${was} to ${is} (difference ${difference}). Ask the bank which is right`,
    tr: ({ which, day, was, is, difference }) =>
      `${gun(day)} kapalı bir gün; ${WHICH[which][1]} bakiyesi ${was} yerine ${is} olurdu (fark ${difference}). Hangisinin doğru olduğunu bankaya sorun`,
  },
  finding_closed_days_more: {
    en: ({ count }) => `${count} more balances of closed days would change`,
    tr: ({ count }) => `kapalı günlerin ${count} bakiyesi daha değişirdi`,
  },
  finding_lines_come_alone: {
    en: ({ account, connection }) => `the lines of ${account} come over connection ${connection} automatically`,
    tr: ({ account, connection }) => `${account} hesabının satırları ${connection} bağlantısından otomatik gelir`,
  },
  finding_no_balances: {
    en: 'the file has no balances, so nothing proves it',
    tr: 'dosyada bakiye yok; dosya doğrulanamadı',
  },
  finding_balances_not_continued: {
    en: 'the balances do not continue those we have, so nothing proves the file',
    tr: 'bakiyeler bizdeki bakiyelerin devamı değil; dosya doğrulanamadı',
  },

  finding_line: {
    en: ({ line, number, amount }) =>
      `line ${line}, ${number === null ? 'without number' : `number ${number}`}, ${amount}`,
    tr: ({ line, number, amount }) =>
      `${line} satırı (${number === null ? 'numarasız' : `numara ${number}`}, ${amount})`,
  },
  finding_line_state: {
    en: ({ line, state }) => `${line}: ${state}`,
    tr: ({ line, state }) => `${line}: ${durum(state)}`,
  },
  finding_lines_missing: {
    en: ({ day, count, first }) =>
      `${count} stored ${count === 1 ? 'line' : 'lines'} of ${day} ${count === 1 ? 'is' : 'are'} not in this statement: first ${first}`,
    tr: ({ day, count, first }) => `${gun(day)} gününün kayıtlı ${count} satırı bu ekstrede yok; ilki ${first}`,
  },
  finding_lines_missing_more: {
    en: ({ count }) => `${count} more stored lines are not in this statement: too many to look them up`,
    tr: ({ count }) => `kayıtlı ${count} satır daha bu ekstrede yok; aranamayacak kadar çok`,
  },
  finding_lines_renumbered: {
    en: ({ day, count, first, number }) =>
      `of ${day} with another number here, the same booking: ${count}, first ${first}, here number ${number}`,
    tr: ({ day, count, first, number }) =>
      `${gun(day)} gününden, burada başka numarayla gelen aynı hareket: ${count} satır; ilki ${first}, buradaki numara ${number}`,
  },
  finding_line_suspected: {
    en: ({ line, day, number, hereDay }) =>
      `${line}, of ${day}, may be ${number === null ? 'one without number' : `number ${number}`} of ${hereDay} here: a suspected correction`,
    tr: ({ line, day, number, hereDay }) =>
      `${gun(day)} günlü ${line}, buradaki ${gun(hereDay)} günlü ${number === null ? 'numarasız' : `${number} numaralı`} satır olabilir: düzeltme şüphesi`,
  },

  finding_page_waits: {
    en: ({ statement, page, missing }) =>
      `page ${page} of statement ${statement}: ${absentEn(missing)}once all pages have come, its days count as read and its balances are kept`,
    tr: ({ statement, page, missing }) =>
      `${statement} ekstresinin ${page}. sayfası: ${missing.length > 0 ? `${missing.join(', ')}. sayfa henüz gelmedi; ` : ''}bütün sayfalar gelince günleri okunmuş sayılır, bakiyeleri kaydedilir`,
  },
  finding_pages_sum: {
    en: ({ statement, closing, expected, pages }) =>
      `the closing balance of statement ${statement} is ${closing}; expected ${expected}: the opening balance and the lines of its ${pages} pages`,
    tr: ({ statement, closing, expected, pages }) =>
      `${statement} ekstresinin kapanış bakiyesi ${closing}; açılış bakiyesine ve ${pages} sayfanın satırlarına göre ${expected} olmalı`,
  },
  finding_repeats: {
    en: ({ statement, repeats, more, fate }) =>
      `equal lines of statement ${statement}: ${repeats.join('; ')}${more > 0 ? `; and ${more} more` : ''}: ${FATES[fate][0]}`,
    tr: ({ statement, repeats, more, fate }) =>
      `${statement} ekstresinde aynı satırlar: ${repeats.join('; ')}${more > 0 ? `; ve ${more} satır daha` : ''}: ${FATES[fate][1]}`,
  },
  finding_repeat: {
    en: ({ number, amount, pages }) =>
      `number ${number}, ${amount} (${pages.length > 1 ? 'pages' : 'twice on page'} ${pages.join(', ')})`,
    tr: ({ number, amount, pages }) =>
      `${number} numaralı, ${amount} (${pages.length > 1 ? `sayfa ${pages.join(', ')}` : `${pages[0]}. sayfada iki kez`})`,
  },
}

function absentEn(missing: readonly number[]): string {
  if (missing.length === 0) return ''
  return missing.length === 1
    ? `page ${missing[0]} is not here yet; `
    : `pages ${missing.join(', ')} are not here yet; `
}
