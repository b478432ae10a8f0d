/** Deposits, withdrawals and callbacks, in Turkish. See `translate.ts`. */
export const TRANSACTIONS: Record<string, string> = {
  'Vezne has no record that {} said this as it is stored. It counts for nothing: reject it, propose it again, and run vezne doctor.':
    'Vezne’de {1} kişisinin bunu bu haliyle söylediğine dair kayıt yok. Geçersizdir: reddedin, yeniden önerin ve sistem yöneticisine bildirin.',
  'Vezne cannot record this: there is a mark in its place that it did not write. Another person must decide; run vezne doctor.':
    'Vezne bunu kaydedemiyor: yerinde kendisinin yazmadığı bir işaret var. Başka biri karar vermeli; sistem yöneticisine bildirin.',
  'Vezne has not recorded this: someone else has written a row in its place. Try again, and run vezne doctor.':
    'Vezne bunu kaydetmedi: yerine başka biri bir satır yazmış. Yeniden deneyin ve sistem yöneticisine bildirin.',
  '{} has said so already; a third person is needed, who has not seen what the others found.':
    '{1} bunu zaten söyledi; ötekilerin görüşünü görmemiş üçüncü bir kişi gerekir.',
  '{} has said so already; who said it first must confirm it.':
    '{1} bunu zaten söyledi; ilk söyleyen kişi bunu bir kez daha bildirmeli.',
  'Who proposed this may not do so any more. Reject it; another person proposes it again.':
    'Bunu önerenin artık yetkisi yok. Reddedin; başka biri yeniden önersin.',
  'Vezne has no record that {} has these roles. An admin gives them again: vezne operator roles {} --role ROLE':
    'Vezne’de {1} kişisine bu rollerin verildiğine dair kayıt yok. Bir yönetici rolleri yeniden vermeli.',
  "{} of deposit {} are refunded or on their way, so it cannot be left with {}. Stop its refunds first (vezne withdrawal stop), then repeat this. If they can no longer be stopped, the money has left: leave the deposit as it is. If the bank took the payment back, two people book its debit as owed (vezne journal propose receivable --line DEBIT) and take it from the merchant's balance: vezne journal propose receivable --settles ENTRY --deposit {}":
    '{2} yatırımının {1} kadarı iade edildi veya ediliyor; {3} ile bırakılamaz. Önce iadelerini durdurun. Durdurulamıyorsa para çıkmıştır: yatırımı olduğu gibi bırakın.',
  'The database was lost while this was looked up. Look it up with GET /v1/transactions?processId=… before trying again.':
    'Veritabanına ulaşılamadı. Yeniden denemeden önce işlemin oluşup oluşmadığına bakın.',
  '{} deposits are open, of {} that this account may have open at once. They end when they are paid, cancelled or expired; cancel those that are not needed, or ask the operator for a higher limit.':
    'Aynı anda açık olabilecek {2} yatırımın {1} adedi açık. Gerekmeyenleri iptal edin veya işletmeciden sınırı artırmasını isteyin.',
  'must be a bank with accounts in {}: FAST carries TRY only':
    '{1} hesabı olan bir banka olmalı: FAST yalnızca TRY taşır',
  'must be the _id or the four-digit code {}, or "FAST", not {}': 'bilinen bir banka kodu veya FAST olmalı',
  'No bank is available at the moment. {}': 'Şu anda kullanılabilir banka yok.',
  'None of the available banks takes this amount; together they take {} to {} ({} to {}). {}':
    'Kullanılabilir bankaların hiçbiri bu tutarı almıyor; birlikte {1} ile {2} arasını alıyorlar.',
  '{} takes {} to {} ({} to {}). The amount {} is {}; amounts are in the smallest unit (kuruş).':
    '{1}, {2} ile {3} arasını alıyor.',
  'is {} ({}), which is {} at the moment; choose another one from GET /v1/available-banks':
    '{1} şu anda kullanılamıyor; başka bir banka seçin',
  'is not the one of the form; open the form again': 'formdakiyle aynı değil; formu yeniden açın',
  'must be more than zero': 'sıfırdan büyük olmalı',
  'The bank was changed too often. Pay into the account that is shown.':
    'Banka çok sık değiştirildi. Gösterilen hesaba ödeyin.',
  'Choose a bank first.': 'Önce bir banka seçin.',
  'There is no such deposit.': 'Böyle bir yatırım yok.',
  'The deposit is {}.': 'Yatırım {1}.',
  'The time to pay has passed.': 'Ödeme süresi geçti.',
  'is missing': 'eksik',
  'must have at most {} characters': 'en çok {1} karakter olmalı',
  'Only a pending deposit can be cancelled; this one is {}.': 'Yalnızca bekleyen bir yatırım iptal edilebilir; bu {1}.',
  'A {} with processId {} already exists. {} See GET /v1/transactions/{}.': '{2} processId’siyle bir işlem zaten var.',
  'There is no event {}.': '{1} numaralı olay yok.',
  'The personal data of event {} was erased on {}. It is not sent again: its body is no longer what was sent.':
    '{1} olayının kişisel verileri {2} günü silindi. İçeriği artık aynı olmadığı için yeniden gönderilmez.',
  'No endpoint with an address wants this event. Add one and send it again.':
    'Bu olayı isteyen adresli bir callback yok. Ekleyip yeniden gönderin.',
  '{} has no address yet.': '{1} için henüz adres yok.',
  '{} is disabled ({}). Enable it first: vezne endpoint enable': '{1} kapalı. Önce açın.',
  'There is no withdrawal {}.': '{1} numaralı çekim yok.',
  'The withdrawal does not wait for approval; it is {}.': 'Çekim onay beklemiyor; {1}.',
  'Only a pending withdrawal can be cancelled; this one is {}.':
    'Yalnızca bekleyen bir çekim iptal edilebilir; bu {1}.',
  'The withdrawal has a payout, so the bank may have it. See docs/operations.md, "A payout that differs".':
    'Çekimin ödeme emri var; banka almış olabilir. Sistem yöneticisine bildirin.',
  'is {} ({}), but the IBAN belongs to bank code {}': '{1}, ama IBAN {3} kodlu bankaya ait',
  'must be an account of the recipient; this one is a collecting account of this service':
    'alıcının hesabı olmalı; bu, hizmetin tahsilat hesabı',
  "{} can only be sent within the same bank, and this service has no {} account at the recipient's bank ({})":
    '{1} yalnızca aynı banka içinde gönderilebilir; alıcının bankasında {2} hesabı yok',
  'The withdrawal needs {} including its fee; {} is available.':
    'Çekim komisyonuyla birlikte {1} gerektiriyor; kullanılabilir bakiye {2}.',
  '{} instructions wait already. Approve or reject some first.':
    '{1} talimat zaten bekliyor. Önce bazılarını onaylayın veya reddedin.',
  'This instruction was sent already.': 'Bu talimat zaten gönderildi.',
  'are missing': 'eksik',
  'must be at most {}': 'en çok {1} olmalı',
  'Line {}: {} ({}).': '{1}. satır: {2} ({3}).',
  'Another person must approve this.': 'Bunu başka biri onaylamalı.',
  'The lines are not those that you saw. Look at them again.': 'Satırlar gördükleriniz değil. Yeniden bakın.',
  'There is no instruction {}.': '{1} numaralı talimat yok.',
  'This instruction is {}.': 'Bu talimat artık beklemiyor ({1}).',
  'There is no transaction {}.': '{1} numaralı işlem yok.',
  '{} is a withdrawal; only a completed deposit can be refunded.':
    '{1} bir çekim; yalnızca tamamlanmış bir yatırım iade edilebilir.',
  'Only a completed deposit can be refunded; this one is {}.':
    'Yalnızca tamamlanmış bir yatırım iade edilebilir; bu {1}.',
  '{}: nothing is left to refund.': '{1}: iade edilecek bir şey kalmadı.',
  '{}; {} are left to refund.': '{1}; iade edilebilecek {2} kaldı.',
  '{} of {} are refunded already': '{2} tutarının {1} kadarı zaten iade edildi',
  'is not the account that the deposit was paid from, and a refund goes there; leave it out':
    'yatırımın ödendiği hesap değil; iade oraya gider, boş bırakın',
  'No final statement of the bank contains the payment of this deposit yet. Repeat the refund when one does.':
    'Bu yatırımın ödemesi henüz bankanın gün sonu ekstresinde yok. Ekstre gelince iadeyi yeniden isteyin.',
  "There is nothing to settle: {} is available, and {} of the merchant's money waits for the final statement of the bank.":
    'Gönderilecek tutar yok: kullanılabilir bakiye {1}; üye işyerinin {2} tutarı bankanın gün sonu ekstresini bekliyor.',
  'A line of the bank may correct or repeat the payment of this deposit, and the operator has not decided about it yet. Repeat the refund when that is decided.':
    'Bankanın bir satırı bu yatırımın ödemesini düzeltiyor veya tekrarlıyor olabilir; işletmeci henüz karar vermedi. Karar verilince iadeyi yeniden isteyin.',
  'is required: the bank did not say from which account the deposit was paid, or it is erased':
    'gerekli: banka yatırımın hangi hesaptan ödendiğini bildirmedi veya silindi',
  'The withdrawals and debits have changed since. Look again: vezne restore-check':
    'Çekimler veya banka satırları o zamandan beri değişti. Sunucuyu yöneten kişi denetimi yinelesin.',
  'Somebody else has released it in the meantime.': 'Bu arada başka biri ödemeleri başlattı.',
  'Who approves it checks it first: vezne restore-check --release':
    'Onaylayan kişi önce kendisi denetler: bu, sunucudaki komutla yapılır, bu sayfadan değil.',
  'The service was restored from a backup, and the bank may have paid this withdrawal already. Try again after the operator has checked it.':
    'Hizmet yedekten geri yüklendi; banka bu çekimi ödemiş olabilir. İşletmeci denetledikten sonra yeniden deneyin.',
  'must say why it is stopped, in {} characters or more': 'neden durdurulduğunu en az {1} karakterle yazın',
  'The withdrawal waits for approval. Reject it: vezne withdrawal reject {}':
    'Çekim onay bekliyor. Onaylar sayfasında reddedin.',
  'The withdrawal is {}; there is nothing to stop.': 'Çekim {1}; durdurulacak bir şey yok.',
  'The withdrawal is processing: the bank may have it already. See what the bank says: vezne withdrawal show {}. If it stays in doubt, two people decide: vezne withdrawal resolve {}':
    'Çekim işleniyor: banka almış olabilir. Belirsiz kalırsa iki kişi sonucunu bildirir.',
  'Too many people log in at this moment. Try again in a few seconds.':
    'Şu anda çok kişi giriş yapıyor. Birkaç saniye sonra yeniden deneyin.',
}
