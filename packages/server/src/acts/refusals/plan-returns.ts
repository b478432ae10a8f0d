import type { PLAN_RETURNS } from '../../kernel/refusals/plans.ts'
import { lineOptions } from './plan-payouts.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

export const PLAN_RETURNS_SENTENCES: Sentences<typeof PLAN_RETURNS> = {
  payout_not_back: {
    en: ({ withdrawal, state }) => `Payout ${withdrawal} is ${state}: its merchant does not have the money back.`,
    tr: ({ withdrawal, state }) => `${withdrawal} numaralı çekim ${durum(state)}: para satıcıya geri dönmedi.`,
  },
  payout_cannot_return: {
    en: ({ withdrawal, state }) =>
      `Payout ${withdrawal} is ${state}; only one that was sent and did not come back can come back.`,
    tr: ({ withdrawal, state }) =>
      `${withdrawal} numaralı çekim ${durum(state)}; yalnızca gönderilmiş ve geri dönmemiş bir çekim geri dönebilir.`,
  },
  return_not_read: {
    en: ({ withdrawal }) =>
      `The bank reported payout ${withdrawal} as returned, and no credit shows it yet. Propose this again when the credit is there.`,
    tr: ({ withdrawal }) =>
      `Banka ${withdrawal} numaralı çekimin geri döndüğünü bildirdi, ancak alacak satırı henüz gelmedi. Satır gelince yeniden önerin.`,
  },
  payout_return_booked: {
    en: ({ withdrawal }) => `The return of payout ${withdrawal} has its line already.`,
    tr: ({ withdrawal }) => `${withdrawal} numaralı çekimin iadesi zaten bir satıra bağlı.`,
  },
  return_is_whole: {
    en: ({ withdrawal, before, ordered, came }) =>
      `The return of payout ${withdrawal} has its line already: ${before} of ${ordered} came back, so ${came} more cannot.`,
    tr: ({ withdrawal, before, ordered, came }) =>
      `${withdrawal} numaralı çekimin iadesi zaten bir satıra bağlı: ${ordered} tutarın ${before} kadarı döndü, ${came} daha dönemez.`,
  },
  return_above_payout: {
    en: ({ came, ordered }) =>
      `${came} came, ${ordered} was ordered: more cannot come back than was sent. If the bank had debited more, say what the rest is: owed by the bank, or a charge. Give what no one can explain as the rest; it stays in suspense.`,
    tr: ({ came, ordered }) =>
      `${came} geldi, çekim ${ordered} idi: gönderilenden fazlası geri dönemez. Banka fazlasını çekmişse farkın ne olduğunu belirtin: bankadan alacak veya banka masrafı. Kimsenin açıklayamadığı tutarı “kalan” olarak yazın; askıda kalır.`,
    cli: '--settles ENTRY\n--charge KURUS\n--rest KURUS',
  },
  return_below_payouts: {
    en: ({ line, has, payouts, rest }) =>
      `Line ${line} has ${has}, the payouts have ${payouts} together, and the rest ${rest}: the line is not the return of all of them. Leave out what did not come back.`,
    tr: ({ line, has, payouts, rest }) =>
      `${line} numaralı satır ${has}, çekimlerin toplamı ${payouts}, kalan ${rest}: satır hepsinin iadesi değil. Geri dönmeyenleri çıkarın.`,
  },
  return_parts_missing: {
    en: ({ total, ordered, missing }) =>
      `The lines have ${total} of the ${ordered} of the payout: ${missing} is missing. It may come in a later line; until then these stay in suspense. If the bank says that no more comes, propose a return less costs.`,
    tr: ({ total, ordered, missing }) =>
      `Satırların toplamı ${total}, çekim ${ordered}: ${missing} eksik. Eksik tutar sonraki bir satırda gelebilir; o zamana kadar bu satırlar askıda kalır. Banka başka gelmeyeceğini söylerse masraflı iade olarak önerin.`,
    cli: (facts) => withCosts(facts),
  },
  return_had_costs: {
    en: ({ withdrawal }) =>
      `A part of payout ${withdrawal} came back before, less costs. This is more of it: propose it as a return less costs, too.`,
    tr: ({ withdrawal }) =>
      `${withdrawal} numaralı çekimin bir kısmı masraf düşülerek daha önce döndü. Bu, onun devamı: bunu da masraflı iade olarak önerin.`,
    cli: (facts) => withCosts(facts),
  },
  return_costs_of_other: {
    en: ({ bearer }) =>
      `The ${bearer} bore the costs of the part that came first, and gets what comes later: choose the same here.`,
    tr: ({ bearer }) =>
      bearer === 'merchant'
        ? 'İlk gelen kısmın masrafını satıcı ödedi; sonradan gelen de satıcınındır. Burada da satıcıyı seçin.'
        : 'İlk gelen kısmın masrafını biz ödedik; sonradan gelen de bizimdir. Burada da “biz”i seçin.',
    cli: ({ bearer }) => `--costs ${bearer}`,
  },
  return_has_no_rest: {
    en: ({ line, withdrawal }) =>
      `Line ${line} has no more than the payout. Record it as the return of payout ${withdrawal}.`,
    tr: ({ line, withdrawal }) =>
      `${line} numaralı satır çekimden fazlasını içermiyor. ${withdrawal} numaralı çekimin iadesi olarak kaydedin.`,
    cli: ({ line, withdrawal }) => `vezne line return ${line} --withdrawal ${withdrawal}`,
  },
  return_above_receivable: {
    en: ({ more, open }) => `${more} more came than the payout, but only ${open} is still owed.`,
    tr: ({ more, open }) => `Çekimden ${more} fazla geldi; bankadan kalan alacak ise ${open}.`,
  },
  return_not_all_charge: {
    en: ({ more, borne }) =>
      `${more} more came than the payout, and ${borne} was booked as a charge for it. The charge must be all that is more, and no more than what was booked. Give what no one can explain as the rest; it stays in suspense.`,
    tr: ({ more, borne }) =>
      `Çekimden ${more} fazla geldi; bunun için ${borne} masraf kaydedilmişti. Masraf, fazlanın tamamı olmalı ve kaydedilen masrafı aşmamalı. Kimsenin açıklayamadığı tutarı “kalan” olarak yazın; askıda kalır.`,
    cli: '--charge KURUS\n--rest KURUS',
  },
  return_gave_more: {
    en: ({ entry }) =>
      `The credit gave back more than the payout. To take it back as a whole, take entry ${entry} back.`,
    tr: ({ entry }) =>
      `Bu alacak satırı çekimden fazlasını geri verdi. Tamamını geri almak için ${entry} numaralı kaydı geri alın.`,
    cli: ({ entry }) => `vezne journal reverse ${entry}`,
  },
  return_of_refund: {
    en: ({ withdrawal }) =>
      `The return of payout ${withdrawal}, a refund of unexplained money, has put that money into suspense again. If the recipient has it, the bank must say so: the debit is then explained with the line that was refunded.`,
    tr: ({ withdrawal }) =>
      `${withdrawal} numaralı çekim, açıklanamayan bir paranın iadesiydi; geri döndüğü için para yeniden askıda. Paranın alıcıda olduğunu banka söylerse borç satırı, iade edilen satırla birlikte açıklanır.`,
  },
  charge_not_given_back: {
    en: ({ withdrawal, line, entry }) =>
      `The bank took payout ${withdrawal}, or its return, and the merchant was charged for that. A credit gives the charge back first: propose line ${line} as what settles entry ${entry}.`,
    tr: ({ withdrawal, line, entry }) =>
      `Banka ${withdrawal} numaralı çekimin veya iadesinin parasını aldı; tutar satıcının bakiyesinden düşüldü. Gelen para önce satıcıya geri verilir: ${line} numaralı satırı, ${entry} numaralı kaydı kapatan para olarak önerin.`,
    cli: ({ line, entry }) => `vezne journal propose receivable --line ${line} --settles ${entry}`,
  },
  credit_above_charge: {
    en: ({ came, left }) => `${came} came, ${left} was charged or is owed: this line is not, or not only, its return.`,
    tr: ({ came, left }) =>
      `${came} geldi; satıcıdan alınan tutarla bankadan alacağın toplamı ise ${left}. Bu satır onun geri ödemesi değil ya da yalnızca o değil.`,
  },
  credit_above_receivable: {
    en: ({ came, open }) =>
      `${came} came, ${open} is still owed: this line is not, or not only, its return. Give what is left of it as the rest; that stays in suspense.`,
    tr: ({ came, open }) =>
      `${came} geldi; bankadan kalan alacak ise ${open}. Bu satır onun geri ödemesi değil ya da yalnızca o değil. Artan tutarı “kalan” olarak yazın; askıda kalır.`,
    cli: '--rest KURUS',
  },
  refunded_line_used: {
    en: ({ line, state, reason, back, id }) =>
      `The return has put line ${line} into suspense again, and it was used since (${state}${reason === null ? '' : `, ${reason}`}). ${BACK_EN[back](id)}`,
    tr: ({ line, state, back, id }) =>
      `Geri dönen iade ${line} numaralı satırı yeniden askıya aldı; para o zamandan beri kullanıldı (${durum(state)}). ${BACK_TR[back](id)}`,
    cli: ({ back, id }) => BACK_COMMAND[back](id),
  },
}

