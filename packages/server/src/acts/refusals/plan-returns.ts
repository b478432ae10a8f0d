import type { PLAN_RETURNS } from '../../kernel/refusals/plans.ts'
import { lineOptions } from './plan-payouts.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

export const PLAN_RETURNS_SENTENCES: Sentences<typeof PLAN_RETURNS> = {
  payout_not_back: {
    en: ({ withdrawal, state }) => `Payout ${withdrawal} is ${state}: its merchant does not have the money back.`,
    tr: ({ withdrawal, state }) => `${withdrawal} çekimi ${durum(state)}: para satıcıya geri dönmedi.`,
  },
  payout_cannot_return: {
    en: ({ withdrawal, state }) =>
      `Payout ${withdrawal} is ${state}; only a payout that was sent and has not come back can be returned.`,
    tr: ({ withdrawal, state }) =>
      `${withdrawal} çekimi ${durum(state)}; yalnızca gönderilmiş ve geri dönmemiş bir çekimin iadesi olabilir.`,
  },
  return_not_read: {
    en: ({ withdrawal }) =>
      `The bank reported payout ${withdrawal} as returned, but its credit has not come yet. Propose this again when it has.`,
    tr: ({ withdrawal }) =>
      `Banka ${withdrawal} çekiminin geri döndüğünü bildirdi, ancak alacak satırı henüz gelmedi. Satır gelince yeniden önerin.`,
  },
  return_is_whole: {
    en: ({ withdrawal, before, ordered, came }) =>
      `The return of payout ${withdrawal} already has its line: ${before} of ${ordered} came back, so another ${came} cannot.`,
    tr: ({ withdrawal, before, ordered, came }) =>
      `${withdrawal} çekiminin iade satırı zaten var: ${ordered} tutarın ${before} kadarı döndü, ${came} daha dönemez.`,
  },
  return_above_payout: {
    en: ({ came, ordered }) =>
      `${came} came back, but ${ordered} was sent: no more can come back than was sent. If the bank had debited more, say what the difference is: owed by the bank, or a bank charge. Enter what no one can explain as the rest; it stays in suspense.`,
    tr: ({ came, ordered }) =>
      `${came} geri geldi, gönderilen ${ordered} idi: gönderilenden fazlası geri dönemez. Banka fazlasını çekmişse farkın ne olduğunu belirtin: bankadan alacak veya banka masrafı. Kimsenin açıklayamadığı tutarı “Askıda kalan (TL)” alanına yazın.`,
    cli: '--settles ENTRY\n--charge KURUS\n--rest KURUS',
  },
  return_below_payouts: {
    en: ({ total, ordered, rest, missing, withdrawals }) =>
      withdrawals.length > 1
        ? `The credit has ${total}, the payouts have ${ordered} together${rest === null ? '' : `, and the rest ${rest}`}: it is not the return of all of them. Leave out what did not come back.`
        : rest !== null
          ? `The credit has ${total}, the payout ${ordered}, and the rest would be ${rest}: that is ${missing} more than came. Make the rest smaller.`
          : `The lines have ${total} of the payout of ${ordered}: ${missing} is missing. It may come in a later line; until then these lines stay in suspense. If the bank says that no more will come, propose a return less costs.`,
    tr: ({ total, ordered, rest, missing, withdrawals }) =>
      withdrawals.length > 1
        ? `Gelen tutar ${total}, çekimlerin toplamı ${ordered}${rest === null ? '' : `, kalan ${rest}`}: satır hepsinin iadesi değil. Geri dönmeyenleri çıkarın.`
        : rest !== null
          ? `Gelen tutar ${total}, çekim ${ordered}, kalan ${rest}: gelenden ${missing} fazla. Kalanı azaltın.`
          : `Satırların toplamı ${total}, çekim ${ordered}: ${missing} eksik. Eksik tutar sonraki bir satırda gelebilir; o zamana kadar bu satırlar askıda kalır. Banka başka gelmeyeceğini söylerse masraflı iade olarak önerin.`,
    cli: ({ lines, withdrawals, rest }) =>
      rest !== null || withdrawals.length > 1 ? '' : withCosts({ lines, withdrawal: withdrawals[0] ?? '' }),
  },
  return_had_costs: {
    en: ({ withdrawal }) =>
      `Part of payout ${withdrawal} has already come back, less costs. This line is more of it: propose it as a return less costs, too.`,
    tr: ({ withdrawal }) =>
      `${withdrawal} çekiminin bir kısmı masraf düşülerek daha önce döndü. Bu, onun devamı: bunu da masraflı iade olarak önerin.`,
    cli: (facts) => withCosts(facts),
  },
  return_costs_of_other: {
    en: ({ bearer }) =>
      `The ${bearer} bore the costs of the first part, so later parts go to the ${bearer}: choose the same here.`,
    tr: ({ bearer }) =>
      bearer === 'merchant'
        ? 'İlk gelen kısmın masrafını satıcı ödedi; sonradan gelen de satıcınındır. Burada da “satıcı” seçin.'
        : 'İlk gelen kısmın masrafını biz ödedik; sonradan gelen de bizimdir. Burada da “biz” seçin.',
    cli: ({ bearer }) => `--costs ${bearer}`,
  },
  return_has_no_rest: {
    en: ({ line, withdrawal }) =>
      `Line ${line} does not exceed the payout. Record it as the return of payout ${withdrawal}.`,
    tr: ({ line, withdrawal }) =>
      `${line} satırının tutarı çekimi aşmıyor. ${withdrawal} çekiminin iadesi olarak kaydedin.`,
    cli: ({ line, withdrawal }) => `vezne line return ${line} --withdrawal ${withdrawal}`,
  },
  return_above_receivable: {
    en: ({ more, open }) => `${more} more than the payout came, but the bank still owes only ${open}.`,
    tr: ({ more, open }) => `Çekimden ${more} fazla geldi, ama bankadan kalan alacak ${open}.`,
  },
  return_not_all_charge: {
    en: ({ more, borne }) =>
      `${more} more than the payout came, and ${borne} was booked as a charge for it. The charge given back must be the whole difference and at most what was booked. Enter what no one can explain as the rest; it stays in suspense.`,
    tr: ({ more, borne }) =>
      `Çekimden ${more} fazla geldi; bunun için ${borne} masraf kaydedilmişti. Geri gelen masraf, farkın tamamı olmalı ve kaydedilen masrafı aşmamalı. Kimsenin açıklayamadığı tutarı “Askıda kalan (TL)” alanına yazın.`,
    cli: '--charge KURUS\n--rest KURUS',
  },
  return_gave_more: {
    en: ({ entry }) => `The credit returned more than the payout. To undo all of it, reverse entry ${entry}.`,
    tr: ({ entry }) =>
      `Bu alacak satırı çekimden fazlasını geri verdi. Tamamını geri almak için ${entry} kaydını geri alın.`,
    cli: ({ entry }) => `vezne journal reverse ${entry}`,
  },
  return_of_refund: {
    en: ({ withdrawal }) =>
      `The return of payout ${withdrawal}, a refund of unexplained money, has put that money in suspense again. If the bank says that the recipient has the money, explain the debit together with the line that was refunded.`,
    tr: ({ withdrawal }) =>
      `${withdrawal} çekimi, açıklanamayan bir paranın iadesiydi; geri döndüğü için para yeniden askıda. Banka paranın alıcıda olduğunu söylerse borç satırını, iade edilen satırla birlikte açıklayın.`,
  },
  charge_not_given_back: {
    en: ({ withdrawal, line, entry }) =>
      `The bank took payout ${withdrawal}, or its return, and the merchant was charged for that. A credit goes to the merchant first: propose that line ${line} settles entry ${entry}.`,
    tr: ({ withdrawal, line, entry }) =>
      `Banka ${withdrawal} çekiminin veya iadesinin parasını aldı; tutar satıcının bakiyesinden düşüldü. Gelen para önce satıcıya geri verilir: ${line} satırını, ${entry} kaydını kapatan tutar olarak önerin.`,
    cli: ({ line, entry }) => `vezne journal propose receivable --line ${line} --settles ${entry}`,
  },
  credit_above_charge: {
    en: ({ came, left }) =>
      `${came} came, but only ${left} was charged or is owed: this line is not the repayment, or not only that.`,
    tr: ({ came, left }) =>
      `${came} geldi, ama satıcıdan alınan tutarla bankadan alacağın toplamı ${left}. Bu satır onların geri ödemesi değil ya da yalnızca o değil.`,
  },
  credit_above_receivable: {
    en: ({ came, open }) =>
      `${came} came, but only ${open} is still owed: this line is not the repayment, or not only that. Enter what is left as the rest; it stays in suspense.`,
    tr: ({ came, open }) =>
      `${came} geldi, ama bankadan kalan alacak ${open}. Bu satır alacağın geri ödemesi değil ya da yalnızca o değil. Artan tutarı “Askıda kalan (TL)” alanına yazın.`,
    cli: '--rest KURUS',
  },
  refunded_line_used: {
    en: ({ line, state, reason, back, id }) =>
      `The return has put line ${line} in suspense again, and its money has been used since (${state}${reason === null ? '' : `, ${reason}`}). ${BACK_EN[back](id)}`,
    tr: ({ line, state, back, id }) =>
      `Geri dönen iade ${line} satırını yeniden askıya aldı; para o zamandan beri kullanıldı (${durum(state)}). ${BACK_TR[back](id)}`,
    cli: ({ back, id }) => BACK_COMMAND[back](id),
  },
}

