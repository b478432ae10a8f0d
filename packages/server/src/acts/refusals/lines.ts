import type { LINES } from '../../kernel/refusals/lines.ts'
import type { Sentences } from './sentence.ts'
import { durum } from './words.ts'

type All = Sentences<typeof LINES>

const STATE = {
  new: 'not matched yet',
  matched: 'matched',
  suspense: 'in suspense',
  needs_review: 'in review',
  dismissed: 'dismissed',
}
/** Before `satırlar`. */
const STATE_TR = {
  new: 'yeni',
  matched: 'eşleşmiş',
  suspense: 'askıdaki',
  needs_review: 'incelenecek',
  dismissed: 'geçersiz',
}

const because = (reason: string | null) => (reason === null ? '' : ` (${reason})`)
const listed = (words: string[], or: string) => words.join(', ').replace(/, ([^,]*)$/, ` ${or} $1`)
const repeated = (option: string, ids: string[]) => ids.map((id) => `${option} ${id}`).join(' ')
const dismissed = ({ line }: { line: string }) => `vezne line dismiss ${line}`

const JUDGED = {
  line_not_judged: {
    en: ({ line }) => `The matcher has not looked at line ${line} yet. Try again in a second.`,
    tr: ({ line }) => `Eşleştirici ${line} satırına henüz bakmadı. Bir saniye sonra yeniden deneyin.`,
  },
  line_changed: {
    en: ({ line }) => `Line ${line} has just changed. Look at it again.`,
    tr: ({ line }) => `${line} satırı az önce değişti. Yeniden bakın.`,
  },
  line_not_in_state: {
    en: ({ line, state, reason, needed }) => {
      const states = listed(
        needed.map((one) => STATE[one]),
        'or',
      )
      return `Line ${line} is ${STATE[state]}${because(reason)}. This is only possible for lines that are ${states}.`
    },
    tr: ({ line, state, needed }) => {
      const states = listed(
        needed.map((one) => STATE_TR[one]),
        'veya',
      )
      return `${line} satırı ${durum(state)}. Bu işlem yalnızca ${states} satırlar içindir.`
    },
    cli: ({ line }) => `vezne line show ${line}`,
  },
  line_held: {
    en: ({ line, deposit }) => `Line ${line} is held for deposit ${deposit}. Put its money in suspense first.`,
    tr: ({ line, deposit }) => `${line} satırı ${deposit} yatırımı için tutuluyor. Önce parasını askıya alın.`,
    cli: ({ line }) => `vezne line suspend ${line}`,
  },
  line_not_credit: {
    en: ({ line }) => `Line ${line} is an outgoing payment. Only incoming money can be matched to a deposit.`,
    tr: ({ line }) => `${line} satırı çıkan para. Bir yatırımla yalnızca giren para eşleştirilebilir.`,
  },
  line_not_debit: {
    en: ({ line }) => `Line ${line} is incoming money. Only an outgoing payment can be the debit of a payout.`,
    tr: ({ line }) => `${line} satırı giren para. Çekimin borcu yalnızca çıkan para olabilir.`,
  },
  line_names_open_withdrawal: {
    en: ({ line, withdrawal, status }) =>
      `Line ${line} refers to withdrawal ${withdrawal}, which is ${status}: its money may have left. Stop the withdrawal or report the outcome of its payout first.`,
    tr: ({ line, withdrawal, status }) =>
      `${line} satırında ${withdrawal} çekiminin no’su var; çekim ${durum(status)}, parası çıkmış olabilir. Önce çekimi durdurun veya sonucunu bildirin.`,
    cli: ({ withdrawal }) => `vezne withdrawal stop ${withdrawal}\nvezne withdrawal resolve ${withdrawal}`,
  },
  line_shows_refunded: {
    en: ({ line, entered }) =>
      `Line ${line} is the bank's own line for ${entered}, which was entered by hand and has been refunded. If the refund has not been sent yet, stop it first.`,
    tr: ({ line, entered }) =>
      `${line} satırı, elle girilen ve parası iade edilen ${entered} satırının bankadaki karşılığı. İade gönderilmediyse önce onu durdurun.`,
    cli: 'vezne withdrawal stop TRANSACTION',
  },
} satisfies Partial<All>

const correction = (line: string, ...options: string[]) =>
  options.map((option) => `vezne line correction ${line} --${option}`).join('\n')

/** What remains if the second line is not valid at the bank instead of the first. */
const ELSE =
  'If only the first is valid at the bank, two people dismiss this one; if both are valid, this one is other money.'
