import type { Language } from '../../web/console/site.ts'

/** Outcomes of the forms. */
export const SAID: Record<Language, Record<string, string>> = {
  tr: {
    dayProposed: 'Öneriniz kaydedildi. Başka biri onaylarsa gün kapanır.',
    dayClosed: 'Gün kapandı.',
    reopenProposed: 'Öneriniz kaydedildi. Başka biri onaylarsa gün yeniden açılır.',
    dayReopened: 'Gün yeniden açıldı.',
  },
  en: {
    dayProposed: 'Your proposal is recorded. The day is closed when another person approves it.',
    dayClosed: 'The day is closed.',
    reopenProposed: 'Your proposal is recorded. The day is reopened when another person approves it.',
    dayReopened: 'The day is open again.',
  },
}
