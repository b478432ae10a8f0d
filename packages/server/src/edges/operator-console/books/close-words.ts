import type { Language } from '../../web/console/site.ts'

const tr = {
  closedAt: 'kapanış:',
  acceptedAtClose: (money: string) => `${money} kabul edildi`,
  did: {
    proposed: 'öneren',
    close: 'kapatan',
    reopen: 'yeniden açan',
  },
  filesWait: 'Yüklenen, ama aktarılmayan ekstre dosyası var',
  notChecked: 'kontrol edilmedi',
}

const en: typeof tr = {
  closedAt: 'at the close',
  acceptedAtClose: (money) => `${money} accepted`,
  did: {
    proposed: 'proposed by',
    close: 'closed by',
    reopen: 'reopened by',
  },
  filesWait: 'Statement files were uploaded and not imported',
  notChecked: 'not checked',
}

/** About days that were closed, were not checked, or can be closed. */
export const CLOSE_WORDS: Record<Language, typeof tr> = { tr, en }
