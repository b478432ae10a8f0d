import type { PayoutHold, PAYOUTS } from '../../kernel/refusals/payouts.ts'
import type { Sentences } from './sentence.ts'
import { durum, gun } from './words.ts'

const HOLDS: Record<PayoutHold, { en: string; tr: string }> = {
  restored: {
    en: 'the service was restored from a backup, and the payout may already have been paid',
    tr: 'sistem yedekten geri yüklendi; çekim daha önce ödenmiş olabilir',
  },
  ledger_drifted: {
    en: 'balances in the ledger do not match their transfers',
    tr: 'defterdeki bakiyeler hareketlerle tutmuyor',
  },
  merchant_frozen: { en: 'the merchant is frozen', tr: 'satıcı dondurulmuş' },
  differs_from_withdrawal: {
    en: 'the payout differs from its withdrawal, which may be a security incident',
    tr: 'ödeme emri çekimle aynı değil; güvenlik olayı olabilir',
  },
  unconfirmed: {
    en: 'its money is not on a final statement of the bank yet',
    tr: 'parası henüz bankanın gün sonu ekstresinde yok',
  },
  on_statement: {
    en: 'a line of the statement may show it',
    tr: 'ekstrede bu çekime ait olabilecek bir satır var',
  },
}

const NEEDS = {
  second: { en: 'A second person must report the same.', tr: 'İkinci bir kişi de aynısını bildirmeli.' },
  third: {
    en: 'A third person who has not seen the other reports is needed.',
    tr: 'Diğerlerinin görüşünü görmemiş üçüncü bir kişi gerekiyor.',
  },
  first: {
    en: 'The person who reported it first must report it again to confirm it.',
    tr: 'İlk bildiren kişi aynısını bir kez daha bildirerek onaylamalı.',
  },
}

/** 2026-11-15 14:32 as people write it. */
const an = (at: string) => [gun(at.slice(0, 10)), at.slice(11)].join(' ')

