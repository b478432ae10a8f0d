import type { PROPOSALS } from '../../kernel/refusals/proposals.ts'
import type { Sentences } from './sentence.ts'

const DECIDED = {
  en: {
    applied: 'approved',
    rejected: 'rejected',
    withdrawn: 'taken back',
    expired: 'closed: it expired, or what it was about has ended',
  },
  tr: {
    applied: 'onaylandı',
    rejected: 'reddedildi',
    withdrawn: 'geri alındı',
    expired: 'kapandı: süresi doldu ya da konusu sona erdi',
  },
}

export const PROPOSALS_SENTENCES: Sentences<typeof PROPOSALS> = {
  proposal_decided: {
    en: ({ state, by }) => `The proposal was already ${DECIDED.en[state]}${by === null ? '' : ` by ${by}`}.`,
    tr: ({ state, by }) => `Bu öneri zaten ${DECIDED.tr[state]}${by === null ? '' : ` (${by})`}.`,
  },
  proposal_expired: {
    en: 'The proposal has expired after seven days. Propose it again.',
    tr: 'Önerinin yedi günlük süresi doldu. Yeniden önerin.',
  },
  proposer_without_right: {
    en: ({ proposedBy }) =>
      `${proposedBy}, who proposed this, is no longer allowed to decide. Reject it and propose it again.`,
    tr: ({ proposedBy }) => `Öneren ${proposedBy} artık karar veremez. Reddedip yeniden önerin.`,
    cli: ({ proposal }) => `vezne proposal reject ${proposal} --why TEXT`,
  },
  proposal_outdated: {
    en: 'This has changed since it was proposed or since you saw it. Look again; if the change is permanent, reject the proposal and make a new one.',
    tr: 'Öneriden sonra veya siz gördükten sonra değişti. Yeniden bakın; değişiklik kalıcıysa reddedip yeniden önerin.',
    cli: ({ proposal }) => `vezne proposal show ${proposal}`,
  },
  proposal_not_understood: {
    en: 'This proposal was written by another version of Vezne and cannot be read by this one. Reject it and propose it again.',
    tr: 'Bu öneriyi başka bir Vezne sürümü yazdı; bu sürüm okuyamıyor. Reddedip yeniden önerin.',
  },

  proposed_file_differs: {
    en: 'The file would now import other lines than proposed. Approve the files of earlier days first, or reject the proposal and upload the file again.',
    tr: 'Dosyadan alınacak satırlar artık önerilenle aynı değil. Önce eski günlerin dosyalarını onaylayın ya da öneriyi reddedip dosyayı yeniden yükleyin.',
  },
  proposed_file_gone: {
    en: 'The file is no longer stored. Upload it again: uploading the same file approves it.',
    tr: 'Dosya artık saklanmıyor. Yeniden yükleyin: aynı dosyayı yüklemek onay yerine geçer.',
  },

  restore_released: {
    en: 'Someone else has already restarted the payouts.',
    tr: 'Bu arada başka biri ödemeleri yeniden başlattı.',
  },
  restore_check_missing: {
    en: 'Whoever approves this must run the check first, with a command on the server; a page cannot do it.',
    tr: 'Onaylayan kişi önce kendisi denetlemeli: denetim bu sayfadan değil, sunucudaki bir komutla yapılır.',
    cli: 'vezne restore-check --release',
  },
}
