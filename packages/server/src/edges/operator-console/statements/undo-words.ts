import type { Language } from '../../web/console/site.ts'

const tr = {
  done: (who: string, why: string) => `${who} geri aldı: ${why}`,
  title: 'Aktarmayı geri al',
  effect: (count: number) =>
    count === 0
      ? 'Dosyadan yeni satır gelmemişti; bakiyeleri kayıtlardan çıkar. Günlerin bakiyeleri kalan dosyalardan yeniden alınır. Düzeltilmiş dosya sonra yüklenebilir.'
      : `${count} satır kayıtlardan çıkar: askıdaki paralar ters kayıtla kapanır, günlerin bakiyeleri kalan dosyalardan yeniden alınır. Düzeltilmiş dosya sonra yüklenebilir.`,
  closedBy: (who: string) => `kapalı bir gün; kapatanlar: ${who}.`,
  moreClosed: (count: number) => `${count} kapalı gün daha var.`,
  willShow: 'Bakiyesi veya satırları geri alınırsa gün “sonradan değişen kapalı gün” olarak görünür.',
  refused: 'Geri alınamaz',
  toLine: 'Satırı aç',
  why: 'Gerekçe; kişisel bilgi yazmayın',
  now: (count: number) => (count === 0 ? 'Bakiyeyi geri al' : `${count} satırı geri al`),
  back: 'Dosyaya dön',
}

const en: typeof tr = {
  done: (who, why) => `Undone by ${who}: ${why}`,
  title: 'Undo the import',
  effect: (count) =>
    count === 0
      ? 'No new line came from the file; its balances leave the books. The balances of the days are those of the files that remain. A corrected file can then be uploaded.'
      : `${count === 1 ? '1 line leaves' : `${count} lines leave`} the books: money in suspense is reversed, and the balances of the days are those of the files that remain. A corrected file can then be uploaded.`,
  closedBy: (who) => `is a closed day; closed by ${who}.`,
  moreClosed: (count) => (count === 1 ? '1 more day is closed.' : `${count} more days are closed.`),
  willShow: 'If its balance or its lines are taken back, the day is shown as a closed day that has changed.',
  refused: 'It cannot be undone',
  toLine: 'Open the line',
  why: 'Reason, without personal data',
  now: (count) => (count === 0 ? 'Undo the balance' : count === 1 ? 'Undo 1 line' : `Undo ${count} lines`),
  back: 'Back to the file',
}

export const UNDO_WORDS: Record<Language, typeof tr> = { tr, en }
