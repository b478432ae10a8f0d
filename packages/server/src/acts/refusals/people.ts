import type { PEOPLE } from '../../kernel/refusals/people.ts'
import type { Sentences } from './sentence.ts'

export const PEOPLE_SENTENCES: Sentences<typeof PEOPLE> = {
  proof_needed: {
    en: 'Enter your password or a code again: this takes one from the last ten minutes.',
    tr: 'Önce parolanızı ya da kodunuzu yeniden girin: bu işlem son on dakikada girilmiş olanı ister.',
  },
  reason_missing: {
    en: 'must give a reason of at least five characters',
    tr: 'en az beş karakterle bir neden yazın',
  },
}
