import type { Language } from '../../web/console/site.ts'

const tr = {
  proposals: 'Öneriler',
  noProposals: 'Onay bekleyen öneri yok.',
  stale:
    'Bu öneriden sonra bilgiler değişti veya öneriyi başka bir Vezne sürümü yazdı. Onaylanamaz: reddedip yeniden önerin.',
  noReason: 'neden yazılmadı',
  userOf: (merchant: string) => `${merchant} (satıcı kullanıcısı)`,
  withdraw: 'Geri al',
  oldestOf: (shown: number, all: number) =>
    `Bekleyen ${all} önerinin en eski ${shown} tanesi gösteriliyor; kararlar verildikçe ötekiler gelir.`,
  lookAtFile: 'Dosyayı incele',
  ended: {
    applied: (who: string) => `${who} onayladı`,
    rejected: (who: string) => `${who} reddetti`,
    withdrawn: (who: string) => `${who} geri aldı`,
  },
  proposalApplied: 'Onaylandı ve yürürlükte.',
  proposalRejected: 'Öneri kapandı; hiçbir şey değişmedi.',
  proposalMade: 'Öneri kaydedildi. Başka bir kişi Onaylar sayfasında onaylayınca yürürlüğe girer.',
  changeMade: 'Kaydedildi.',
  proposalUnchanged: 'Değişen bir şey yok.',
}

type Words = typeof tr

const en: Words = {
  proposals: 'Proposals',
  noProposals: 'No proposal waits for approval.',
  stale:
    'It has changed since it was proposed, or another version of Vezne wrote it, so it cannot be approved: reject it and propose it again.',
  noReason: 'no reason given',
  userOf: (merchant) => `a user of ${merchant}`,
  withdraw: 'Take back',
  oldestOf: (shown, all) =>
    `The oldest ${shown} of ${all} proposals that wait are shown; the others follow as these are decided.`,
  lookAtFile: 'Look at the file',
  ended: {
    applied: (who) => `${who} approved it`,
    rejected: (who) => `${who} rejected it`,
    withdrawn: (who) => `${who} took it back`,
  },
  proposalApplied: 'Approved: it is in force.',
  proposalRejected: 'The proposal is closed; nothing was changed.',
  proposalMade: 'Proposed. It is in force once another person approves it on the page Approvals.',
  changeMade: 'Saved.',
  proposalUnchanged: 'Nothing to change.',
}

export const WORDS: Record<Language, Words> = { tr, en }
