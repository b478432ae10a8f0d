import type { CHANGES } from '../../kernel/refusals/changes.ts'
import type { Sentences } from './sentence.ts'

const DECIDED = {
  en: { applied: 'applied', rejected: 'rejected', withdrawn: 'withdrawn', expired: 'closed as expired' },
  tr: {
    applied: 'uygulandı',
    rejected: 'reddedildi',
    withdrawn: 'geri çekildi',
    expired: 'süresi dolduğu için kapandı',
  },
}

export const CHANGES_SENTENCES: Sentences<typeof CHANGES> = {
  change_decided: {
    en: ({ state, by }) => `The change was already ${DECIDED.en[state]}${by === null ? '' : ` by ${by}`}.`,
    tr: ({ state, by }) => `Bu değişiklik zaten ${DECIDED.tr[state]}${by === null ? '' : ` (${by})`}.`,
  },
  change_expired: {
    en: 'The proposal has expired: it was open for more than seven days. Propose it again.',
    tr: 'Önerinin süresi doldu: yedi günden uzun açık kaldı. Yeniden önerin.',
  },
  change_own: {
    en: ({ proposedBy }) => `${proposedBy} has proposed it; another person must approve it.`,
    tr: ({ proposedBy }) => `Bunu ${proposedBy} önerdi; başka biri onaylamalı.`,
  },
  change_proposer_without_right: {
    en: ({ proposedBy }) => `${proposedBy}, who proposed it, may not decide any more. Reject it and propose it again.`,
    tr: ({ proposedBy }) => `Öneren ${proposedBy} artık karar veremez. Reddedip yeniden önerin.`,
    cli: ({ change }) => `vezne change reject ${change} --why TEXT`,
  },
  change_outdated: {
    en: 'It has changed since it was proposed or since you saw it. Look at it again; if it stays so, reject it and propose it again.',
    tr: 'Önerildikten veya siz gördükten sonra değişti. Yeniden bakın; değişiklik kalıcıysa reddedip yeniden önerin.',
    cli: ({ change }) => `vezne change show ${change}`,
  },
  change_not_understood: {
    en: 'Another version of Vezne wrote this proposal, and this one cannot read it. Reject it and propose it again.',
    tr: 'Bu öneriyi başka bir Vezne sürümü yazdı; bu sürüm okuyamıyor. Reddedip yeniden önerin.',
  },

  proposed_file_differs: {
    en: 'What the file would bring is not what was proposed. Approve files of earlier days first, or reject it and upload the file again.',
    tr: 'Dosyadan alınacak satırlar önerilenle aynı değil. Önce eski günlerin dosyalarını onaylayın ya da öneriyi reddedip dosyayı yeniden yükleyin.',
  },
  proposed_file_gone: {
    en: 'The file is not kept any more. Upload it again: to upload the same file approves it.',
    tr: 'Dosya artık saklanmıyor. Yeniden yükleyin: aynı dosyayı yüklemek onay yerine geçer.',
  },
  uploaded_file_changed: {
    en: ({ file }) => `${file} changed while it was read. Nothing was imported; import it again.`,
    tr: ({ file }) => `${file} okunurken değişti. Bu dosyadan hiçbir satır aktarılmadı; yeniden yükleyin.`,
  },

  restore_released: {
    en: 'Someone else has released it in the meantime.',
    tr: 'Bu arada başka biri ödemeleri yeniden başlattı.',
  },
  restore_check_missing: {
    en: 'The person who approves it checks it first: with a command on the server, not on a page.',
    tr: 'Onaylayan, önce kendisi denetler: bu, sayfadan değil, sunucudaki komutla yapılır.',
    cli: 'vezne restore-check --release',
  },
}
