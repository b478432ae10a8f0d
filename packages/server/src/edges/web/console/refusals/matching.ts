/** Lines, statements and payouts, in Turkish. See `translate.ts`. */
export const MATCHING: Record<string, string> = {
  'There is no bank line {}.': '{1} numaralı banka satırı yok.',
  'There is no deposit {}.': '{1} numaralı yatırım yok.',
  'There is no payout for withdrawal {}.': '{1} çekiminin ödeme emri yok.',
  'The matcher has not looked at this line yet. Try again in a second.':
    'Eşleştirici bu satıra henüz bakmadı. Bir saniye sonra yeniden deneyin.',
  'The deposit asks for {} and would be completed with {}. If that is right, name it: --received {}':
    'Yatırımda istenen {1}, gelen {2}. Yatırım gelen tutarla tamamlanacaksa kutuyu işaretleyin.',
  'The line is held for deposit {}. Free it first: vezne line suspend {}':
    'Satır {1} yatırımı için bekletiliyor. Önce “Askıya al” deyin.',
  'The line is a {} and {}; only a debit in needs_review will do.':
    'Satır {1}, {2}; yalnızca incelenecek bir borç satırı olur.',
  'The payout is {}: it was never paid, as far as is known. {}': 'Çekim {1}: bilindiği kadarıyla hiç ödenmedi.',
  'The payout is {}, not completed. If it is in doubt, two people settle it: vezne withdrawal resolve':
    'Çekim {1}, tamamlanmış değil. Sonucu belirsizse önce iki kişi bildirmeli.',
  'The line has another amount or account than the payout.': 'Satırın tutarı veya hesabı çekimden farklı.',
  'The payout has its debit already. A second one would have left twice.':
    'Çekimin borç satırı zaten var. İkincisi, paranın iki kez çıktığı anlamına gelir.',
  'The line names several payouts that lack their debit, not this one. {}':
    'Satırda, borç satırı olmayan birkaç çekimin no’su var; bu çekimin yok. Hepsinin borcuysa “birden çok çekim tek satırda” olarak önerin.',
  'The line names several payouts that lack their debit. {} If the bank confirms that it is the debit of none of them, dismiss it with {}':
    'Satırda, borç satırı olmayan birkaç çekimin no’su var. Hepsinin borcuysa “birden çok çekim tek satırda” olarak önerin. Banka hiçbirinin borcu olmadığını doğrularsa her biri için kutuyu işaretleyin.',
  'This payout was refused or never paid, and no debit shows that it was sent. The merchant has the money back already.':
    'Bu çekim reddedildi veya hiç ödenmedi; gönderildiğini gösteren borç yok. Para satıcıya zaten döndü.',
  'The payout is {}: it is not known to have left. See: vezne withdrawal show {}': 'Çekim {1}: çıktığı bilinmiyor.',
  'The line is {}; only incoming money in suspense can be a return.':
    'Satır {1}; yalnızca askıdaki gelen para iade olabilir.',
  '{} came, {} had left. A return must equal its payout; of one less costs two people say who bears them: vezne journal propose return_with_costs; of one in several credits that together make it: vezne journal propose payout_return':
    '{1} geldi, {2} çıkmıştı. İade çekime eşit olmalı; masraf düşüldüyse veya birkaç satırda döndüyse kayıt olarak önerin.',
  'The line is not a suspected correction.': 'Satır, tekrar şüphesi olan bir satır değil.',
  'The line is dismissed ({}). See: vezne line restore': 'Satır geçersiz ({1}).',
  'The import of its file was undone. To book the line, import the file again: vezne statement import':
    'Dosyasının yüklemesi geri alındı. Satır için dosyayı yeniden yükleyin.',
  'The line was not replaced. See: vezne line correction': 'Satırın yerine başka bir satır geçmedi.',
  '{} has replaced the line; another person must bring it back.':
    'Satırın yerine başkasını {1} geçirdi; başka biri geri getirmeli.',
  'People had entered this line. Enter it again: vezne line enter':
    'Bu satır elle girilmişti. Yeniden girin: Ekstreler, “Satırı elle gir”.',
  'Line {}, which replaced it, is {}. Two people dismiss it first: vezne line dismiss {}':
    'Yerine geçen {1} satırı {2}. Önce iki kişi onun bankada geçersiz olduğunu bildirmeli.',
  'A suspected correction is decided with: vezne line correction':
    'Tekrar şüphesi olan satırın önce ne olduğu söylenmeli.',
  'The line is {} ({}), not in needs_review.': 'Satır {1}; incelenecek satır değil.',
  'The first line {} is held for deposit {}. Free it first: vezne line suspend {}':
    'İlk satır ({1}) {2} yatırımı için bekletiliyor. Önce “Askıya al” deyin.',
  'The first line {} belongs to journal entry {}. If the bank counts this one instead, two people take that back: vezne journal reverse {}, then {}. {}':
    'İlk satır ({1}) {2} no’lu kayıtla deftere geçti. Banka onun yerine bu satırı sayıyorsa önce o kaydın geri alınmasını önerin; ikinci kişi onaylayınca “İlkinin yerine geçer” deyin. Banka ilk satırı sayıyorsa “Bankada geçersiz satır”, ikisini de sayıyorsa “Başka para” deyin.',
  'The first line {} was credited to deposit {}. If the bank counts this one instead, two people take that back: vezne journal propose unmatch --deposit {} --to processing, then {}, then vezne line match {} {}. {}':
    'İlk satır ({1}) {2} yatırımına geçti. Banka onun yerine bu satırı sayıyorsa önce o eşleşmenin geri alınmasını önerin; ikinci kişi onaylayınca “İlkinin yerine geçer” deyin, sonra bu satırı yatırımla eşleştirin. Banka ilk satırı sayıyorsa “Bankada geçersiz satır”, ikisini de sayıyorsa “Başka para” deyin.',
  'The first line {} is the debit of payout {}. {}':
    'İlk satır ({1}) {2} çekiminin borcu. Banka ilk satırı sayıyorsa “Bankada geçersiz satır”, ikisini de sayıyorsa “Başka para” deyin.',
  'The first line {} is the return of payout {}. If the bank counts this one instead, two people take that back: vezne journal propose unmatch --withdrawal {}, then {}. {}':
    'İlk satır ({1}) {2} çekiminin iadesi. Banka onun yerine bu satırı sayıyorsa önce iadenin geri alınmasını önerin; ikinci kişi onaylayınca “İlkinin yerine geçer” deyin. Banka ilk satırı sayıyorsa “Bankada geçersiz satır”, ikisini de sayıyorsa “Başka para” deyin.',
  '{} has entered the line that this one may repeat. Two others must say what it is.':
    'Bu satırın tekrarı olabileceği satırı {1} elle girdi. Ne olduğunu başka iki kişi söylemeli.',
  'The first line {} is {}.': 'İlk satır ({1}) {2}.',
  'must say why the line is not money': 'satırın neden para olmadığını yazın',
  'must say why the line counts again': 'satırın neden yeniden geçerli olduğunu yazın',
  'The line is {} ({}). Only a line in needs_review or in suspense is dismissed.':
    'Satır {1}. Yalnızca incelenecek veya askıdaki bir satır geçersiz sayılabilir.',
  'The bank has given this booking: line {} is not booked because this one is. To book that one instead: vezne line correction {} --replaces':
    'Banka bu kaydı verdi: {1} satırı, bu satır deftere geçtiği için işlenmedi. Onun yerine geçmesi için o satıra bakın.',
  'The line names withdrawal {}, which is {}. It may have left: end it first, with vezne withdrawal resolve or stop.':
    'Satırda {1} çekiminin no’su var; çekim {2}. Para çıkmış olabilir: önce çekimi sonuçlandırın veya durdurun.',
  '{} has said so already; a second person is needed.': '{1} bunu zaten söyledi; ikinci bir kişi gerekir.',
  'The deposit is {}; it takes no more money.': 'Yatırım {1}; artık para almaz.',
  'The line has just changed. Look at it again.': 'Satır az önce değişti. Yeniden bakın.',
  'The line is {} ({}), not in suspense.{}': 'Satır {1}; askıda değil.',
  'The line is not incoming money.': 'Satır gelen para değil.',
  'must say why the import is undone': 'yüklemenin neden geri alındığını yazın',
  'The import cannot be undone: line {} belongs to journal entry {}. If the bank does not count the line, two people reverse that first: vezne journal reverse {}, then dismiss the line: vezne line dismiss {}':
    'Yükleme geri alınamaz: {1} satırı {2} no’lu kayıtla deftere geçti. Banka bu satırı saymıyorsa önce o kaydın geri alınmasını önerin; ikinci kişi onaylayınca “Bankada geçersiz satır” deyin.',
  'The import cannot be undone: line {} is matched to {}. If the bank does not count the line, two people take the match back first: vezne journal propose unmatch, then dismiss the line: vezne line dismiss {}':
    'Yükleme geri alınamaz: {1} satırı {2} ile eşleşmiş. Banka bu satırı saymıyorsa önce eşleşmenin geri alınmasını önerin; ikinci kişi onaylayınca iki kişi “Bankada geçersiz satır” desin.',
  'The import cannot be undone: line {} is held for {}. If the bank does not count the line, free it first: vezne line suspend {}, then two people dismiss it: vezne line dismiss {}':
    'Yükleme geri alınamaz: {1} satırı {2} için bekletiliyor. Banka bu satırı saymıyorsa önce parayı askıya alın, sonra iki kişi “Bankada geçersiz satır” desin.',
  'The import cannot be undone: line {} has a proposal of {} that waits ({}). It is rejected or taken back first: vezne journal reject {} --why TEXT':
    'Yükleme geri alınamaz: {1} satırı için {2} kişisinin bekleyen bir önerisi var. Önce öneren geri almalı ya da başka biri reddetmeli (Onaylar).',
  'The import cannot be undone: line {} waits for a second person, after {}. A second person says the same, or it is taken back first: vezne line dismiss {} --end':
    'Yükleme geri alınamaz: {1} satırı için {2} bildirimde bulundu, ikinci kişi bekleniyor. Önce ikinci kişi de aynısını bildirmeli ya da öneri geri alınmalı (Onaylar).',
  'The import cannot be undone: line {} was decided by {}. If the bank does not count the line, two people dismiss it first: vezne line dismiss {}':
    'Yükleme geri alınamaz: {1} satırı hakkında {2} karar vermiş. Banka bu satırı saymıyorsa önce iki kişi “Bankada geçersiz satır” desin.',
  'Nothing about the line waits for a second person.': 'Bu satır için ikinci kişiyi bekleyen bir öneri yok.',
  '{} has said that the bank does not count line {}. A second person says so, too, or it is taken back first: vezne line dismiss {} --end':
    '{1}, {2} satırının bankada geçersiz olduğunu bildirdi. Önce ikinci kişi de aynısını bildirmeli ya da öneri geri alınmalı (Onaylar).',
  'A bank line was decided by another process in the meantime. Look at it again.':
    'Bir satıra bu arada karar verildi. Yeniden bakın.',
  'must say what shows it, {}': 'bunu neyin gösterdiğini yazın, en az beş karakter',
  '{} has decided about it already; a second person is needed.': '{1} zaten karar verdi; ikinci bir kişi gerekir.',
  '{} has proposed a journal entry about this line ({}). Approve or reject it first: vezne journal show {}':
    '{1} bu satır için bir yevmiye kaydı önerdi ({2}). Önce o onaylanmalı veya reddedilmeli.',
  '{} has proposed a match of line {} ({}). Approve or reject it first: vezne change show {}':
    '{1} bu satırın eşleştirilmesini önerdi ({3}). Önce o onaylanmalı veya reddedilmeli.',
  '{} has given no approval of {} that could be taken back.': '{1}, {2} için geri alınacak bir onay vermedi.',
  '{} has no opinion about this payout to take back.': '{1} bu ödeme için geri alınacak bir görüş bildirmedi.',
  'It has been decided: an opinion can no longer be taken back.': 'Karar verildi: görüş artık geri alınamaz.',
  "must say why, in five characters or more: the sender is not the customer, and a third party's money is refunded to its sender unless it is for this deposit":
    'nedenini en az beş harfle yazın: gönderen müşteri değil; üçüncü kişinin parası, bu yatırım için değilse gönderene iade edilir',
  'must say why, {}': 'nedenini yazın, en az beş karakter',
  "Line {} on a statement names the payout: it may have been sent. Look at it first: vezne find {}. If it is the payout's, say found, or assign it: vezne line sent {} --withdrawal {}. If the bank says that it is not, both people say so: --not-line={}":
    'Ekstredeki {1} satırında bu çekimin no’su var: para çıkmış olabilir. Önce satıra bakın: Belirsiz çekimler sayfasındaki karttan açılır. Bu çekimin satırıysa “Bulundu” bildirin ya da satırın sayfasında çekimi seçin. Banka bu çekimin olmadığını söylüyorsa iki kişi de karttaki kutuyu işaretler.',
  'Not found can be said from {} on: until then a statement may still show the payout. The bank is asked by itself.':
    '“Bulunamadı” {1} gününden itibaren bildirilebilir: o zamana kadar ödeme ekstrede çıkabilir. Banka kendiliğinden sorulur.',
  'Neither the bank nor a statement of the day and the next business day shows that it was not sent. If you are sure all the same, confirm it: --unproven':
    'Gönderilmediğine kesin kanıt yok: ne bankanın cevabı ne de gönderim günü ile ertesi iş gününün ekstresi yeterli. Yine de eminseniz kutuyu işaretleyin.',
  "must be the bank's reference of the transfer": 'bankanın transfer referansı olmalı',
  'The payout is {}: it has ended. {}': 'Çekim {1}: sonuçlandı.',
  'A worker is sending the payout. In 30 s at most its answer is there, or you may decide: vezne withdrawal show {}':
    'Çekim şu anda bankaya gönderiliyor. En geç 30 saniye içinde yanıt gelir veya karar verebilirsiniz.',
  'The payout is in an order file that the bank {}. Cancel that first: vezne batch cancel {}':
    'Çekim, bankanın hâlâ alabileceği bir talimat dosyasında ({2}). Önce o dosyayı iptal edin: kartındaki “Talimat dosyası” bağlantısı.',
  '{} is sending this payout, until {} at most.': 'Bu çekimi {1} gönderiyor (en geç {2} saatine kadar).',
  '{} has not taken this payout.': '{1} bu çekimi üstlenmedi.',
  'The payout must not be sent now: a line of the statement may show it.':
    'Çekim şimdi gönderilmemeli: ekstrede bu çekime ait olabilecek bir satır var.',
  'The payout must not be sent now: {}.': 'Çekim şimdi gönderilmemeli ({1}).',
  "The payout is completed already, with the bank's reference {}. If that is not the transfer that you made, it was paid twice: ask the bank at once to take yours back.":
    'Bu çekim zaten {1} referansıyla tamamlandı. Bu sizin yaptığınız transfer değilse para iki kez çıkmıştır: hemen bankayı arayıp kendi transferinizi geri isteyin.',
  'The payout was ended as not sent, and its money was given back. If you have sent it all the same, ask the bank at once to take the transfer back.':
    'Bu çekim gönderilmedi olarak kapandı ve parası geri verildi. Yine de gönderdiyseniz hemen bankayı arayıp transferi geri isteyin.',
  'The payout is {} over {}; only one to be sent by hand is recorded so.':
    'Çekim {1}, bağlantısı {2}; yalnızca elle gönderilen çekim böyle kaydedilir.',
  "A further debit of payout {} is not explained, and this money may give it back. Book the debit first: vezne journal propose receivable{}. If the bank gives that back, the credit settles it: vezne journal propose receivable --line {} --settles ENTRY. If the recipient's bank returned the payout, record the return then.":
    '{1} çekiminin ikinci bir borcu açıklanmamış; bu para onun geri dönüşü olabilir. Önce o borcu alacak olarak kaydedin.',
  '{} cannot be imported: {}': '{1} yüklenemez: {2}',
  'must say why the problems are accepted': 'sorunların neden kabul edildiğini yazın',
  '{} was not imported: {}{} If it is right all the same: --accept-problems REASON':
    '{1} yüklenmedi: {2}{3} Yine de doğruysa nedenini yazarak kabul edin.',
  '{} changed while it was read. Nothing was imported; import it again.':
    '{1} okunurken değişti. Bu dosyadan hiçbir satır aktarılmadı; yeniden yükleyin.',
  'The import was undone in the meantime. See: vezne statement list --files': 'Yükleme bu arada geri alındı.',
  'The import of file {} stopped at a line that was not new when two people approved it: {}. Undo it, and propose the file again: vezne statement undo {}':
    'Aktarma durdu: iki kişi onaylarken yeni olmayan bir satır geldi ({2}). Aktarmayı geri alın ve dosyayı yeniden önerin.',
  'Vezne has no record that {} imported file {} as it is stored. Nothing of it is booked: undo it, and run vezne doctor.':
    'Vezne’de bu dosyayı {1} adlı kişinin aktardığına dair kayıt yok. Dosyadan hiçbir şey işlenmez; hemen sunucuyu yöneten kişiye bildirin.',
  'The import of file {} was undone in the meantime. See: vezne statement show {}':
    '{1} dosyasının yüklemesi bu arada geri alındı.',
  '{}, {}. Nothing of this file was imported.': '{1}: dosya okunamadı ({2}). Bu dosyadan hiçbir satır aktarılmadı.',
  'There is no statement file {}. See: vezne statement list --files': '{1} numaralı ekstre dosyası yok.',
  'The import of file {} was undone before.': '{1} dosyasının yüklemesi daha önce geri alındı.',
  'File {}, imported later, has the same days; lines of both are booked from this one. Undo that first: vezne statement undo {}':
    'Sonra yüklenen {1} dosyasında aynı günler var. Önce onun yüklemesini geri alın.',
}