export const PAYOUTS_SENTENCES: Sentences<typeof PAYOUTS> = {
  payout_held: {
    en: ({ by }) => `The payout must not be sent now: ${HOLDS[by].en}.`,
    tr: ({ by }) => `Bu çekim şimdi gönderilmemeli: ${HOLDS[by].tr}.`,
  },
  payout_taken: {
    en: ({ person, until }) => `${person} is sending this payout, until ${until} at most.`,
    tr: ({ person, until }) => `Bu çekimi ${person} gönderiyor (en geç ${until} saatine kadar).`,
  },
  payout_not_taken: {
    en: ({ person }) => `${person} has not taken this payout.`,
    tr: ({ person }) => `${person} bu çekimi üstlenmemiş.`,
  },
  payout_not_by_hand: {
    en: ({ state, connection }) =>
      `The payout is ${state} over connection ${connection}. Only a payout that is sent by hand can be taken or recorded as sent.`,
    tr: ({ state, connection }) =>
      `Çekimin durumu: ${durum(state)}; bağlantısı: ${connection}. Yalnızca elle gönderilecek bir çekim üstlenilebilir veya gönderildi diye kaydedilebilir.`,
  },
  payout_by_hand_completed: {
    en: ({ bankReference }) =>
      `The payout is already completed, with the bank's reference ${bankReference ?? '–'}. If that is not your transfer, the payout was paid twice: ask the bank at once to recall yours.`,
    tr: ({ bankReference }) =>
      `Bu çekim zaten ${bankReference ?? '–'} referansıyla tamamlandı. Bu sizin yaptığınız transfer değilse para iki kez çıkmıştır: hemen bankayı arayıp kendi transferinizi geri isteyin.`,
  },
  payout_by_hand_unsent: {
    en: 'The payout was closed as not sent, and its money was given back. If you have sent it all the same, ask the bank at once to recall the transfer.',
    tr: 'Bu çekim gönderilmedi diye kapatıldı ve parası geri verildi. Yine de gönderdiyseniz hemen bankayı arayıp transferi geri isteyin.',
  },
  bank_reference_missing: {
    en: "is missing: give the bank's reference of the transfer",
    tr: 'bankanın transfer için verdiği referansı yazın',
  },

  payout_being_sent: {
    en: 'The payout is being sent to the bank. Its answer comes within 30 seconds; if it does not, you can decide then.',
    tr: 'Çekim şu anda bankaya gönderiliyor. Bankanın yanıtı en geç 30 saniye içinde gelir; gelmezse o zaman karar verebilirsiniz.',
    cli: ({ withdrawal }) => `vezne withdrawal show ${withdrawal}`,
  },
  payout_ended: {
    en: ({ state }) =>
      `The payout is final: it is ${state}. If its debit never came, two people can report that it was ${state === 'sent' ? 'never paid, or ' : ''}paid without a debit.`,
    tr: ({ state }) =>
      `Çekim sonuçlanmış (${durum(state)}). Borç satırı gelmediyse iki kişi ${state === 'sent' ? '“Hiç ödenmedi” ya da ' : ''}“Ödendi, borç satırı gelmeyecek” bildirebilir.`,
    cli: ({ state, withdrawal }) =>
      [...(state === 'sent' ? ['--never-paid'] : []), '--paid-without-debit']
        .map((option) => `vezne withdrawal resolve ${withdrawal} ${option} EVIDENCE`)
        .join('\n'),
  },
  payout_unsent: {
    en: ({ state, money }) =>
      money === 'suspense'
        ? `The payout is ${state}: it was closed as not sent, and its money is in suspense again. If its debit came all the same, propose that debit and the credit as a correction by the bank.`
        : `The payout is ${state}: it was closed as not sent, and its merchant has the money back. If its debit came all the same, propose the debit as owed by the bank, then take it from the merchant's balance.`,
    tr: ({ state, money }) =>
      money === 'suspense'
        ? `Çekim gönderilmedi diye kapatılmış (${durum(state)}); parası yeniden askıda. Borç satırı yine de geldiyse alacak satırıyla birlikte “Banka düzeltmesi” olarak önerin.`
        : `Çekim gönderilmedi diye kapatılmış (${durum(state)}); parası satıcıya geri verilmiş. Borç satırı yine de geldiyse önce bankadan alacak olarak önerin, sonra satıcının bakiyesinden düşün.`,
    cli: ({ withdrawal, money }) =>
      money === 'suspense'
        ? 'vezne journal propose storno --line CREDIT --line DEBIT'
        : `vezne journal propose receivable --line LINE\nvezne journal propose receivable --settles ENTRY --withdrawal ${withdrawal}`,
  },
  payout_not_accepted: {
    en: ({ state }) =>
      `The payout is ${state}. Only a payout that the bank has accepted can be reported as never paid or as paid without a debit.`,
    tr: ({ state }) =>
      `Çekimin durumu: ${durum(state)}. “Hiç ödenmedi” veya “Ödendi, borç satırı gelmeyecek” yalnızca bankanın kabul ettiği bir çekim için bildirilebilir.`,
  },
  payout_outcome_unknown: {
    en: ({ state, withdrawal }) => `The outcome of the payout of withdrawal ${withdrawal} is not known yet (${state}).`,
    tr: ({ state, withdrawal }) => `${withdrawal} çekiminin sonucu henüz bilinmiyor (${durum(state)}).`,
    cli: ({ withdrawal }) => `vezne withdrawal show ${withdrawal}`,
  },
  withdrawal_not_ended: {
    en: ({ status }) => `The withdrawal is ${status}, so it is not final yet.`,
    tr: ({ status }) => `Çekim henüz sonuçlanmadı (${durum(status)}).`,
  },
  payout_may_still_show: {
    en: ({ from }) =>
      `“Not found” can be reported from ${from} on, because until then a statement may still show the payout. Vezne keeps asking the bank meanwhile.`,
    tr: ({ from }) =>
      `“Bulunamadı” ${gun(from)} gününden itibaren bildirilebilir: o zamana kadar çekim ekstrede çıkabilir. Vezne bu arada bankaya sormayı sürdürür.`,
  },
  payout_unproven: {
    en: 'Nothing proves that the payout was not sent: neither an answer from the bank nor the statements of the day of sending and the next business day. If you are sure all the same, confirm that.',
    tr: 'Gönderilmediğine kesin kanıt yok: ne bankanın yanıtı ne de gönderim günü ile ertesi iş gününün ekstresi bunu gösteriyor. Yine de eminseniz bunu onaylayın.',
    cli: '--unproven',
  },
  payout_on_statement: {
    en: ({ line }) =>
      `Statement line ${line} refers to the payout, so the money may have left. Check the line first. If it belongs to the payout, report “Found” or assign the line to the payout. If the bank says it does not, both people confirm that with “Not found”.`,
    tr: ({ line }) =>
      `Ekstredeki ${line} satırında bu çekimin no’su var: para çıkmış olabilir. Önce satıra bakın. Satır bu çekiminse “Bulundu” bildirin ya da satırı çekimle eşleştirin. Banka bu çekimin olmadığını söylüyorsa iki kişi de “Bulunamadı” derken bunu onaylar.`,
    cli: ({ line, withdrawal }) =>
      `vezne find ${withdrawal}\nvezne line sent ${line} --withdrawal ${withdrawal}\n--not-line=${line}`,
  },
  payout_debit_known: {
    en: ({ line }) => `The payout already has its debit: line ${line}.`,
    tr: ({ line }) => `Çekimin borç satırı zaten var: ${line}.`,
    cli: ({ line }) => `vezne line show ${line}`,
  },
  payout_debit_may_come: {
    en: ({ completed }) =>
      `The payout was completed on ${completed}: its debit may still come. Decide two business days after that day.`,
    tr: ({ completed }) =>
      `Çekim ${gun(completed)} günü tamamlandı: borç satırı hâlâ gelebilir. O günden iki iş günü sonra karar verin.`,
  },
  payout_line_unexplained: {
    en: ({ line, isUnread, withdrawal }) =>
      `${isUnread ? 'The unread line' : 'Line'} ${line} may be the debit or the return of payout ${withdrawal}. Before you decide, assign the line to the payout, or to several payouts if it is the debit of all of them, or propose a journal entry that says what else it is. If the line is not valid at the bank, two people dismiss it.`,
    tr: ({ line, isUnread, withdrawal }) =>
      `${isUnread ? 'Okunamayan satır' : 'Banka satırı'} ${line}, ${withdrawal} çekiminin borcu ya da iadesi olabilir. Karar vermeden önce satırı bu çekimle, birkaç çekimin borcuysa hepsiyle eşleştirin ya da başka ne olduğunu defter kaydı olarak önerin. Satır bankada geçersizse iki kişi bunu bildirir.`,
    cli: ({ line, isUnread, withdrawal }) =>
      isUnread
        ? 'vezne line unread'
        : [
            `vezne line sent ${line} --withdrawal ${withdrawal}`,
            `vezne line return ${line} --withdrawal ${withdrawal}`,
            `vezne journal propose payout_debit --line ${line} --withdrawal ${withdrawal} --withdrawal ANOTHER`,
            `vezne journal propose KIND --line ${line}`,
            `vezne line dismiss ${line}`,
          ].join('\n'),
  },
  payout_debited_further: {
    en: ({ withdrawal, lines }) =>
      `Another debit of payout ${withdrawal} is not explained (${lines.join(', ')}), and this money may return it. Propose that debit as owed by the bank first. If the bank returned it with this credit, the credit settles it. If the recipient's bank returned the payout, record the return after that.`,
    tr: ({ withdrawal, lines }) =>
      `${withdrawal} çekiminin bir borcu daha açıklanmamış (${lines.join(', ')}); bu para onun geri dönüşü olabilir. Önce o borcu bankadan alacak olarak önerin. Banka bu satırla onu geri verdiyse satır alacağı kapatır; çekimi alıcının bankası geri gönderdiyse iadeyi ondan sonra kaydedin.`,
    cli: ({ lines, credit }) =>
      `vezne journal propose receivable ${lines.map((line) => `--line ${line}`).join(' ')}\nvezne journal propose receivable --line ${credit} --settles ENTRY`,
  },
  opinion_given_already: {
    en: ({ person, needs }) => `${person} has already reported this. ${NEEDS[needs].en}`,
    tr: ({ person, needs }) => `${person} bunu zaten bildirdi. ${NEEDS[needs].tr}`,
  },
  opinion_missing: {
    en: ({ person }) => `${person} has reported nothing about this payout that could be withdrawn.`,
    tr: ({ person }) => `${person} bu çekim için geri alınacak bir görüş bildirmemiş.`,
  },
  opinion_decided: {
    en: 'The payout has been decided: a report can no longer be withdrawn.',
    tr: 'Çekim için karar verildi: görüş artık geri alınamaz.',
  },

  payout_in_order_file: {
    en: ({ file, isBack }) =>
      `The payout is in order file ${file}, which ${isBack ? 'is in outbox/ again: the bank may still fetch it' : 'the bank may still fetch'}. Cancel that file first.`,
    tr: ({ file, isBack }) =>
      `Çekim ${file} talimat dosyasında; ${isBack ? 'dosya yeniden outbox/ klasöründe, banka onu alabilir' : 'banka bu dosyayı hâlâ alabilir'}. Önce dosyayı iptal edin.`,
    cli: ({ batch }) => `vezne batch cancel ${batch}`,
  },
  order_file_cancelled: {
    en: ({ person, at }) =>
      `The order file was already cancelled by ${person} at ${at}. Its payouts leave in another file.`,
    tr: ({ person, at }) =>
      `Talimat dosyası zaten iptal edilmiş (${person}, ${an(at)}). Çekimleri başka bir dosyayla gönderilir.`,
    cli: ({ batch }) => `vezne batch show ${batch}`,
  },
  order_file_reported: {
    en: ({ file }) =>
      `The bank has sent a report on ${file}, so it has the file. The payouts stay as they are. To stop payments, call the bank.`,
    tr: ({ file }) =>
      `Banka ${file} için rapor verdi; dosya bankada. Çekimleri olduğu gibi kalır. Ödemeleri durdurmak için bankayı arayın.`,
    cli: ({ batch }) => `vezne batch show ${batch}`,
  },
  order_file_fetched: {
    en: ({ file, at }) =>
      `${file} is no longer in outbox/ (noticed at ${at}): the bank may have it. The payouts stay as they are. If the bank says it does not have the file, your system administrator puts it back into outbox/; then cancel again. Otherwise wait for the bank's report or statement.`,
    tr: ({ file, at }) =>
      `${file} artık outbox/ klasöründe değil (${an(at)} itibarıyla); bankada olabilir. Çekimleri olduğu gibi kalır. Banka dosyanın kendisinde olmadığını söylerse sistem yöneticisi onu outbox/ klasörüne geri koysun, sonra yeniden iptal edin. Yoksa bankanın raporunu veya ekstresini bekleyin.`,
    cli: ({ batch }) => `vezne batch show ${batch}`,
  },
  order_file_cancelling: {
    en: ({ problem }) => `${problem} The cancellation is recorded and completes as soon as the folder can be used.`,
    tr: ({ problem }) => `${problem} İptal kaydedildi; klasör kullanılabilir olunca kendiliğinden tamamlanır.`,
    cli: ({ batch }) => `vezne batch retry ${batch}`,
  },
  order_file_before_restore: {
    en: 'The service was restored from a backup after this order file was made, so the bank may have the file. Two people must report the outcome of each of its payouts.',
    tr: 'Sistem, bu talimat dosyası hazırlandıktan sonra yedekten geri yüklendi; dosya bankada olabilir. Her çekimin sonucunu iki kişi bildirmeli.',
    cli: ({ batch }) => `vezne batch show ${batch}\nvezne withdrawal resolve WITHDRAWAL`,
  },
  order_file_held_up: {
    en: ({ problem }) => `${problem}. Cancel the order file: its other payouts then leave in another file.`,
    tr: ({ problem }) => `${problem}. Talimat dosyasını iptal edin: diğer çekimleri başka bir dosyayla gönderilir.`,
    cli: ({ batch }) => `vezne batch cancel ${batch}`,
  },
  order_folder_unusable: {
    en: ({ folder, fault }) =>
      `The folder for order files ${folder} cannot be used here: ${fault}. It must be on the machine of the workers, with staging/ and outbox/ on one file system. Tell your system administrator.`,
    tr: ({ folder, fault }) =>
      `Talimat klasörü bu sunucudan kullanılamıyor (${folder}: ${fault}). Klasör, arka plan işlerinin çalıştığı sunucuda olmalı; staging/ ve outbox/ aynı dosya sisteminde bulunmalı. Sistem yöneticisine bildirin.`,
  },

  restore_not_open: {
    en: 'No restore is waiting for a check. Payouts are sent as usual.',
    tr: 'Denetim bekleyen bir geri yükleme yok. Çekimler her zamanki gibi gönderiliyor.',
  },
  restore_in_future: {
    en: 'must be in the past: the moment up to which the database was restored',
    tr: 'geçmişte olmalı: veritabanının hangi ana kadar geri yüklendiği',
  },
  restore_bank_unknown: {
    en: 'No bank to ask is set up here. Set VEZNE_BANK_API_URL and VEZNE_BANK_API_KEY, or start the sandbox.',
    tr: 'Burada sorulacak bir banka tanımlı değil. VEZNE_BANK_API_URL ve VEZNE_BANK_API_KEY ayarlarını verin ya da sandbox’ı başlatın.',
  },
  restore_bank_known: {
    en: 'The bank can be asked about this withdrawal. Repeat the check of the restored database instead.',
    tr: 'Bu çekim bankaya sorulabilir. Bunun yerine geri yükleme denetimini yineleyin.',
    cli: 'vezne restore-check',
  },
  restore_withdrawal_not_pending: {
    en: ({ withdrawal, status }) =>
      `Withdrawal ${withdrawal} is ${status}. After a restore, only a pending withdrawal can be recorded as sent or as not sent.`,
    tr: ({ withdrawal, status }) =>
      `${withdrawal} çekiminin durumu: ${durum(status)}. Geri yüklemeden sonra yalnızca bekleyen bir çekim gönderildi veya gönderilmedi diye kaydedilebilir.`,
  },
  restore_pairs_changed: {
    en: 'The withdrawals or bank lines have changed since then. Repeat the check of the restored database.',
    tr: 'Çekimler veya banka satırları o zamandan beri değişti. Geri yükleme denetimini yineleyin.',
    cli: 'vezne restore-check',
  },
  restore_pairs_open: {
    en: 'Some withdrawals have probably been paid already. Two people must record them as sent first.',
    tr: 'Bazı çekimler büyük olasılıkla zaten ödendi. Önce iki kişi bunları gönderildi diye kaydetmeli.',
    cli: 'vezne restore-check --sent-pairs',
  },
  restore_answers_missing: {
    en: 'The bank has not yet answered enough about what may have been sent. Repeat the check later.',
    tr: 'Banka, gönderilmiş olabilecekler hakkında henüz yeterli yanıt vermedi. Denetimi daha sonra yineleyin.',
    cli: 'vezne restore-check',
  },
  restore_unchecked: {
    en: 'Some items on the list can only be checked by people. Once you have checked them, say what you compared them with.',
    tr: 'Denetimde listelenenlerin bir bölümüne yalnızca insanlar bakabilir. Baktıktan sonra neyle karşılaştırdığınızı yazın.',
    cli: '--checked "what you compared it with"',
  },
}
