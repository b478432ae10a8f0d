import type { DAYS, IMPORTS } from '../../kernel/refusals/books.ts'
import type { Sentences } from './sentence.ts'
import { gun } from './words.ts'

/** Figures of a day that are not the balance of a ledger account. */
const FIGURES: Readonly<Record<string, string>> = {
  opening: 'açılış',
  credits: 'giren',
  debits: 'çıkan',
  closing: 'kapanış',
  ledger: 'defterdeki nakit',
  carried: 'hesaplanan kapanış',
  merchant_available: 'satıcılar, kullanılabilir',
  merchant_held: 'satıcılar, çekim için ayrılan',
  payouts_in_transit: 'yoldaki çekimler',
  fees: 'komisyonlar',
  suspense: 'askı',
  unexplained_debits: 'açıklanmayan çıkışlar',
  bank_cash: 'bankadaki nakit',
  bank_charges: 'banka masrafları',
  bank_taxes: 'banka vergileri',
  interest: 'faiz',
  receivables: 'bankadan alacaklar',
  operator_funds: 'kendi paramız',
}

export const DAY_SENTENCES: Sentences<typeof DAYS> = {
  day_malformed: { en: 'must be a day such as 2026-11-16', tr: '2026-11-16 gibi bir gün olmalı' },
  month_malformed: { en: 'must be a month such as 2026-11', tr: '2026-11 gibi bir ay olmalı' },
  period_reversed: { en: 'must not be before the first day', tr: 'başlangıçtan önce olamaz' },
  day_closed: {
    en: ({ day, until }) => `${day} is already closed; the books are closed until ${until}.`,
    tr: ({ day, until }) => `${gun(day)} zaten kapalı; defter ${gun(until)} gününe kadar kapalı.`,
  },
  day_not_next: {
    en: ({ next }) => `Days are closed in order: the next one is ${next}.`,
    tr: ({ next }) => `Günler sırayla kapatılır: sıradaki gün ${gun(next)}.`,
  },
  day_not_over: {
    en: ({ day, from, time }) => `${day} is not over: it can be closed from ${from} ${time} (Istanbul) on.`,
    tr: ({ day, from, time }) => `${gun(day)} henüz bitmedi: ${gun(from)} ${time} (İstanbul) itibarıyla kapatılabilir.`,
  },
  day_not_proven: {
    en: ({ day, ibans }) =>
      `Not proven: the bank usually gives a balance for ${ibans.join(', ')}, but gave none for ${day}. Import the statement of ${day} or of the next day, or both people accept it and say why.`,
    tr: ({ day, ibans }) =>
      `Doğrulanamadı: banka genelde bakiye verdiği ${ibans.join(', ')} için ${gun(day)} bakiyesini vermedi. ${gun(day)} gününün veya sonraki günün ekstresini yükleyin ya da iki kişi nedenini yazarak kabul etsin.`,
    cli: '--why TEXT',
  },
  day_not_explained: {
    en: ({ ibans }) => `Not everything is explained on ${ibans.join(', ')}. Both people may accept it and say why.`,
    tr: ({ ibans }) =>
      `${ibans.join(', ')} ${ibans.length > 1 ? 'hesaplarında' : 'hesabında'} açıklanmamış kalemler var. İki kişi nedenini yazarak kabul edebilir.`,
    cli: ({ day }) => `vezne books day ${day}\n--why TEXT`,
  },
  day_without_proposal: {
    en: ({ day }) => `There is no open proposal about ${day}.`,
    tr: ({ day }) => `${gun(day)} günü için açık öneri yok.`,
  },
  day_close_not_proposed: {
    en: ({ day }) => `No one has proposed to close ${day}. Propose it first.`,
    tr: ({ day }) => `${gun(day)} gününü kapatmayı henüz kimse önermedi. Önce önerin.`,
    cli: ({ day }) => `vezne books close ${day} --as NAME`,
  },
  day_figures_not_seen: {
    en: ({ day, figures, seen }) => `The figures of ${day} are ${figures} now, not ${seen}. Look again.`,
    tr: ({ day, figures, seen }) =>
      `${gun(day)} gününün rakamları gördüğünüz gibi değil (parmak izi ${seen} idi, şimdi ${figures}). Yeniden bakın.`,
    cli: ({ day }) => `vezne books day ${day}`,
  },
  day_figures_changed: {
    en: ({ proposedBy, changed, more }) =>
      `The figures have changed since ${proposedBy} proposed them: ${[...changed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}. Look again, and propose it anew.`,
    tr: ({ proposedBy, changed, more }) =>
      `Rakamlar ${proposedBy} önerdikten sonra değişti: ${[...changed, ...(more > 0 ? [`ve ${more} rakam daha`] : [])].join('; ')}. Yeniden bakın ve yeniden önerin.`,
    cli: ({ day }) => `vezne books day ${day}\nvezne books close ${day} --as NAME`,
  },
  day_figure_changed: {
    en: ({ account, figure, subject, before, now }) =>
      `${[account, figure, ...(subject === null ? [] : [subject])].join(' ')}: ${before ?? 'none'} → ${now ?? 'none'}`,
    tr: ({ account, figure, subject, before, now }) =>
      `${account} ${FIGURES[figure] ?? `fark kalemi ${subject ?? ''}`.trim()}: ${before ?? 'yok'} → ${now ?? 'yok'}`,
  },
  day_proposer_not_entitled: {
    en: ({ proposedBy }) => `${proposedBy}, who proposed it, may not decide any more. Propose it anew.`,
    tr: ({ proposedBy }) => `Öneren ${proposedBy} artık karar veremez. Yeniden önerin.`,
    cli: ({ day }) => `vezne books close ${day} --as NAME`,
  },
  day_not_last_closed: {
    en: ({ last }) =>
      last === null ? 'No day is closed.' : `The last closed day is ${last}; days are reopened in reverse order.`,
    tr: ({ last }) =>
      last === null ? 'Kapalı gün yok.' : `Son kapalı gün ${gun(last)}; günler sondan başlayarak açılır.`,
  },
}

