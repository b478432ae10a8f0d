import type { DAYS, IMPORTS } from '../../kernel/refusals/books.ts'
import type { Sentences } from './sentence.ts'
import { gun } from './words.ts'

export const DAY_SENTENCES: Sentences<typeof DAYS> = {
  day_malformed: { en: 'must be a day such as 2026-11-16', tr: '2026-11-16 gibi bir gün olmalı' },
  month_malformed: { en: 'must be a month such as 2026-11', tr: '2026-11 gibi bir ay olmalı' },
  period_reversed: { en: 'must not be before the first day', tr: 'başlangıçtan önce olamaz' },
  day_closed: {
    en: ({ day, until }) => `${day} is already closed: the books are closed up to ${until}.`,
    tr: ({ day, until }) => `${gun(day)} zaten kapalı; defter ${gun(until)} gününe kadar kapalı.`,
  },
  day_not_next: {
    en: ({ next }) => `Days are closed in order. The next one is ${next}.`,
    tr: ({ next }) => `Günler sırayla kapatılır: sıradaki gün ${gun(next)}.`,
  },
  day_not_over: {
    en: ({ day, from, time }) => `${day} is not over yet. It can be closed from ${from} ${time} (Istanbul time).`,
    tr: ({ day, from, time }) =>
      `${gun(day)} henüz bitmedi. ${gun(from)} ${time} (İstanbul saati) itibarıyla kapatılabilir.`,
  },
  day_not_proven: {
    en: ({ day, ibans }) =>
      `Not proven: the bank usually gives a balance for ${ibans.join(', ')}, but gave none for ${day}. Import the statement of ${day} or of the next day. Otherwise accept the day and give a reason.`,
    tr: ({ day, ibans }) =>
      `Doğrulanamadı: banka ${ibans.join(', ')} için genelde bakiye verir, ama ${gun(day)} bakiyesini vermedi. O günün veya sonraki günün ekstresini yükleyin; yoksa nedenini yazarak kabul edin.`,
    cli: '--why TEXT',
  },
  day_not_explained: {
    en: ({ ibans }) =>
      `Not everything is explained on ${ibans.join(', ')}. Explain the differences, or accept them and give a reason.`,
    tr: ({ ibans }) =>
      `${ibans.join(', ')} ${ibans.length > 1 ? 'hesaplarında' : 'hesabında'} açıklanmamış farklar var. Farkları açıklayın ya da nedenini yazarak kabul edin.`,
    cli: ({ day }) => `vezne books day ${day}\n--why TEXT`,
  },
  day_figures_not_seen: {
    en: ({ day, figures, seen }) =>
      `The figures of ${day} are not the ones you saw (fingerprint ${seen} then, ${figures} now). Look again.`,
    tr: ({ day, figures, seen }) =>
      `${gun(day)} gününün rakamları gördüğünüz gibi değil (parmak izi ${seen} idi, şimdi ${figures}). Yeniden bakın.`,
    cli: ({ day }) => `vezne books day ${day}`,
  },
  day_not_last_closed: {
    en: ({ last }) =>
      last === null ? 'No day is closed.' : `The last closed day is ${last}; days are reopened in reverse order.`,
    tr: ({ last }) =>
      last === null ? 'Kapalı gün yok.' : `Son kapalı gün ${gun(last)}; günler sondan başlayarak açılır.`,
  },
}

const SUBJECTS = { deposit: 'yatırımı', withdrawal: 'çekimi' }

export const IMPORT_SENTENCES: Sentences<typeof IMPORTS> = {
  import_line_in_entry: {
    en: ({ line, entry }) =>
      `The import cannot be undone: line ${line} belongs to journal entry ${entry}. If the line is not valid at the bank, propose reversing that entry. Once that is approved, two people dismiss the line.`,
    tr: ({ line, entry }) =>
      `Aktarma geri alınamaz: ${line} satırı ${entry} kaydıyla deftere geçti. Satır bankada geçersizse önce o kaydın geri alınmasını önerin. Öneri onaylanınca iki kişi satırın geçersiz olduğunu bildirir.`,
    cli: ({ line, entry }) => `vezne journal reverse ${entry}\nvezne line dismiss ${line}`,
  },
  import_line_matched: {
    en: ({ line, kind, transaction }) =>
      `The import cannot be undone: line ${line} is matched to ${kind} ${transaction}. If the line is not valid at the bank, propose undoing the match. Once that is approved, two people dismiss the line.`,
    tr: ({ line, kind, transaction }) =>
      `Aktarma geri alınamaz: ${line} satırı ${transaction} ${SUBJECTS[kind]} ile eşleşmiş. Satır bankada geçersizse önce eşleşmenin geri alınmasını önerin. Öneri onaylanınca iki kişi satırın geçersiz olduğunu bildirir.`,
    cli: ({ line, kind, transaction }) =>
      `vezne journal propose unmatch --${kind} ${transaction}\nvezne line dismiss ${line}`,
  },
  import_line_held: {
    en: ({ line, kind, transaction }) =>
      `The import cannot be undone: line ${line} is held for ${kind} ${transaction}. If the line is not valid at the bank, put its money in suspense; then two people dismiss the line.`,
    tr: ({ line, kind, transaction }) =>
      `Aktarma geri alınamaz: ${line} satırı ${transaction} ${SUBJECTS[kind]} için tutuluyor. Satır bankada geçersizse önce parayı askıya alın, sonra iki kişi satırın geçersiz olduğunu bildirir.`,
    cli: ({ line }) => `vezne line suspend ${line}\nvezne line dismiss ${line}`,
  },
  import_line_decided: {
    en: ({ line, decidedBy }) =>
      `The import cannot be undone: ${decidedBy} has already decided on line ${line}. If the line is not valid at the bank, two people dismiss it first.`,
    tr: ({ line, decidedBy }) =>
      `Aktarma geri alınamaz: ${line} satırı için ${decidedBy} karar vermiş. Satır bankada geçersizse önce iki kişi bunu bildirir.`,
    cli: ({ line }) => `vezne line dismiss ${line}`,
  },
}