const ELSE_TR =
  'Bankada yalnızca ilk satır geçerliyse “Bankada geçersiz satır”, ikisi de geçerliyse “Başka para” deyin.'
/** Not further steps, so each says when. */
const otherwise = (line: string) =>
  `${dismissed({ line })} # if only the first is valid at the bank\n${correction(line, 'new-money')} # if both are valid`

const REPEATED = {
  line_may_repeat: {
    en: ({ line, first, state }) =>
      `Line ${line} is ${STATE[state]} and may repeat line ${first}. First say what this line is: the same money, other money, or a line that replaces the first.`,
    tr: ({ line, first, state }) =>
      `${line} satırı ${durum(state)}; ${first} satırının tekrarı olabilir. Önce ne olduğunu söyleyin: aynı para, başka para veya ilkinin yerine geçen satır.`,
    cli: ({ line }) => correction(line, 'same-money', 'new-money', 'replaces'),
  },
  line_not_repeat: {
    en: ({ line }) => `Line ${line} is not suspected of repeating another line.`,
    tr: ({ line }) => `${line} satırında tekrar şüphesi yok.`,
  },
  line_dismissed: {
    en: ({ line, reason }) => `Line ${line} is dismissed${because(reason)}. Restore it first.`,
    tr: ({ line }) => `${line} satırı geçersiz. Önce satırı yeniden geçerli kılın.`,
    cli: ({ line }) => `vezne line restore ${line}`,
  },
  line_import_undone: {
    en: ({ line }) => `The import that brought line ${line} was undone. To book the line, import its file again.`,
    tr: ({ line }) =>
      `${line} satırını getiren aktarma geri alındı. Satırı deftere almak için dosyayı yeniden yükleyin.`,
    cli: 'vezne statement import FILE',
  },
  line_not_replaced: {
    en: ({ line }) =>
      `Line ${line} was recorded as the same money as another line, not replaced by that line. If it is other money, say so.`,
    tr: ({ line }) =>
      `${line} satırının yerine başka bir satır geçmedi; satır ilkiyle aynı para sayıldı. Başka paraysa “Başka para” deyin.`,
    cli: ({ line }) => correction(line, 'new-money'),
  },
  line_replaced_by_same_person: {
    en: ({ line, name }) => `${name} had line ${line} replaced; another person must restore it.`,
    tr: ({ line, name }) =>
      `${line} satırının yerine başkasını ${name} geçirdi; satırı başka biri yeniden geçerli kılmalı.`,
  },
  line_replacement_stands: {
    en: ({ line, replacement, state }) =>
      `Line ${replacement}, which replaced line ${line}, is ${STATE[state]}. Two people must dismiss it first.`,
    tr: ({ line, replacement, state }) =>
      `${line} satırının yerine geçen ${replacement} satırı ${durum(state)}. Önce iki kişi o satırın bankada geçersiz olduğunu bildirmeli.`,
    cli: ({ replacement }) => dismissed({ line: replacement }),
  },
  line_was_entered: {
    en: ({ line }) =>
      `Line ${line} was entered by hand and cannot be restored. If it is valid at the bank, enter it again.`,
    tr: ({ line }) =>
      `${line} satırı elle girilmişti; yeniden geçerli kılınamaz. Bankada geçerliyse yeniden elle girin.`,
    cli: 'vezne line enter',
  },
  line_stands_for_another: {
    en: ({ line, other }) =>
      `The bank has sent this booking itself: its line ${other} is not booked because line ${line} is. To book the bank's line instead, record that it replaces this one.`,
    tr: ({ line, other }) =>
      `Banka bu hareketi kendisi de verdi: ${other} satırı, ${line} satırı deftere geçtiği için işlenmedi. Bankanın satırı geçecekse o satırda “İlkinin yerine geçer” deyin.`,
    cli: ({ other }) => correction(other, 'replaces'),
  },
  lines_differ: {
    en: ({ first, here, there }) =>
      `The amounts differ: ${here} on this line, ${there} on the first (${first}). Find out which one is valid at the bank. If it is this one, it replaces the first; if it is the first, two people dismiss this one.`,
    tr: ({ first, here, there }) =>
      `Satırların tutarı farklı: burada ${here}, ilkinde (${first}) ${there}. Bankada hangisinin geçerli olduğuna bakın. Bu satırsa “İlkinin yerine geçer” deyin; ilkiyse iki kişi bu satırın bankada geçersiz olduğunu bildirmeli.`,
    cli: ({ line }) => `${correction(line, 'replaces')}\n${dismissed({ line })}`,
  },
  first_line_entered_by: {
    en: ({ line, name }) =>
      `${name} entered the line that ${line} may repeat. Two other people must decide what ${line} is.`,
    tr: ({ line, name }) =>
      `${line} satırının tekrarı olabileceği satırı ${name} elle girdi. Bu satırın ne olduğuna başka iki kişi karar vermeli.`,
  },
  first_line_not_open: {
    en: ({ first, state }) => `The first line, ${first}, is ${STATE[state]} and cannot be replaced.`,
    tr: ({ first, state }) => `İlk satır (${first}) ${durum(state)}; yerine başkası geçemez.`,
  },
  first_line_in_journal: {
    en: ({ first, entry }) =>
      `The first line, ${first}, belongs to journal entry ${entry}. If this one is valid at the bank instead, propose reversing that entry; once that is approved, this one replaces the first. ${ELSE}`,
    tr: ({ first, entry }) =>
      `İlk satır (${first}) ${entry} kaydıyla deftere geçti. Bankada onun yerine bu satır geçerliyse o kaydın geri alınmasını önerin; ikinci kişi onaylayınca “İlkinin yerine geçer” deyin. ${ELSE_TR}`,
    cli: ({ line, entry }) => `vezne journal reverse ${entry}\n${correction(line, 'replaces')}\n${otherwise(line)}`,
  },
  first_line_credited: {
    en: ({ first, deposit }) =>
      `The first line, ${first}, was credited to deposit ${deposit}. If this one is valid at the bank instead, propose undoing that match; once that is approved, this one replaces the first and is matched to the deposit. ${ELSE}`,
    tr: ({ first, deposit }) =>
      `İlk satır (${first}) ${deposit} yatırımına geçti. Bankada onun yerine bu satır geçerliyse eşleşmenin geri alınmasını önerin; ikinci kişi onaylayınca “İlkinin yerine geçer” deyin, sonra bu satırı yatırımla eşleştirin. ${ELSE_TR}`,
    cli: ({ line, deposit }) => {
      const unmatch = `vezne journal propose unmatch --deposit ${deposit} --to processing`
      return `${unmatch}\n${correction(line, 'replaces')}\nvezne line match ${line} ${deposit}\n${otherwise(line)}`
    },
  },
  first_line_debit: {
    en: ({ first, withdrawal }) => `The first line, ${first}, is the debit of payout ${withdrawal}. ${ELSE}`,
    tr: ({ first, withdrawal }) => `İlk satır (${first}) ${withdrawal} çekiminin borcu. ${ELSE_TR}`,
    cli: ({ line }) => otherwise(line),
  },
  first_line_return: {
    en: ({ first, withdrawal }) =>
      `The first line, ${first}, is the return of payout ${withdrawal}. If this one is valid at the bank instead, propose undoing the return; once that is approved, this one replaces the first. ${ELSE}`,
    tr: ({ first, withdrawal }) =>
      `İlk satır (${first}) ${withdrawal} çekiminin iadesi. Bankada onun yerine bu satır geçerliyse iadenin geri alınmasını önerin; ikinci kişi onaylayınca “İlkinin yerine geçer” deyin. ${ELSE_TR}`,
    cli: ({ line, withdrawal }) =>
      `vezne journal propose unmatch --withdrawal ${withdrawal}\n${correction(line, 'replaces')}\n${otherwise(line)}`,
  },
} satisfies Partial<All>