const SUBJECTS = { deposit: 'no’lu yatırım', withdrawal: 'no’lu çekim' }

export const IMPORT_SENTENCES: Sentences<typeof IMPORTS> = {
  import_line_in_entry: {
    en: ({ line, entry }) =>
      `The import cannot be undone: line ${line} belongs to journal entry ${entry}. If the bank does not count the line, propose to take that entry back; once another person has approved, two people dismiss the line.`,
    tr: ({ line, entry }) =>
      `Aktarma geri alınamaz: ${line} satırı ${entry} no’lu kayıtla deftere geçti. Satır bankada geçersizse önce o kaydın geri alınmasını önerin; başka biri onaylayınca iki kişi satırın geçersiz olduğunu bildirsin.`,
    cli: ({ line, entry }) => `vezne journal reverse ${entry}\nvezne line dismiss ${line}`,
  },
  import_line_matched: {
    en: ({ line, kind, transaction }) =>
      `The import cannot be undone: line ${line} is matched to ${kind} ${transaction}. If the bank does not count the line, propose to take the match back; once another person has approved, two people dismiss the line.`,
    tr: ({ line, kind, transaction }) =>
      `Aktarma geri alınamaz: ${line} satırı ${transaction} ${SUBJECTS[kind]} ile eşleşmiş. Satır bankada geçersizse önce eşleşmenin geri alınmasını önerin; başka biri onaylayınca iki kişi satırın geçersiz olduğunu bildirsin.`,
    cli: ({ line, kind, transaction }) =>
      `vezne journal propose unmatch --${kind} ${transaction}\nvezne line dismiss ${line}`,
  },
  import_line_held: {
    en: ({ line, kind, transaction }) =>
      `The import cannot be undone: line ${line} is held for ${kind} ${transaction}. If the bank does not count the line, put its money in suspense; then two people dismiss it.`,
    tr: ({ line, kind, transaction }) =>
      `Aktarma geri alınamaz: ${line} satırı ${transaction} ${SUBJECTS[kind]} için bekletiliyor. Satır bankada geçersizse önce parayı askıya alın, sonra iki kişi satırın geçersiz olduğunu bildirsin.`,
    cli: ({ line }) => `vezne line suspend ${line}\nvezne line dismiss ${line}`,
  },
  import_line_decided: {
    en: ({ line, decidedBy }) =>
      `The import cannot be undone: ${decidedBy} has decided about line ${line}. If the bank does not count the line, two people dismiss it first.`,
    tr: ({ line, decidedBy }) =>
      `Aktarma geri alınamaz: ${line} satırı hakkında ${decidedBy} karar vermiş. Satır bankada geçersizse önce iki kişi bunu bildirsin.`,
    cli: ({ line }) => `vezne line dismiss ${line}`,
  },
}
