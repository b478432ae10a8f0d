import type { STATEMENTS } from '../../kernel/refusals/statements.ts'
import type { Sentences } from './sentence.ts'
import { durum, gun } from './words.ts'

export const STATEMENTS_SENTENCES: Sentences<typeof STATEMENTS> = {
  entered_line_decided: {
    en: ({ state, person }) => `This line was ${state} by ${person} already.`,
    tr: ({ state, person }) => `Bu satıra daha önce karar verildi: ${durum(state)} (${person}).`,
  },
  entered_line_unconfirmed: {
    en: ({ person }) => `${person} entered this line; another person must confirm it.`,
    tr: ({ person }) => `Satırı ${person} girdi; başka biri onaylamalı.`,
  },
  entered_line_lapsed: {
    en: ({ person }) =>
      `${person}, who entered this line, may not decide any more. Reject it; two others can enter and confirm it again.`,
    tr: ({ person }) =>
      `Satırı giren ${person} artık karar veremez. Satırı reddedin; gerekirse başka iki kişi yeniden girip onaylar.`,
  },
  entered_line_own: {
    en: 'You entered this line yourself: withdraw it instead of rejecting it.',
    tr: 'Satırı siz girdiniz: reddetmeyin, geri alın.',
    cli: '--withdraw',
  },
  entered_line_not_own: {
    en: ({ person }) => `${person} entered this line: only that person withdraws it. You can reject it.`,
    tr: ({ person }) => `Satırı ${person} girdi: yalnızca o geri alabilir. Siz reddedebilirsiniz.`,
    cli: '--reject',
  },
  entered_line_changed: {
    en: 'It is not what you saw: it was changed, or similar lines came. Look again.',
    tr: 'Gördüğünüz gibi değil: bilgiler değişti veya benzer satırlar geldi. Yeniden bakıp karar verin.',
  },
  entered_line_repeats: {
    en: ({ line, state }) =>
      `Line ${line} (${state}) has the same account, direction, amount, day and sender: it may be this booking. If this is another payment, enter the line again and mark that one as a similar line.`,
    tr: ({ line, state }) =>
      `${line} satırının (${durum(state)}) hesabı, yönü, tutarı, günü ve karşı tarafı aynı: aynı hareket olabilir. Başka bir ödemeyse satırı yeniden girip onu benzer satır olarak işaretleyin.`,
    cli: ({ line }) => `vezne line show ${line}\n--besides ${line}`,
  },
  entered_line_not_similar: {
    en: ({ line }) => `${line} is not a line of this account, direction, amount, day and sender`,
    tr: ({ line }) => `${line} satırının hesabı, yönü, tutarı, günü veya karşı tarafı farklı`,
  },
  entered_day_wrong: {
    en: 'must be the booking day, like 2026-01-31, not before 2001 and not in the future',
    tr: 'hareketin günü olmalı; 2001’den önce veya ileri tarihli olamaz',
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
    en: ({ account }) => `Account ${account} has no source of record. Choose its connection first.`,
    tr: ({ account }) => `${account} hesabının esas kaynağı yok. Önce bağlantısını seçin.`,
    cli: ({ account }) => `vezne account connect CONNECTION ${account}`,
  },

  line_not_confirmed: {
    en: ({ line, day, file }) =>
      file === null
        ? `Line ${line} is not confirmed: no final statement of the bank contains it, so its money cannot be sent. Import the statement of ${day}. If the bank does not know the booking, two people dismiss the line.`
        : `Line ${line} is not confirmed: the statement of ${day} (file ${file}) does not contain it, so its money cannot be sent. Ask the bank. If it does not know the booking, two people dismiss the line.`,
    tr: ({ line, day, file }) =>
      file === null
        ? `${line} satırı kesinleşmedi: bankanın hiçbir gün sonu ekstresinde yok. Parası gönderilemez. ${gun(day)} gününün ekstresini yükleyin. Banka böyle bir hareket bilmiyorsa iki kişi satırı bankada geçersiz saymalı.`
        : `${line} satırı kesinleşmedi: ${gun(day)} gününün ekstresinde (${file} dosyası) yok. Parası gönderilemez. Bankaya sorun. Banka böyle bir hareket bilmiyorsa iki kişi satırı bankada geçersiz saymalı.`,
    cli: ({ line }) => `vezne line dismiss ${line}`,
  },
  line_decided_meanwhile: {
    en: 'A bank line was decided in the meantime. Look at it again.',
    tr: 'Bir banka satırına bu arada karar verildi. Yeniden bakın.',
  },
  transaction_line_undecided: {
    en: ({ line, state }) => `Its bank line ${line} waits for a decision (${state}).`,
    tr: ({ line, state }) => `${line} numaralı banka satırı karar bekliyor (${durum(state)}).`,
    cli: ({ line }) => `vezne line show ${line}`,
  },

  unread_line_unknown: {
    en: ({ line }) => `No unread line that waits has the id ${line}.`,
    tr: ({ line }) => `Bekleyen okunamayan satırlar arasında ${line} yok: satıra karar verilmiş olabilir.`,
    cli: 'vezne line unread',
  },
  closed_line_unknown: {
    en: ({ line }) => `No closed line has the id ${line}.`,
    tr: ({ line }) => `Kapatılan satırlar arasında ${line} yok: satır yeniden açılmış olabilir.`,
    cli: 'vezne line unread --all',
  },
  unread_line_ambiguous: {
    en: ({ line }) => `The ids of several lines begin with ${line}. Give more of the id.`,
    tr: ({ line }) => `Birden çok satırın numarası ${line} ile başlıyor. Numaranın devamını yazın.`,
  },
  source_never_read: {
    en: ({ source, known }) =>
      `No statement of ${source} has been read. ${known.length > 0 ? `Known sources: ${known.join(', ')}.` : 'No source is known yet.'}`,
    tr: ({ source, known }) =>
      `${source} kaynağından hiç ekstre okunmadı. ${known.length > 0 ? `Bilinen kaynaklar: ${known.join(', ')}.` : 'Henüz bilinen kaynak yok.'}`,
  },

  file_unreadable: {
    en: ({ file, problem }) => `${file}, ${problem}. Nothing of this file was imported.`,
    tr: ({ file, problem }) => `${file}: dosya okunamadı (${problem}). Bu dosyadan hiçbir satır aktarılmadı.`,
  },
  file_not_importable: {
    en: ({ file, problems }) => `${file} cannot be imported: ${sentence(problems)}`,
    tr: ({ file, problems }) => `${file} aktarılamaz: ${sentence(problems)}`,
  },
  file_doubtful: {
    en: ({ file, problems }) => `${file} was not imported: ${sentence(problems)} If it is right all the same, say why.`,
    tr: ({ file, problems }) =>
      `${file} aktarılmadı: ${sentence(problems)} Yine de doğruysa nedenini yazarak kabul edin.`,
    cli: '--accept-problems REASON',
  },
  file_brings_nothing: {
    en: ({ file }) => `${file} brings nothing new: its lines and balances were imported before. Nothing was imported.`,
    tr: ({ file }) =>
      `${file} yeni bir şey getirmiyor: satırları ve bakiyeleri daha önce aktarılmış. Hiçbir şey aktarılmadı.`,
  },
  file_changed_while_read: {
    en: ({ file }) => `${file} changed while it was read. Nothing was imported; import it again.`,
    tr: ({ file }) => `${file} okunurken değişti. Bu dosyadan hiçbir satır aktarılmadı; yeniden yükleyin.`,
  },
  file_forged: {
    en: ({ file, person }) =>
      `Vezne has no record that ${person} imported file ${file} as it is stored. Nothing of it is booked: undo it, and tell the person who runs Vezne.`,
    tr: ({ file, person }) =>
      `Vezne’de ${file} dosyasını bu hâliyle ${person} adlı kişinin aktardığına dair kayıt yok. Dosyadan hiçbir şey deftere geçmez: aktarmayı geri alın ve Vezne’yi yöneten kişiye haber verin.`,
    cli: ({ file }) => `vezne statement undo ${file}\nvezne doctor`,
  },
  import_stopped: {
    en: ({ file, line }) =>
      `The import of file ${file} stopped at a line that was not new when two people approved it: ${line}. Undo it, and propose the file again.`,
    tr: ({ file, line }) =>
      `${file} dosyasının aktarması durdu: iki kişi onaylarken yeni olmayan bir satır geldi (${line}). Aktarmayı geri alın ve dosyayı yeniden önerin.`,
    cli: ({ file }) => `vezne statement undo ${file}`,
  },
  import_undone: {
    en: ({ file }) => `The import of file ${file} was undone already.`,
    tr: ({ file }) => `${file} dosyasının aktarması geri alınmış.`,
    cli: 'vezne statement list --files',
  },
  import_overlapped: {
    en: ({ newer }) =>
      `File ${newer}, imported later, has the same days; lines of both are booked from this one. Undo the later one first.`,
    tr: ({ newer }) =>
      `Sonra aktarılan ${newer} dosyasında aynı günler var; iki dosyada da olan satırlar bundan deftere geçti. Önce onun aktarmasını geri alın.`,
    cli: ({ newer }) => `vezne statement undo ${newer}`,
  },
  import_confirms_refunded: {
    en: ({ line }) =>
      `The import cannot be undone: it confirms line ${line}, whose money was refunded. Stop the refund first, if it is not sent.`,
    tr: ({ line }) =>
      `Aktarma geri alınamaz: parası iade edilen ${line} satırı bu dosyayla kesinleşti. İade gönderilmediyse önce onu durdurun.`,
    cli: 'vezne withdrawal stop',
  },
}

/** The last may be a question. */
const sentence = (problems: readonly string[]) => problems.join('; ').replace(/[^.?]$/, '$&.')