const MATCHED = {
  deposit_takes_no_money: {
    en: ({ deposit, status }) => `Deposit ${deposit} is ${status} and can take no more money.`,
    tr: ({ deposit, status }) => `${deposit} yatırımı ${durum(status)}; artık para almaz.`,
  },
  line_currency_differs: {
    en: ({ line, currency, deposit, asked }) =>
      `Line ${line} is in ${currency}, but deposit ${deposit} asks for ${asked}.`,
    tr: ({ line, currency, deposit, asked }) =>
      `${line} satırının para birimi ${currency}, ${deposit} yatırımınınki ${asked}.`,
  },
  line_amount_differs: {
    en: ({ deposit, asked, received }) =>
      `Deposit ${deposit} asks for ${asked} but would be completed with ${received}. If that is right, confirm the amount.`,
    tr: ({ deposit, asked, received }) =>
      `${deposit} yatırımında istenen ${asked}, gelen ${received}. Gelen tutarla tamamlanacaksa tutarı onaylayın.`,
    cli: ({ kurus }) => `--received ${kurus}`,
  },
  sender_not_customer: {
    en: 'must explain in at least five characters why the money is for this deposit, because the sender is not the customer. If it is not for this deposit, refund it to the sender.',
    tr: 'gönderen müşteri değil; paranın neden bu yatırıma ait olduğunu en az beş karakterle yazın. Ait değilse gönderene iade edin.',
  },
} satisfies Partial<All>