function withCosts({ withdrawal, lines }: { withdrawal: string; lines: readonly string[] }): string {
  return `vezne journal propose payout_return ${lineOptions(lines)} --withdrawal ${withdrawal} --costs WHO`
}

const BACK_EN = {
  suspend: () => 'Put the line in suspense first.',
  restore: () => 'Restore the line first.',
  stop: (id: string) =>
    `Stop withdrawal ${id} first, which refunds the money again. If that withdrawal was sent and this return is wrong, the sender has the money twice: claim it back.`,
  reverse: (id: string) => `Reverse entry ${id} first.`,
  unmatch_deposit: (id: string) => `Undo its match with deposit ${id} first.`,
  unmatch_withdrawal: (id: string) => `Undo its match with withdrawal ${id} first.`,
  look: () => 'Check what it was used for first.',
}

const BACK_TR = {
  suspend: () => 'Önce satırı askıya alın.',
  restore: () => 'Önce satırı yeniden geçerli kılın.',
  stop: (id: string) =>
    `Önce onu yeniden iade eden ${id} çekimini durdurun. O çekim gönderildiyse ve bu iade doğru değilse para gönderende iki kez var: geri isteyin.`,
  reverse: (id: string) => `Önce ${id} kaydını geri alın.`,
  unmatch_deposit: (id: string) => `Önce ${id} yatırımıyla eşleşmesini geri alın.`,
  unmatch_withdrawal: (id: string) => `Önce ${id} çekimiyle eşleşmesini geri alın.`,
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
