/** Journal entries and days, in Turkish. See `translate.ts`. */
export const BOOKS: Record<string, string> = {
  'Only {} can take it back. Another person rejects it.': 'Yalnızca {1} geri alabilir. Başka biri reddeder.',
  'must be what is left above zero of a credit that settles what is owed':
    'alacağı kapatan satırdan kalan, sıfırdan büyük tutar olmalı',
  'must be absent: all of the credit is what the merchant was charged': 'boş olmalı: gelenin hepsi satıcıdan alınandır',
  'must be less than the line': 'satırın tutarından az olmalı',
  'must say why the difference is accepted': 'farkın neden kabul edildiğini yazın',
  'The figures of {} have changed since you saw them. Look again.':
    '{1} gününün rakamları siz gördükten sonra değişti. Yeniden bakın.',
  'must be a day such as 2026-11-16': '2026-11-16 gibi bir gün olmalı',
  '{} is closed already; the books are closed until {}.': '{1} zaten kapalı; defterler {2} gününe kadar kapalı.',
  'Days are closed in order: the next one is {}.': 'Günler sırayla kapatılır: sıradaki gün {1}.',
  '{} is not over: it can be closed from {} 00:{} (Istanbul) on.':
    '{1} henüz bitmedi: {2} 00:{3} (İstanbul) itibarıyla kapatılabilir.',
  'Not proven: the bank gave no balance of {} for {}, and it usually does. Import the statement of {} or of the next day, or both people accept it with --why TEXT.':
    'Doğrulanamadı: banka {2} için {1} bakiyesini vermedi; genelde verir. {3} gününün veya sonraki günün ekstresini yükleyin ya da iki kişi nedenini yazarak kabul etsin.',
  'Not everything is explained on {}. See: vezne books day {}. Both people may accept it with --why TEXT.':
    '{1} üzerinde açıklanmamış kalemler var. İki kişi nedenini yazarak kabul edebilir.',
  'No one has proposed to close {}. Propose it without --figures.':
    '{1} gününün kapanışını henüz kimse önermedi. Önce önerin.',
  'The figures changed since {} proposed them: {}. Look again (vezne books day {}) and propose it anew, without --figures.':
    'Rakamlar {1} önerdikten sonra değişti: {2}. Yeniden bakın ve yeniden önerin.',
  'The figures of {} are {}, not {}. See: vezne books day {}':
    '{1} gününün rakamları gördüğünüz gibi değil. Yeniden bakın.',
  '{} has proposed it; a second person is needed.': '{1} önerdi; ikinci bir kişi gerekir.',
  '{}, who proposed it, may not decide any more. Propose it anew.': 'Öneren {1} artık karar veremez. Yeniden önerin.',
  'must say why the day is opened again': 'günün neden yeniden açıldığını yazın',
  'The last closed day is {}; days are reopened in reverse order.':
    'Son kapalı gün {1}; günler sondan başlayarak açılır.',
  'No proposal about {} is open.': '{1} günü için açık öneri yok.',
  'No day is closed.': 'Kapalı gün yok.',
  'must be a day such as 2026-11-01': '2026-11-01 gibi bir gün olmalı',
  'must be a day such as 2026-11-30': '2026-11-30 gibi bir gün olmalı',
  'must not be before --from': 'başlangıçtan önce olamaz',
  'must be a month such as 2026-11': '2026-11 gibi bir ay olmalı',
  'must say why, in five characters or more': 'nedeni en az beş karakterle yazın',
  'There is no journal entry {}. See: vezne journal list': '{1} numaralı defter kaydı yok.',
  'The entry was {} by {} already.': 'Bu kayda {2} daha önce karar verdi ({1}).',
  '{} has proposed it; another person must approve it.': '{1} önerdi; başka biri onaylamalı.',
  '{}, who proposed it, may not decide any more. Reject it and let two others decide: {}':
    'Öneren {1} artık karar veremez. Reddedin; başka iki kişi karar versin.',
  '{} If that stays so, reject it: {}': '{1} Böyle kalırsa öneriyi reddedin.',
  'It is not as it was proposed any more: {}. Propose it again, and reject this one: {}':
    'Artık önerildiği gibi değil ({1}). Bunu reddedip yeniden önerin.',
  'The account has an opening balance already. Take it back first: vezne journal reverse':
    'Hesabın zaten bir açılış bakiyesi var. Önce onu geri alın.',
  'must be absent: what is still owed is written off': 'boş olmalı: silinen, hâlâ alacaklı olunan tutardır',
  'must be absent: the operator bears what is written off': 'boş olmalı: silinen tutarı işletmeci karşılar',
  'Both lines are on one account. If the bank took the credit back, it is a storno.':
    'İki satır aynı hesapta. Banka alacağı geri aldıysa bu bir stornodur.',
  'More arrived than left: these are not two sides of one transfer.':
    'Gelen, gidenden fazla: bunlar bir transferin iki tarafı değil.',
  '{} less arrived than left: more than a bank charges for a transfer (5 % and 100,00 TL at most). If the bank says that they are one transfer, the debit is owed to us, the credit settles it, and the rest is written off: {}, then vezne journal propose bank_charge --settles ENTRY':
    'Gelen, gidenden {1} eksik: bir bankanın transfer için aldığı masraftan fazla (en çok %5 ve 100,00 TL). Banka tek transfer olduğunu söylerse borç “bankadan alacak” olarak önerilir, gelen onu kapatır, kalan masraf yazılır.',
  'Line {} names withdrawal {}: it is no side of a transfer between our accounts. See what it is: vezne line candidates {}':
    '{1} satırında {2} çekiminin no’su var: hesaplarımız arası aktarımın bir tarafı değil. Ne olduğuna adaylarından bakın.',
  'Line {} has the code of deposit {}: it is no side of a transfer between our accounts. See what it is: vezne line candidates {}':
    '{1} satırında {2} yatırımının kodu var: hesaplarımız arası aktarımın bir tarafı değil. Ne olduğuna adaylarından bakın.',
  'Line {} shows another IBAN than that of our account of line {}: these are not two sides of one transfer. See what it is: vezne line candidates {}. If the bank says that they are one transfer, the debit is owed to us, and the credit settles it: {}':
    '{1} satırındaki IBAN, {2} satırının bizdeki hesabı değil: bunlar bir transferin iki tarafı değil. Adaylarına bakın. Banka tek transfer olduğunu söylerse borç “bankadan alacak” olarak önerilir, gelen onu kapatır.',
  'The debit is {}; fees of {} are earned and not taken out yet.':
    'Borç {1}; kazanılmış ve henüz çekilmemiş komisyon {2}.',
  'must be absent: an opening balance has no line': 'boş olmalı: açılış bakiyesinin satırı yoktur',
  'There is no collecting account {}. See: vezne account list': '{1} tahsilat hesabı yok.',
  'must be the balance before the first line, above zero': 'ilk satırdan önceki bakiye olmalı ve sıfırdan büyük olmalı',
  'must be the day of the balance, like 2026-01-31': 'bakiyenin günü olmalı, örneğin 2026-01-31',
  "must be absent: the merchant's balance settles it": 'boş olmalı: satıcının bakiyesinden karşılanır',
  'must be the only one of --deposit, --withdrawal and --rest-of': 'yatırım, çekim ve kalandan yalnızca biri verilmeli',
  'Deposit {} is {}: its merchant has none of its money.': '{1} yatırımı {2}: satıcıda bu paradan yok.',
  'Nothing of deposit {} is refunded. Take the receivable back (vezne journal reverse {}), then the debit and the payment are a storno: vezne journal propose storno':
    '{1} yatırımından hiçbir şey iade edilmedi. Önce alacak kaydını geri alın; sonra borç ile ödeme bir stornodur.',
  "The debit {} takes back no payment of deposit {}: no payment of deposit {} has its account and amount, or more with the code, the id or the sender's IBAN on the debit.":
    '{1} borcu {2} yatırımının bir ödemesini geri almıyor: hesabı ve tutarı uyan, ya da kodunu, numarasını veya gönderen IBAN’ını taşıyan bir ödeme yok.',
  'The merchant was charged for it already, {} of the {} that the deposit received: vezne journal show {}':
    'Bunun için satıcıdan zaten alındı: yatırıma gelen {2} tutarının {1} kadarı.',
  'Its merchant was charged for the payment, which the bank took back. Take that back first: vezne journal reverse {}':
    'Bankanın geri aldığı ödeme için satıcıdan alındı. Önce o kaydı ({1}) geri alın.',
  'Line {} was split over several deposits. Take the split back: vezne journal reverse {}':
    '{1} satırı birkaç yatırıma bölündü. Önce bölme kaydını ({2}) geri alın.',
  'Deposit {} is {}, not completed.': '{1} yatırımı {2}; tamamlanmış değil.',
  'The lines of deposit {} do not sum to what it received.': '{1} yatırımının satırları gelen tutarı vermiyor.',
  'must name the deposit that was matched by mistake; of a return, the withdrawal':
    'yanlış eşleştirilen yatırım yazılmalı; iadede çekim yazılmalı',
  'The debit has another amount or account than the credit: it is no storno of it.':
    'Borcun tutarı veya hesabı alacağınkinden farklı: bu onun stornosu değil.',
  'Deposit {} is {}; it takes no more money.': '{1} yatırımı {2}; artık para almaz.',
  '{} is held for deposit {}. Free it first: vezne line suspend':
    '{2} yatırımı için {1} bekletiliyor. Önce satırda “Askıya al” deyin.',
  'Line and deposit have different currencies.': 'Satır ile yatırımın para birimleri farklı.',
  'must be given for two or more deposits, each once: --part DEPOSIT=AMOUNT':
    'en az iki yatırım, her biri bir kez yazılmalı',
  'must have an amount above zero, and so must a rest': 'tutar sıfırdan büyük olmalı; kalan da',
  'must sum to the line: it has {}, the parts and the rest have {}. What is for no deposit: --rest KURUS':
    'toplam satıra eşit olmalı: satır {1}, parçalar ve kalan {2}. Hiçbir yatırıma ait olmayanı “kalan” olarak yazın',
  'must name the deposit that the money is for': 'paranın ait olduğu yatırım yazılmalı',
  'must be the withdrawal whose payout the bank debited': 'bankanın borçlandırdığı çekim olmalı',
  'must name the debit, or each of the debits, of the payout': 'çekimin borç satırı veya satırlarının hepsi yazılmalı',
  'The payout is {}. Two people end it first: vezne withdrawal resolve':
    'Çekim {1}. Önce iki kişi sonucunu bildirmeli.',
  'The payout was not sent; its merchant has the money back. {}': 'Çekim gönderilmedi; para satıcıya geri döndü.',
  'The payout has its debit already. {}': 'Çekimin borç satırı zaten var.',
  'The payout left from another account than this line. {}': 'Çekim bu satırdan başka bir hesaptan çıktı.',
  'Line {} is not needed to make the payout. Leave it out.': '{1} satırı çekimi tamamlamak için gerekmiyor. Çıkarın.',
  'The debit has {}, the payout {}: there is no rest.{}': 'Borç {1}, çekim {2}: kalan yok.',
  'must be the withdrawal whose payout was paid after all': 'sonradan ödendiği anlaşılan çekim olmalı',
  'It was a refund of unexplained money, so no merchant has it. Its debit and the credit that it paid back are a storno: vezne journal propose storno':
    'Bu, açıklanamayan paranın iadesiydi; hiçbir satıcıda değil. Borcu ile geri ödediği alacak bir stornodur.',
  'The payout is {}: its merchant does not have the money back.': 'Çekim {1}: para satıcıya geri dönmedi.',
  'The bank reported the payout as returned, and no credit shows it yet. Propose this again when the credit is read.':
    'Banka çekimin döndüğünü bildirdi, ama alacak satırı henüz yok. Satır gelince yeniden önerin.',
  'The debit {} is in {}, the payout in {}.': '{1} borcu {2}, çekim {3} para biriminde.',
  'The debit {} names withdrawal {}, not this.': '{1} borcunda bu çekimin değil, {2} çekiminin no’su var.',
  'The debit {} is on another account than the payout, and does not name it.':
    '{1} borcu çekimden başka bir hesapta ve çekimin no’su yok.',
  "The debit {} does not name the withdrawal, and the payout has its own debit: it may be another's.":
    '{1} borcunda çekimin no’su yok ve çekimin kendi borcu var: başka bir çekimin olabilir.',
  'The merchant was charged for it already, {} of the {} that the merchant got back: vezne journal show {}':
    'Bunun için satıcıdan zaten alındı: geri aldığı {2} tutarının {1} kadarı.',
  'The payout is {}: it was not sent. {}': 'Çekim {1}: gönderilmedi.',
  'The payout was not handed to the bank yet: these are not its debits. If they are, two people end it first: vezne withdrawal resolve {}':
    'Çekim henüz bankaya verilmedi: bunlar onun borcu olamaz. Öyleyse önce iki kişi sonucunu bildirmeli.',
  'The payout has its debit already: vezne line show {}': 'Çekimin borç satırı zaten var: {1}.',
  'Line {} is explained as {}. Take that back first: vezne journal reverse {}':
    '{1} satırı açıklanmış ({2}). Önce o kaydı ({3}) geri alın.',
  'Line {} is on another account than the payout left from.': '{1} satırı, çekimin çıktığı hesaptan başka bir hesapta.',
  'Line {} names withdrawal {}, not this one.': '{1} satırında bu çekimin değil, {2} çekiminin no’su var.',
  '{}: {} is missing. It may come in a later line; until then these wait in review (vezne line list --state needs_review). If the bank says that no more comes, see docs/payouts.md, "A payout in several lines".':
    '{1}: {2} eksik. Sonraki bir satırda gelebilir; o zamana kadar bu satırlar incelemede bekler.',
  'The lines have {} of the {} of the payout': 'Satırlar çekimin {2} tutarının {1} kadarını veriyor',
  'The lines have {} of the {} of the payout: line {} is not needed. Leave it out; it is explained on its own.':
    'Satırlar {1}, çekim {2}: {3} satırı gerekmiyor. Çıkarın; ayrıca açıklanır.',
  'The lines have {} of the {} of the payout: {} too much. Once the payout has ended, that is owed to us, or a bank_charge: {}':
    'Satırlar {1}, çekim {2}: {3} fazla. Çekim sonuçlanınca fazlası bankadan alacak veya banka masrafıdır.',
  '{}: one line is enough. {}': '{1}: tek satır yeter. Satırı adaylardan “borç satırı olarak kaydet” ile kaydedin.',
  'The payout differs from its withdrawal. See: vezne doctor':
    'Ödeme emri ile çekim birbirini tutmuyor. Sistem yöneticisine bildirin.',
  'must be given: the line does not show the IBAN of its sender': 'yazılmalı: satırda gönderenin IBAN’ı yok',
  "must be given: the line does not show its sender's name": 'yazılmalı: satırda gönderenin adı yok',
  'must be absent: the line is a debit': 'boş olmalı: satır bir borç',
  'must name debits of one account': 'aynı hesabın borç satırları yazılmalı',
  '{} came, {} is still owed: this line is not, or not only, its return. What is left of it stays in suspense: --rest KURUS':
    '{1} geldi, {2} hâlâ alacak: bu satır onun geri ödemesi değil veya yalnızca o değil. Kalanını “kalan” olarak yazın; askıda kalır.',
  'must be the withdrawal whose return was booked by mistake': 'iadesi yanlışlıkla kaydedilen çekim olmalı',
  'The payout was not sent, and no credit is its return. {}': 'Çekim gönderilmedi ve hiçbir alacak onun iadesi değil.',
  'Its merchant was charged for the return already. Take that back first: vezne journal reverse {}':
    'İade için satıcıdan zaten alındı. Önce o kaydı ({1}) geri alın.',
  'must say who bears the costs: merchant or operator': 'masrafı kimin karşıladığı seçilmeli: satıcı veya işletmeci',
  'A part of the payout came back before, less costs. This is more of it: {}':
    'Çekimin bir kısmı masraf düşülerek daha önce döndü. Bu, devamı: “masrafı düşülmüş iade” olarak önerin.',
  'The lines have {} of the {} of the payout: {} is missing. It may come in a later line; until then these wait. If the bank says that no more comes, it is a return less costs: {}':
    'Satırlar {1}, çekim {2}: {3} eksik. Sonraki bir satırda gelebilir. Banka başka gelmeyeceğini söylerse “masrafı düşülmüş iade” olarak önerin.',
  'must be the withdrawal whose payout came back': 'geri dönen çekim olmalı',
  'must name the credit, or each of the credits, of the return':
    'iadenin alacak satırı veya satırlarının hepsi yazılmalı',
  'The payout is {}; only one that was sent and did not come back can.':
    'Çekim {1}; yalnızca gönderilmiş ve dönmemiş bir çekim dönebilir.',
  'The return of this payout has its line already: {} of {} came back. {} more cannot.':
    'Bu çekimin iadesinin satırı zaten var: {2} tutarının {1} kadarı döndü. {3} daha dönemez.',
  '{} came, {} had left: more cannot come back than was sent.':
    '{1} geldi, {2} çıkmıştı: gönderilenden fazlası dönemez.',
  'The return of this payout has its line already.': 'Bu çekimin iadesinin satırı zaten var.',
  'The {} bore the costs, and gets what comes later: --costs {}':
    'Masrafı {1} karşıladı; sonradan gelen de onundur. Aynı kişiyi seçin.',
  'The line is the debit of payout {}. {}': 'Satır {1} çekiminin borcu.',
  '{} has settled it. Take that back first: vezne journal reverse {}':
    'Bu alacak başka bir kayıtla kapandı. Önce o kaydı ({2}) geri alın.',
  'must be a journal entry. See: vezne journal list': 'bir defter kaydı olmalı',
  'The entry is {}: it has booked nothing that could be taken back.':
    'Kayıt {1}: geri alınacak bir şey deftere geçmedi.',
  'The entry was taken back already.': 'Kayıt zaten geri alındı.',
  'A {} is not taken back by its reverse. {}':
    'Bu tür bir kayıt ters kayıtla geri alınmaz. Paranın kendisini yeniden açıklayın.',
  'must name two or more withdrawals, each once': 'en az iki çekim, her biri bir kez yazılmalı',
  'Payout {} left from another account than line {}.': '{1} çekimi {2} satırından başka bir hesaptan çıktı.',
  'Line {} names withdrawal {}, none of these.': '{1} satırında bunların değil, {2} çekiminin no’su var.',
  'must be above zero': 'sıfırdan büyük olmalı',
  'Line {} has {}, the payouts have {} together. {}':
    '{1} satırı {2}, çekimlerin toplamı {3}. Eksik çekimi ekleyin, fazlasını çıkarın veya farkı banka masrafı olarak yazın.',
  'must name a charge and its tax: two debits of one account, one 5% of the other':
    'bir masraf ile vergisi yazılmalı: aynı hesabın iki borç satırı, biri diğerinin %5’i',
  'must name each line once': 'her satır bir kez yazılmalı',
  'Line {} {} of payout {}, which {}. If it is its debit, {}. If the bank confirms that it is not, propose it with --not-payout {}':
    '{1} satırı {3} çekiminin borcu olabilir. Öyleyse adaylardan öyle kaydedin. Banka olmadığını doğrularsa “şu çekimin borcu değil” alanına {6} yazın.',
  'Line {} names several payouts that lack their debit. If it is the debit of all of them: vezne journal propose payout_debit --line {} {}. If the bank confirms that it is not that of payout {}, propose it with --not-payout {}':
    '{1} satırında, borç satırı olmayan birkaç çekimin no’su var. Hepsinin borcuysa “birden çok çekim tek satırda” olarak önerin. Banka {4} çekiminin borcu olmadığını doğrularsa “şu çekimin borcu değil” alanına yazın.',
  'Line {} has account and amount of payout {}, and its recipient as sender: it may be its return. If it is: vezne line return {} --withdrawal {}. If the bank confirms that it is not, propose it with --not-payout {}':
    '{1} satırının hesabı ve tutarı {2} çekimininki, göndereni de o çekimin alıcısı: çekimin iadesi olabilir. Öyleyse adaylardan öyle kaydedin. Banka olmadığını doğrularsa “Borcu veya iadesi olmadığı çekimin işlem no’su” alanına {5} yazın.',
  'Line {} may not be the return of payout {}: propose it without --not-payout {}':
    '{1} satırı {2} çekiminin iadesi olamaz: “Borcu veya iadesi olmadığı çekimin işlem no’su” alanından çıkarın.',
  'No line here may be the debit of payout {}, which is {}: propose it without --not-payout {}':
    'Buradaki hiçbir satır {1} çekiminin ({2}) borcu olamaz: “şu çekimin borcu değil” alanından çıkarın.',
  'Line {} may repeat line {}. Say first what it is: vezne line correction {}':
    '{1} satırı {2} satırının tekrarı olabilir. Önce ne olduğunu söyleyin.',
  'Line {} may correct line {}, and waits for a person. Say first what it is: vezne line correction {}':
    '{1} satırı {2} satırını düzeltiyor olabilir ve karar bekliyor. Önce onun ne olduğunu söyleyin.',
  'Line {} is a {}, {} ({}), not {}.': '{1} satırı buna uygun değil: {2}, {3}.',
  'must name {}': 'eksik veya fazla: bu kayıt için gereken satırları yazın',
  'must name two lines, a debit and a credit': 'biri borç biri alacak iki satır yazılmalı',
  'The lines have different currencies.': 'Satırların para birimleri farklı.',
  'An account does not have that much. See the bookings: vezne journal show': 'Bir hesapta bu kadar para yok.',
  '{} has proposed exactly this already ({}). It waits for approval.':
    '{1} bunun aynısını zaten önerdi ({2}). Onay bekliyor.',
  '{} has already proposed an entry about line {} ({}). It waits for approval; to propose another one, reject it first.':
    '{1}, {2} satırı için zaten bir kayıt önerdi ({3}). Onay bekliyor; başka bir şey önermek için önce onu reddedin.',
  'must be an open receivable. See: vezne journal receivables': 'açık bir alacak olmalı',
  'Line {} names payout {}, and {}. It is the return of that money, not money to refund: {}':
    '{1} satırında {2} çekiminin no’su var ve o çekimin borcu açıklanmamış veya alacak yazılmış. Bu, o paranın dönüşüdür; iade edilecek para değil.',
  'The sender may have this money already, from the refund before (withdrawal {}): {}. Explain that line first; if its debit paid this money back, {}':
    'Gönderen bu parayı önceki iadeden ({1} çekimi) almış olabilir: önce o satırı açıklayın.',
  'must be an entry whose rest is in suspense, without --line. See: vezne journal rests':
    'kalanı askıda duran bir kayıt olmalı',
  'The rest of the entry was used by {} {}. Take that back first: vezne journal reverse, or, of a refund that is not sent, vezne withdrawal stop. A refund that was paid cannot be taken back.':
    'Kaydın kalanı kullanıldı ({2}). Önce onu geri alın; ödenmiş bir iade geri alınamaz.',
}