const receivable = 'vezne journal propose receivable'
const payoutReturn = (line: string, withdrawal: string, more = '') =>
  `vezne journal propose payout_return --line ${line}${more} --withdrawal ${withdrawal}`
const candidates = ({ line }: { line: string }) => `vezne line candidates ${line}`

const OF_PAYOUT = {
  payout_not_known_to_have_left: {
    en: ({ withdrawal, state }) =>
      `It is not known whether the payout of withdrawal ${withdrawal} (${state}) has left. If that stays in doubt, two people must report its outcome first.`,
    tr: ({ withdrawal, state }) =>
      `${withdrawal} çekiminin ödemesi ${durum(state)}; paranın çıkıp çıkmadığı bilinmiyor. Belirsiz kalırsa önce iki kişi sonucunu bildirmeli.`,
    cli: ({ withdrawal }) => `vezne withdrawal show ${withdrawal}\nvezne withdrawal resolve ${withdrawal}`,
  },
  debit_payout_not_paid: {
    en: ({ line, withdrawal }) =>
      `As far as we know, withdrawal ${withdrawal} was never paid, and its merchant has the money back. If line ${line} is its debit all the same, propose the line as owed by the bank, then take it from the merchant's balance.`,
    tr: ({ line, withdrawal }) =>
      `Bilindiği kadarıyla ${withdrawal} çekimi hiç ödenmedi; parası satıcıya döndü. ${line} satırı yine de onun borcuysa önce bankadan alacak olarak önerin, sonra satıcının bakiyesinden düşün.`,
    cli: ({ line, withdrawal }) =>
      `${receivable} --line ${line}\n${receivable} --settles ENTRY --withdrawal ${withdrawal}`,
  },
  debit_refund_not_paid: {
    en: ({ line, withdrawal }) =>
      `As far as we know, refund ${withdrawal} was never paid, and its money is in suspense again. If line ${line} is its debit all the same, propose that money and this debit as a correction by the bank.`,
    tr: ({ line, withdrawal }) =>
      `Bilindiği kadarıyla ${withdrawal} iadesi hiç ödenmedi; parası yeniden askıda. ${line} satırı yine de onun borcuysa askıdaki parayla bu satırı “Banka düzeltmesi” olarak önerin.`,
    cli: ({ line }) => `vezne journal propose storno --line CREDIT --line ${line}`,
  },
  debit_unlike_payout: {
    en: ({ line, withdrawal }) =>
      `Line ${line} differs from the payout of withdrawal ${withdrawal} in amount or account.`,
    tr: ({ line, withdrawal }) => `${line} satırının tutarı veya hesabı ${withdrawal} çekimininkinden farklı.`,
  },
  debit_of_payout_twice: {
    en: ({ line, withdrawal }) =>
      `The payout of withdrawal ${withdrawal} already has its debit. With line ${line} it would have left twice.`,
    tr: ({ line, withdrawal }) =>
      `${withdrawal} çekiminin borç satırı zaten var. ${line} satırı da onun olsaydı para iki kez çıkmış olurdu.`,
  },
  debit_names_others: {
    en: ({ line, withdrawal, named }) =>
      `Line ${line} refers to several payouts without a debit (${named.join(', ')}), and ${withdrawal} is not one of them. If the line is the debit of all of them, propose that as a journal entry.`,
    tr: ({ line, withdrawal, named }) =>
      `${line} satırında, borç satırı olmayan birkaç çekimin no’su var (${named.join(', ')}); ${withdrawal} onlardan biri değil. Satır hepsinin borcuysa “birden çok çekim tek satırda” olarak önerin.`,
    cli: ({ line, named }) => ofAll(line, named),
  },
  debit_names_several: {
    en: ({ line, named }) =>
      `Line ${line} refers to several payouts without a debit: ${named.join(', ')}. If the line is the debit of all of them, propose that as a journal entry. If the bank confirms that it is the debit of none of them, say so for each when you dismiss the line.`,
    tr: ({ line, named }) =>
      `${line} satırında, borç satırı olmayan birkaç çekimin no’su var: ${named.join(', ')}. Satır hepsinin borcuysa “birden çok çekim tek satırda” olarak önerin. Banka hiçbirinin borcu olmadığını doğrularsa satırı geçersiz sayarken her biri için bunu belirtin.`,
    cli: ({ line, named }) => `${ofAll(line, named)}\n${dismissed({ line })} ${repeated('--not-payout', named)}`,
  },
  return_has_line: {
    en: ({ line, withdrawal }) =>
      `The return of withdrawal ${withdrawal} already has its line. If the bank has since taken that money back, check what else line ${line} may be.`,
    tr: ({ line, withdrawal }) =>
      `${withdrawal} çekiminin iade satırı zaten var. Banka onu sonradan geri aldıysa ${line} satırının adaylarına bakın.`,
    cli: candidates,
  },
  return_without_debit: {
    en: ({ line, withdrawal }) =>
      `As far as we know, withdrawal ${withdrawal} was never paid, and no debit shows its id: line ${line} cannot be its return. Check what else the money may be.`,
    tr: ({ line, withdrawal }) =>
      `Bilindiği kadarıyla ${withdrawal} çekimi hiç ödenmedi; no’sunun yazdığı bir borç satırı da yok. ${line} satırı iadesi olamaz; paranın başka ne olabileceğine bakın.`,
    cli: candidates,
  },
  return_debit_explained: {
    en: ({ line, withdrawal, debit, state, reason }) =>
      `As far as we know, withdrawal ${withdrawal} was never paid, and its debit, line ${debit}, is ${STATE[state]}${because(reason)} and does not wait for line ${line}. Check what else the money may be.`,
    tr: ({ line, withdrawal, debit, state }) =>
      `Bilindiği kadarıyla ${withdrawal} çekimi hiç ödenmedi; borç satırı (${debit}) ${durum(state)}, ${line} satırını beklemiyor. Paranın başka ne olabileceğine bakın.`,
    cli: candidates,
  },
  return_by_amount_only: {
    en: ({ line, withdrawal }) =>
      `Only the amount of line ${line} fits the return of withdrawal ${withdrawal}; its text and its sender do not. Ask the bank. If it is the return, propose it as a journal entry.`,
    tr: ({ line, withdrawal }) =>
      `${line} satırının yalnızca tutarı ${withdrawal} çekiminin iadesine uyuyor; açıklaması ve göndereni uymuyor. Bankaya sorun. İadeyse “Çekimin iadesi” kaydı önerin.`,
    cli: ({ line, withdrawal }) => payoutReturn(line, withdrawal),
  },
  return_amount_differs: {
    en: ({ came, left }) =>
      `${came} came back, but ${left} had left. A return must equal its payout. If costs were deducted, if it came in several lines, or if it also contains money that the bank had debited on top, propose that as a journal entry.`,
    tr: ({ came, left }) =>
      `${came} geri geldi, ${left} çıkmıştı. İade çekime eşit olmalı. Masraf düşüldüyse, para birkaç satırda geldiyse veya içinde bankanın fazladan çektiği de varsa bunu defter kaydı olarak önerin.`,
    cli: ({ line, withdrawal }) =>
      [
        `vezne journal propose payout_return --line ${line} --withdrawal ${withdrawal} --costs merchant|operator`,
        payoutReturn(line, withdrawal, ' --line OTHER'),
        `${payoutReturn(line, withdrawal)} --settles ENTRY`,
        `${payoutReturn(line, withdrawal)} --charge KURUS`,
      ].join('\n'),
  },
} satisfies Partial<All>

function ofAll(line: string, named: string[]): string {
  return `vezne journal propose payout_debit --line ${line} ${repeated('--withdrawal', named)}`
}

const FUNDED = {
  funds_without_bank: {
    en: ({ merchant, currency }) => `No bank takes deposits in ${currency} for merchant ${merchant}.`,
    tr: ({ merchant, currency }) => `${merchant} satıcısı için ${currency} yatırımı alan banka yok.`,
  },
  funds_out_of_range: {
    en: ({ min, max }) => `The amount must be ${min} to ${max}.`,
    tr: ({ min, max }) => `Tutar ${min} ile ${max} arasında olmalı.`,
  },
  funds_without_account: {
    en: ({ deposit }) => `No collecting account is free for deposit ${deposit}.`,
    tr: ({ deposit }) => `${deposit} yatırımı için boş tahsilat hesabı yok.`,
  },
} satisfies Partial<All>

export const LINES_SENTENCES: All = { ...JUDGED, ...REPEATED, ...MATCHED, ...OF_PAYOUT, ...FUNDED }
