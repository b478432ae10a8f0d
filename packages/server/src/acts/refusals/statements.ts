import type { STATEMENTS } from '../../kernel/refusals/statements.ts'
import type { Sentences } from './sentence.ts'
import { durum, gun } from './words.ts'

export const STATEMENTS_SENTENCES: Sentences<typeof STATEMENTS> = {
  entered_line_repeats: {
    en: ({ line, state }) =>
      `Line ${line} (${state}) has the same account, direction, amount, day and sender: it may be the same booking. If this is another payment, enter the line again and mark that one as a similar line.`,
    tr: ({ line, state }) =>
      `${line} satırının (${durum(state)}) hesabı, yönü, tutarı, günü ve karşı tarafı aynı: aynı hareket olabilir. Başka bir ödemeyse satırı yeniden girip onu benzer satır olarak işaretleyin.`,
    cli: ({ line }) => `vezne line show ${line}\n--besides ${line}`,
  },
  entered_line_not_similar: {
    en: ({ line }) => `${line} differs from this line in account, direction, amount, day or sender`,
    tr: ({ line }) => `${line} satırının hesabı, yönü, tutarı, günü veya karşı tarafı farklı`,
  },
  entered_day_wrong: {
    en: 'must be the booking day, such as 2026-01-31, not before 2001 and not in the future',
    tr: 'hareketin günü olmalı, örneğin 2026-01-31; 2001’den önce veya ileri tarihli olamaz',
  },
  entered_name_missing: {
    en: 'must be the name that the bank shows',
    tr: 'bankanın gösterdiği adı yazın',
  },
  line_not_bookable: {
    en: ({ problem }) => `The line cannot be booked: ${problem}.`,
    tr: ({ problem }) =>
      `Satır deftere geçirilemez (${problem}). Hesabı, günü, tutarı ve metinlerin uzunluğunu denetleyin.`,
  },
  account_without_source: {
    en: ({ account }) => `Account ${account} has no source of record. Connect it first.`,
    tr: ({ account }) => `${account} hesabının esas kaynağı yok. Önce hesabı bağlayın.`,
    cli: ({ account }) => `vezne account connect CONNECTION ${account}`,
  },

  line_not_confirmed: {
    en: ({ line, day, file }) =>
      file === null
        ? `Line ${line} is not confirmed: no final statement of the bank contains it, so its money cannot be sent. Import the statement of ${day}. If the bank does not know this booking, two people dismiss the line.`
        : `Line ${line} is not confirmed: the statement of ${day} (file ${file}) does not contain it, so its money cannot be sent. Ask the bank. If the bank does not know this booking, two people dismiss the line.`,
    tr: ({ line, day, file }) =>
      file === null
        ? `${line} satırı kesinleşmedi: bankanın hiçbir gün sonu ekstresinde yok. Parası gönderilemez. ${gun(day)} gününün ekstresini yükleyin. Banka böyle bir hareket bilmiyorsa iki kişi satırın bankada geçersiz olduğunu bildirmeli.`
        : `${line} satırı kesinleşmedi: ${gun(day)} gününün ekstresinde (${file} dosyası) yok. Parası gönderilemez. Bankaya sorun. Banka böyle bir hareket bilmiyorsa iki kişi satırın bankada geçersiz olduğunu bildirmeli.`,
    cli: ({ line }) => `vezne line dismiss ${line}`,
  },
  line_decided_meanwhile: {
    en: 'A bank line has been decided in the meantime. Look again.',
    tr: 'Bir banka satırına bu arada karar verildi. Yeniden bakın.',
  },
  transaction_line_undecided: {
    en: ({ line, state }) => `Its bank line ${line} is waiting for a decision (${state}).`,
    tr: ({ line, state }) => `${line} banka satırı karar bekliyor (${durum(state)}).`,
    cli: ({ line }) => `vezne line show ${line}`,
  },

  unread_line_unknown: {
    en: ({ line }) => `There is no open unread line ${line}. It may have been decided already.`,
    tr: ({ line }) => `Bekleyen okunamayan satırlar arasında ${line} yok: satıra karar verilmiş olabilir.`,
    cli: 'vezne line unread',
  },
  closed_line_unknown: {
    en: ({ line }) => `There is no closed line ${line}. It may have been reopened.`,
    tr: ({ line }) => `Kapatılan satırlar arasında ${line} yok: satır yeniden açılmış olabilir.`,
    cli: 'vezne line unread --all',
  },
  unread_line_ambiguous: {
    en: ({ line }) => `Several line ids begin with ${line}. Give more of the id.`,
    tr: ({ line }) => `Birden çok satırın numarası ${line} ile başlıyor. Numaranın devamını yazın.`,
  },
  source_never_read: {
    en: ({ source, known }) =>
      `No statement of ${source} has been read yet. ${known.length > 0 ? `Known sources: ${known.join(', ')}.` : 'No source is known yet.'}`,
    tr: ({ source, known }) =>
      `${source} kaynağından hiç ekstre okunmadı. ${known.length > 0 ? `Bilinen kaynaklar: ${known.join(', ')}.` : 'Henüz bilinen kaynak yok.'}`,
  },

  file_unreadable: {
    en: ({ file, problem }) => `${file} cannot be read: ${sentence([problem])} Nothing of this file was imported.`,
    tr: ({ file, problem }) => `${file} okunamadı: ${sentence([problem])} Bu dosyadan hiçbir satır aktarılmadı.`,
  },
  file_not_importable: {
    en: ({ file, problems }) => `${file} cannot be imported: ${sentence(problems)}`,
    tr: ({ file, problems }) => `${file} aktarılamaz: ${sentence(problems)}`,
  },
  file_doubtful: {
    en: ({ file, problems }) =>
      `${file} was not imported: ${sentence(problems)} If the file is right all the same, say why.`,
    tr: ({ file, problems }) =>
      `${file} aktarılmadı: ${sentence(problems)} Yine de doğruysa nedenini yazarak kabul edin.`,
    cli: '--accept-problems REASON',
  },
  file_brings_nothing: {
    en: ({ file }) =>
      `${file} has nothing new: its lines and balances have already been imported. Nothing was imported.`,
    tr: ({ file }) =>
      `${file} dosyasında yeni bir şey yok: satırları ve bakiyeleri daha önce aktarılmış. Hiçbir şey aktarılmadı.`,
  },
  file_changed_while_read: {
    en: ({ file }) => `${file} changed while it was read. Nothing was imported; import it again.`,
    tr: ({ file }) => `${file} okunurken değişti. Bu dosyadan hiçbir satır aktarılmadı; yeniden yükleyin.`,
  },
  file_forged: {
    en: ({ file, person }) =>
      `Vezne has no record that ${person} imported file ${file} as it is stored. Nothing of the file is booked: undo the import and tell your system administrator.`,
    tr: ({ file, person }) =>
      `Vezne’de ${file} dosyasını ${person} kişisinin bu hâliyle aktardığına dair kayıt yok. Dosyadan hiçbir şey deftere geçmez: aktarmayı geri alın ve sistem yöneticisine bildirin.`,
    cli: ({ file }) => `vezne statement undo ${file}\nvezne doctor`,
  },
  import_stopped: {
    en: ({ file, line }) =>
      `The import of file ${file} stopped at a line that was not new when two people approved the file: ${line}. Undo the import and propose the file again.`,
    tr: ({ file, line }) =>
      `${file} dosyasının aktarması durdu: iki kişi onaylarken yeni olmayan bir satıra gelindi (${line}). Aktarmayı geri alın ve dosyayı yeniden önerin.`,
    cli: ({ file }) => `vezne statement undo ${file}`,
  },
  import_undone: {
    en: ({ file }) => `The import of file ${file} has already been undone.`,
    tr: ({ file }) => `${file} dosyasının aktarması zaten geri alınmış.`,
    cli: 'vezne statement list --files',
  },
  import_overlapped: {
    en: ({ newer }) =>
      `File ${newer}, imported later, covers the same days; lines that are in both are booked from this one. Undo the later import first.`,
    tr: ({ newer }) =>
      `Sonra aktarılan ${newer} dosyasında aynı günler var; iki dosyada da olan satırlar bundan deftere geçti. Önce onun aktarmasını geri alın.`,
    cli: ({ newer }) => `vezne statement undo ${newer}`,
  },
  import_confirms_refunded: {
    en: ({ line }) =>
      `The import cannot be undone: it confirms line ${line}, whose money was refunded. If the refund has not been sent yet, stop it first.`,
    tr: ({ line }) =>
      `Aktarma geri alınamaz: parası iade edilen ${line} satırı bu dosyayla kesinleşti. İade gönderilmediyse önce onu durdurun.`,
    cli: 'vezne withdrawal stop',
  },
}

/** The last may be a question. */
const sentence = (problems: readonly string[]) => problems.join('; ').replace(/[^.?]$/, '$&.')