function withCosts({ withdrawal, lines }: { withdrawal: string; lines: readonly string[] }): string {
  return `vezne journal propose return_with_costs ${lineOptions(lines)} --withdrawal ${withdrawal} --costs WHO`
}

const BACK_EN = {
  suspend: () => 'First put it into suspense.',
  restore: () => 'First let it count again.',
  stop: (id: string) =>
    `First stop withdrawal ${id}, which refunds it again. If that was sent, the sender has the money twice unless this return is right: claim it back.`,
  reverse: (id: string) => `First take entry ${id} back.`,
  unmatch_deposit: (id: string) => `First take its match with deposit ${id} back.`,
  unmatch_withdrawal: (id: string) => `First take its match with withdrawal ${id} back.`,
  look: () => 'First look at what it was used for.',
}

const BACK_TR = {
  suspend: () => 'Önce satırı askıya alın.',
  restore: () => 'Önce satır yeniden geçerli sayılmalı.',
  stop: (id: string) =>
    `Önce onu yeniden iade eden ${id} numaralı çekimi durdurun. O çekim gönderildiyse ve bu iade doğru değilse para gönderende iki kez var: geri isteyin.`,
  reverse: (id: string) => `Önce ${id} numaralı kaydı geri alın.`,
  unmatch_deposit: (id: string) => `Önce ${id} numaralı yatırımla eşleşmesini geri alın.`,
  unmatch_withdrawal: (id: string) => `Önce ${id} numaralı çekimle eşleşmesini geri alın.`,
  look: () => 'Önce ne için kullanıldığına bakın.',
}

const BACK_COMMAND = {
  suspend: (id: string) => `vezne line suspend ${id}`,
  restore: (id: string) => `vezne line restore ${id}`,
  stop: (id: string) => `vezne withdrawal stop ${id}`,
  reverse: (id: string) => `vezne journal reverse ${id}`,
  unmatch_deposit: (id: string) => `vezne journal propose unmatch --deposit ${id}`,
  unmatch_withdrawal: (id: string) => `vezne journal propose unmatch --withdrawal ${id}`,
  look: (id: string) => `vezne line show ${id}`,
}
