/** Order files: refusals, and what holds a file up. See `translate.ts`. */
export const ORDERS: Record<string, string> = {
  'There is no batch {}. See: vezne batch list': '{1} numaralı talimat dosyası yok.',
  'must say why the batch is cancelled': 'dosyanın neden iptal edildiğini en az beş karakterle yazın',
  'The batch is cancelled already, by {} at {}. Its payouts leave in another batch: vezne batch show {}':
    'Dosyayı {1} zaten iptal etti. Çekimleri başka bir dosyayla gönderilir.',
  'The bank has reported about {}, so it has the file. {} See what it said: vezne batch show {}. To stop payments, ask the bank.':
    'Banka {1} için rapor verdi; dosya bankada. Çekimleri olduğu gibi kalır. Ödemeleri durdurmak için bankayı arayın.',
  '{} is no longer in outbox/ (fetched, seen at {}): the bank may have it. {} If the bank says that it does not have it, put it back into outbox/ and cancel again; else wait for its report or statement: vezne batch show {}':
    '{1} alınmış; bankada olabilir. Çekimleri olduğu gibi kalır. Banka dosyanın kendisinde olmadığını söylerse sunucuyu yöneten kişi onu klasöre geri koysun, sonra yeniden iptal edin; yoksa bankanın raporunu veya ekstresini bekleyin.',
  'The database was restored after the batch was made, so the bank may have its file. Two people decide about each payout: vezne withdrawal resolve':
    'Sistem, bu dosya hazırlandıktan sonra yedekten geri yüklendi; dosya bankada olabilir. Her çekim için iki kişi karar verir (Belirsiz çekimler).',
  'The folder {} cannot be used: {}. It needs staging/ and outbox/, on one file system. Run commands about it on the machine of the workers.':
    'Talimat klasörü bu sunucudan kullanılamıyor ({1}). Sunucuyu yöneten kişiye bildirin.',
  '{} The cancellation is recorded: workers finish it when the folder can be used, and so does vezne batch retry {}':
    '{1} İptal kaydedildi; klasör kullanılabilir olunca kendiliğinden tamamlanır.',
  '{}. Cancel the batch, then its other payouts leave in another: vezne batch cancel {}':
    '{1}. Dosyayı iptal edin: öteki çekimleri başka bir dosyayla gönderilir.',
  'Payout {} in it is in doubt ({}) and must not be sent': '{1} no’lu çekimin sonucu belirsiz ve gönderilmemeli',
  'read back, it does not say what its payouts say: {}':
    'Geri okunan dosya çekimleriyle aynı değil ve bankaya verilmedi; bu bir güvenlik olayı olabilir',
  'its account is not known here': 'Dosyanın çıkacağı hesap burada tanımlı değil',
  'the profile of order files is wrong: {}': 'Talimat dosyasının düzeni kullanılamıyor',
  'Payout {} in it is {} and must not be sent': '{1} no’lu çekim artık beklemiyor ({2}) ve gönderilmemeli',
}

/** What else is stored about order files and the bank's reports, for people to read. */
export const ORDER_TEXTS: Record<string, string> = {
  'Its file was in outbox/, but {}. The service moved it to staging/{}, so that it is not sent. Find out why your program left it there or put it back.':
    'Dosya gönderilmek üzere klasördeydi, ama {1}. Gönderilmesin diye klasörden alındı. Bankaya ileten programın onu neden orada bıraktığı ya da geri koyduğu bulunmalı.',
  'Its file was in outbox/, but {}. A program took it again before the service could stop it: ask the bank at once not to execute it. Find out why your program left it there or put it back.':
    'Dosya gönderilmek üzere klasördeydi, ama {1}. Durdurulamadan yeniden alındı: hemen bankayı arayın, dosya işlenmesin. Bankaya ileten programın onu neden orada bıraktığı ya da geri koyduğu bulunmalı.',
  'the batch was cancelled, and its payouts leave in another':
    'iptal edilmişti ve çekimleri başka bir dosyayla gönderiliyor',
  'the bank has reported about it, so it has the file': 'banka onun için rapor vermişti, yani dosya bankada',
  'the batch has no such order': 'dosyada böyle bir çekim yok',
  'the report names no batch of this connection': 'rapor bu bağlantının bir dosyasını anmıyor',
  'the batch was cancelled': 'dosya iptal edilmişti',
  'the file was not released': 'dosya henüz verilmemişti',
  'it says {} orders, the file has {}': 'raporda {1} çekim yazıyor, dosyada {2} var',
  'it says a sum of {}, the file has {}': 'rapordaki toplam dosyadakinden farklı',
  'it names the payment information {}': 'rapor başka bir ödeme grubunu anıyor ({1})',
  'it says two things about the order': 'rapor aynı çekim için iki ayrı sonuç bildiriyor',
  'it says {} {}, the order has {} {}': 'rapordaki tutar çekiminkinden farklı',
  'it names another recipient': 'rapordaki alıcı başka',
  'its levels disagree': 'raporun bölümleri birbiriyle çelişiyor',
  'the file was refused, but payout {} of it left': 'dosya reddedildi deniyor, ama içindeki {1} çekimi çıktı',
  '{}; the payout is also in order batch {}: vezne batch cancel {}':
    '{1}; çekim {2} numaralı talimat dosyasında da var, o dosya iptal edilmeli',
  'refused, but it is in doubt already ({}): two people decide':
    'reddedildi, ama sonucu zaten belirsizdi: iki kişi karar verir',
  'refused, but another report says that it was executed': 'reddedildi, ama başka bir rapor ödendiğini bildiriyor',
  'refused as a duplicate: an earlier one may have paid': 'mükerrer diye reddedildi: önceki ödemiş olabilir',
  'it may have been sent another time': 'başka bir kez gönderilmiş olabilir',
}

/** Where a page in English says it in other words. */
export const ORDER_ENGLISH: Record<string, string> = {
  'refused, but it is in doubt already ({}): two people decide':
    'refused, but it is in doubt already: two people decide',
  '{}; the payout is also in order batch {}: vezne batch cancel {}':
    '{1}; the payout is also in order file {2}, which must be cancelled',
}
