/** Returns, charges given back, personal data and saved views, in Turkish. See `translate.ts`. */
export const RETURNS: Record<string, string> = {
  'It returned a refund of unexplained money, which is in suspense again. If the recipient has that money, the bank must say so: its debit is then explained with the line that was refunded.':
    'Bu kayıt, açıklanamayan paranın iadesini döndürdü; para yeniden askıda. Alıcıda olduğunu banka söylerse borcu, iade edilen satırla birlikte açıklanır.',
  'Line {} names payout {} too, which left from another account by our books: the line cannot be booked as its debit, even if the bank took it from here. Propose it without that one: --not-payout {}. If no debit of payout {} comes, two people say what became of it: vezne withdrawal show {}':
    '{1} satırında {2} çekiminin de no’su var; o çekim defterimize göre başka bir hesaptan çıktı; satır, banka buradan almış olsa da onun borcu olarak yazılamaz. “Bu çekimin borcu değil” diyerek önerin. Borcu gelmezse iki kişi sonucunu bildirir.',
  'Line and payout have different currencies.': 'Satır ile çekimin para birimleri farklı.',
  'Line {} has {}, the payouts have {} together, and the rest {}: the line is not the return of all of them. Leave out what did not come back.':
    '{1} satırı {2}, çekimler birlikte {3}, kalan {4}: satır hepsinin iadesi değil. Dönmeyeni çıkarın.',
  'Line {} is the debit of payout {}, with more. Book it first: vezne journal propose {} --line {} --withdrawal {}. Line {} is then its return: vezne journal propose payout_return --line {} --withdrawal {} {}':
    '{1} satırı {2} çekiminin borcu, fazlasıyla. Önce onu kaydedin; sonra {6} satırı çekimin iadesidir (“çekimin iadesi”).',
  'The bank has debited money with the code of this deposit, and the operator has not explained that yet: it may have taken the payment back. Repeat the refund when it is explained.':
    'Banka bu yatırımın koduyla para çekti ve bu henüz açıklanmadı: ödemeyi geri almış olabilir. Açıklandıktan sonra iadeyi yineleyin.',
  'This deposit was paid twice. The second payment, {}, is not in the balance and waits for the operator, who sends it back; a refund would take the first. Repeat it when the second is decided, or refund the first on its page of the merchant console, which asks.':
    'Bu yatırım iki kez ödendi. İkinci ödeme ({1}) bakiyenizde değil; ödeme kuruluşunda bekliyor ve oradan iade edilir. Bu iade ilk ödemeyi geri gönderir: onu istiyorsanız kutuyu işaretleyin.',
  'must say in at least 5 characters what it is for': 'ne için olduğunu en az 5 karakterle yazın',
  'The schedule has changed since you saw it. Look again, then decide.':
    'Otomatik gönderim siz baktıktan sonra değişti. Yeniden bakıp karar verin.',
  '{} must be a private network such as 10.20.0.0/16 or 192.168.7.7, no loopback, link-local or metadata address':
    '{1}: 10.20.0.0/16 veya 192.168.7.7 gibi özel bir ağ olmalı; loopback, link-local ve metadata adresleri kabul edilmez',
  'must have 1 to {} characters': '1 ile {1} karakter arasında olmalı',
  'At most {} views can be kept. Delete one first.': 'En çok {1} görünüm saklanır. Önce birini silin.',
  'The return of this payout has its line already. If the bank took that back since: vezne line candidates {}':
    'Bu çekimin iadesi zaten bir satıra bağlı. Banka onu sonradan geri aldıysa satırın adaylarına bakın.',
  'Only the amount speaks for line {} as the return of withdrawal {}: neither its text nor its sender does. Ask the bank. If it is the return, two people say so: vezne journal propose payout_return --line {} --withdrawal {}':
    '{1} satırında {2} çekiminin iadesi için yalnızca tutar uyuyor; açıklama ve gönderen uymuyor. Bankaya sorun. İade ise iki kişi “çekimin iadesi” kaydıyla söyler.',
  '{} came, {} had left. A return must equal its payout; of one less costs two people say who bears them: vezne journal propose return_with_costs; of one in several credits that together make it: vezne journal propose payout_return; of one with what the bank had debited besides: vezne journal propose payout_return --settles ENTRY, or --charge KURUS':
    '{1} geldi, {2} çıkmıştı. İade çekime eşit olmalı. Masrafla azaldıysa, birkaç satırda geldiyse veya bankanın fazladan çektiğini de içeriyorsa iki kişi ilgili defter kaydıyla söyler.',
  'The lines differ: {} here, {} on the first, {}. Look up which one the bank counts. If this one, it replaces the first: vezne line correction {} --replaces. If the first, two people dismiss this one: vezne line dismiss {}':
    'Satırlar farklı: burada {1}, ilkinde ({3}) {2}. Bankada hangisinin geçerli olduğuna bakın. Bu ise ilkinin yerine geçer; ilki ise iki kişi bu satırın geçersiz olduğunu bildirir.',
  'must be a charge that was not given back yet': 'henüz geri verilmemiş bir borçlandırma olmalı',
  '{} came, {} was charged or is owed: this line is not, or not only, its return.':
    '{1} geldi, borçlandırılan veya alacağımız {2}: bu satır onun iadesi değil ya da yalnızca o değil.',
  'must be absent: what is more than the payout settles the receivable': 'boş olmalı: çekimden fazlası alacağı kapatır',
  'The line has no more than the payout. Its return: vezne line return {} --withdrawal {}':
    'Satır çekimden fazla değil. Çekimin iadesi olarak kaydedin.',
  '{}, {} is still owed.': '{1}, {2} hâlâ alacağımız.',
  '{}, and {} was booked as a charge for it: --charge must be all that is more, and no more than that. What no one can explain stays in suspense: --rest KURUS':
    '{1}, masraf olarak {2} yazılmıştı: masraf, fazlanın tamamı olmalı ve bundan çok olmamalı.',
  'The credit gave back more than the payout. Take it back as a whole: vezne journal reverse {}':
    'Giriş çekimden fazlasını geri verdi. Bütün olarak geri alın: {1} kaydı.',
  '{} came, {} was ordered: more cannot come back than was sent. If the bank had debited more, say what the rest is: --settles ENTRY, if that is owed to us, or --charge, if it was a charge. What no one can explain stays in suspense: --rest KURUS':
    '{1} geldi, talimat {2} idi: gönderilenden çoğu dönemez. Banka fazla çektiyse kalanın ne olduğunu söyleyin: alacak mı, masraf mı.',
  'The bank took the payout, or its return, and the merchant was charged for that. A credit gives the charge back first: vezne journal propose receivable --line {} --settles {}':
    'Banka çekimi veya iadesini almış ve satıcı bunun için borçlandırılmıştı. Giriş önce bu borçlandırmayı geri verir: {2} kaydı.',
  'Line {}{} {}. It is the return of that money, not money to refund: {}':
    '{1} satırı o paranın iadesi; gönderene iade edilecek para değil.',
  'Line {} gives it back, with the payout: {}': '{1} satırı onu çekimle birlikte geri veriyor.',
  '{} Take the return back (vezne journal propose unmatch --withdrawal {}); if the bank says that it is the return, two people say so then: vezne journal propose payout_return':
    '{1} İadeyi geri alın ({2}); banka iade olduğunu söylerse iki kişi “çekimin iadesi” kaydıyla söyler.',
  '{} Explain that line first; if its debit paid this money back, {}':
    '{1} Önce o satırı açıklayın; çıkışı bu parayı geri ödediyse {2}',
  'The return has put line {} into suspense again, and it was used since ({}, {}). Take that back first: {}':
    'İade {1} satırını yeniden askıya aldı ve para o zamandan beri kullanıldı ({2}, {3}). Önce onu geri alın.',
  'There is no such passkey.': 'Böyle bir geçiş anahtarı yok.',
  'This is the only second factor. Set up another one first.': 'Tek ikinci adım bu. Önce başka birini kurun.',
  'This passkey could not be verified. Try again.': 'Geçiş anahtarı doğrulanamadı. Yeniden deneyin.',
  'There is no audit entry {}. See: vezne audit list': '{1} numaralı denetim kaydı yok.',
  'The payout has its debit: vezne line show {}': 'Çekimin borç satırı var: {1}.',
  'The payout was completed {}: its debit may still come. Decide two business days after that day.':
    'Çekim {1} anında tamamlandı: borç satırı daha gelebilir. O günden iki iş günü sonra karar verin.',
  'The {} may be its debit or its return. Assign it (vezne line sent, vezne line return; one debit of several payouts: vezne journal propose payout_debit), let two people say what else it is (vezne journal propose), or, if the bank does not count it, dismiss it, before you decide about {}.':
    '{1} bu çekimin borcu ya da iadesi olabilir. Önce eşleştirme masasında ne olduğunu seçin; bankada geçersizse iki kişi bunu bildirsin. Sonra {2} için karar verin.',
  'The line {} may be its debit or its return. Assign it (vezne line sent, vezne line return; one debit of several payouts: vezne journal propose payout_debit), let two people say what else it is (vezne journal propose), or, if the bank does not count it, dismiss it, before you decide about {}.':
    'Banka satırı {1} bu çekimin borcu ya da iadesi olabilir. Önce eşleştirme masasında ne olduğunu seçin; bankada geçersizse iki kişi bunu bildirsin. Sonra {2} için karar verin.',
  'The unread line {} may be its debit or its return. Assign it (vezne line sent, vezne line return; one debit of several payouts: vezne journal propose payout_debit), let two people say what else it is (vezne journal propose), or, if the bank does not count it, dismiss it, before you decide about {}.':
    'Okunamayan satır {1} bu çekimin borcu ya da iadesi olabilir. Önce eşleştirme masasında ne olduğunu seçin; bankada geçersizse iki kişi bunu bildirsin. Sonra {2} için karar verin.',
  'must say why it needs no more attention': 'artık neden bakmak gerekmediğini söylemeli',
  'No unread line that waits has the id {}. See: vezne line unread': 'Bu satır artık beklemiyor.',
  'Several unread lines begin with {}. Give more of the id.': '{1} ile başlayan birden çok okunamayan satır var.',
  'No closed line has the id {}. See: vezne line unread --all': 'Bu satır kapalı değil.',
  'Several closed lines begin with {}. Give more of the id.': '{1} ile başlayan birden çok kapalı satır var.',
  'The payout is {}; this is for one that the bank has accepted.{}':
    'Çekim {1}; bu, bankanın kabul ettiği bir çekim içindir.',
}
