import type { Language } from '../../web/console/site.ts'

/** Outcomes of the forms. */
export const SAID: Record<Language, Record<string, string>> = {
  tr: {
    dayProposed: 'Öneriniz kaydedildi. Aynı rakamları gören başka biri günü kapatabilir.',
    dayProposedToo:
      'Öneriniz kaydedildi, ama az önce başka biri de aynı rakamları önerdi. Gün henüz kapanmadı; isterseniz kapatın.',
    dayClosed: 'Gün kapandı.',
    reopenProposed: 'Öneriniz kaydedildi. Başka biri onaylarsa gün yeniden açılır.',
    dayReopened: 'Gün yeniden açıldı.',
    dayWithdrawn: 'Öneriniz geri alındı.',
    dayRejected: 'Öneri reddedildi.',
  },
  en: {
    dayProposed: 'Your proposal is recorded. Another person who sees the same figures can close the day.',
    dayProposedToo:
      'Your proposal is recorded, but another person has just proposed the same figures. The day is not closed yet; you can close it.',
    dayClosed: 'The day is closed.',
    reopenProposed: 'Your proposal is recorded. The day is reopened when another person agrees.',
    dayReopened: 'The day is open again.',
    dayWithdrawn: 'Your proposal is taken back.',
    dayRejected: 'The proposal is rejected.',
  },
}
