/** Merchants, banks, people and changes that take two, in Turkish. See `translate.ts`. */
export const SETTINGS: Record<string, string> = {
  'must be 1 to {}': '1 ile {1} arasında olmalı',
  'There is no bank {}. See: vezne bank list': '{1} bankası yok.',
  'must be TRY: FAST carries TRY only': 'TRY olmalı: FAST yalnızca TRY taşır',
  'must be 1 to {}, the minimum not above the maximum': '1 ile {1} arasında olmalı; en az, en çoktan büyük olamaz',
  'The IBAN {}.': 'IBAN geçersiz: {1}.',
  'must be a Turkish IBAN, starting with TR': 'TR ile başlayan bir Türkiye IBAN’ı olmalı',
  'must have 26 characters, has {}': '26 karakter olmalı, {1} karakter var',
  'must be TR, 7 digits, a 0, and 16 letters or digits': 'TR, 7 rakam, bir 0 ve 16 harf veya rakam olmalı',
  'is the marker of an erased IBAN; it names no account': 'silinmiş bir IBAN’ın işareti; bir hesap değil',
  'has wrong check digits: a character is mistyped or missing':
    'kontrol basamakları yanlış: bir karakter hatalı veya eksik',
  'must have 3 to 140 characters': '3 ile 140 karakter arasında olmalı',
  'The account {} is open already.': '{1} hesabı zaten açık.',
  'There is no change request {}. See: vezne change list': '{1} numaralı değişiklik önerisi yok.',
  'The change was {}{} already.': 'Bu değişikliğe zaten karar verildi.',
  'The request has expired: it was open for more than seven days. Propose it again.':
    'Önerinin süresi doldu: yedi günden uzun açık kaldı. Yeniden önerin.',
  '{}, who proposed it, may not decide any more. Reject it and propose it again: vezne change reject {} --why TEXT':
    'Öneren {1} artık karar veremez. Reddedip yeniden önerin.',
  'It has changed since it was proposed or since you saw it. Look again: vezne change show {}. If it stays so, reject it and propose it again.':
    'Önerildikten veya siz gördükten sonra değişti. Yeniden bakın; böyle kalırsa reddedip yeniden önerin.',
  'What the file would bring is not what was proposed. Approve files of earlier days first, or reject it and upload the file again.':
    'Dosyanın getireceği satırlar önerilenle aynı değil. Önce eski günlerin dosyalarını onaylayın ya da reddedip dosyayı yeniden yükleyin.',
  '{} brings nothing new: its lines and balances were imported before. Nothing was imported.':
    '{} yeni bir şey getirmiyor: satırları ve bakiyeleri daha önce aktarılmış. Hiçbir şey aktarılmadı.',
  'The file is not kept any more. Upload it again: the same file is approved by it.':
    'Dosya artık saklanmıyor. Yeniden yükleyin: aynı dosyayı yüklemek onaydır.',
  'There is no connection {}. Known: {}.': '{1} bağlantısı yok. Bilinenler: {2}.',
  '{} has proposed another change of the same ({}). Approve or reject it first: vezne change show {}':
    '{1} aynı şey için başka bir değişiklik önerdi ({2}). Önce onu onaylayın veya reddedin.',
  'Another person has just proposed a change of the same. See: vezne change list':
    'Başka biri az önce aynı şey için değişiklik önerdi.',
  'The key of {} is not known here. Set VEZNE_BANK_API_URL and VEZNE_BANK_API_KEY as its workers have them.':
    '{1} bağlantısının anahtarı bu süreçte bilinmiyor. Sistem yöneticisine bildirin.',
  'There is a connection {} already. See: vezne connection show {}': '{1} adlı bir bağlantı zaten var.',
  '{} is not configured here: its settings are in the environment.': '{1} buradan değiştirilemez: ayarları sunucuda.',
  'Of {} you can change {}. For another folder add a connection.':
    '{1} için değiştirilebilenler: {2}. Başka klasör için yeni bağlantı ekleyin.',
  'The connection {} is {} already.': '{1} bağlantısı zaten öyle ({2}).',
  'must be 1 to 40 lower-case letters, digits and hyphens, a letter first':
    '1–40 küçük harf, rakam veya tire olmalı; harfle başlamalı',
  'of a manual connection must begin with manual-, such as manual-{}':
    'elle bağlantıda manual- ile başlamalı, örneğin manual-{1}',
  'begins with manual: only kind manual may': 'manual ile yalnızca elle bağlantılar başlayabilir',
  'must be 1 to 4096 visible ASCII characters without spaces; see the file it was read from':
    '1–4096 görünür ASCII karakter olmalı, boşluksuz',
  'is missing: the old key is for the old address only, a new address needs a key too':
    'eksik: eski anahtar yalnızca eski adres içindir, yeni adresin kendi anahtarı olmalı',
  'of the tests of a day is at most {} kuruş, 1,00 TL, and {} were sent':
    'bir günün denemelerinde toplam en çok {1} kuruş olabilir (1,00 TL); {2} kuruş gönderildi',
  'The key of this proposal does not open any more. Reject it and propose it again.':
    'Bu önerideki anahtar artık açılamıyor. Reddedip yeniden önerin.',
  'cannot be used: {}': 'kullanılamaz: {1}',
  'is used by connection {}, or inside of its folder, or around it': '{1} bağlantısının klasörüyle çakışıyor',
  '{} must be an address or network such as 203.0.113.0/24': '{1}: 203.0.113.0/24 gibi bir adres veya ağ olmalı',
  'must have 1 to 100 characters': '1 ile 100 karakter arasında olmalı',
  'must be 1 or more': '1 veya daha fazla olmalı',
  '{} must be an origin such as https://shop.example': '{1}: https://shop.example gibi bir köken olmalı',
  'The secret was rotated or revoked meanwhile. Look at the keys again.':
    'Gizli anahtar bu arada yenilendi veya iptal edildi. Anahtarlara yeniden bakın.',
  'This merchant has no live key.': 'Bu satıcının geçerli anahtarı yok.',
  'A merchant has at most {} endpoints.': 'Bir satıcının en çok {1} callback adresi olur.',
  'The secret was rotated meanwhile. Look at the endpoint again.':
    'Gizli anahtar bu arada yenilendi. Adrese yeniden bakın.',
  'There is no endpoint {} of merchant {}.': '{1} numaralı callback adresi yok.',
  'must have at most 200 characters': 'en çok 200 karakter olmalı',
  '"{}" is not an event type': '“{1}” bir olay türü değil',
  'must be from 1 to {}': '1 ile {1} arasında olmalı',
  'must not contain spaces, control characters or backslashes': 'boşluk, kontrol karakteri veya ters bölü içeremez',
  'is not a web address': 'bir web adresi değil',
  'must be https': 'https olmalı',
  'must be http or https': 'http veya https olmalı',
  'must name a host after //': '// sonrasında bir sunucu adı olmalı',
  'must not carry a user name or password': 'kullanıcı adı veya parola içeremez',
  'must not end its host name with a dot': 'sunucu adı noktayla bitemez',
  '{} is not a public address': '{1} herkese açık bir adres değil',
  '{} is not a public name': '{1} herkese açık bir ad değil',
  'must use port {} or {}': '{1} veya {2} portu olmalı',
  'must name its host in full, such as hooks.example.com': 'sunucu adı tam olmalı, örneğin hooks.example.com',
  'must be at least two seconds from now: transactions that exist keep their price':
    'en az iki saniye sonrası olmalı: var olan işlemlerin ücreti değişmez',
  'must be 0 to 10000 basis points': '%0 ile %100 arasında olmalı',
  'must be 0 to {} kuruş': '0 ile {1} kuruş arasında olmalı',
  'There is no merchant {}.': '{1} numaralı satıcı yok.',
  'must say why, in {} characters or more': 'nedeni en az {1} karakterle yazın',
  'The merchant is {}.': 'Satıcının durumu zaten öyle ({1}).',
  'This account is suspended: it can create no deposits or withdrawals. Ask the operator of the service.':
    'Bu hesap donduruldu: yatırım ve çekim oluşturamaz. Hizmetin işletmecisine sorun.',
  'must have 1 to 60 characters': '1 ile 60 karakter arasında olmalı',
  'must be a phone number such as +90 212 555 00 00': '+90 212 555 00 00 gibi bir telefon numarası olmalı',
  'must be four digits': 'dört rakam olmalı',
  'is for accounts in TRY: FAST carries no other currency': 'TRY hesapları içindir: FAST başka para birimi taşımaz',
  'must be a colour such as #0e5a6b': '#0e5a6b gibi bir renk olmalı',
  'must be a PNG, JPEG or WebP image ({})': 'PNG, JPEG veya WebP görseli olmalı',
  'has {} KB at {} × {} pixels; at most {} KB. Use fewer colours, and no photo or gradient.':
    '{2} × {3} pikselde {1} KB; en çok {4} KB olabilir. Daha az renk kullanın; fotoğraf ve renk geçişi olmasın.',
  'has too many pixels; at most {} million. Make it smaller.':
    'çok fazla piksel içeriyor; en çok {1} milyon olabilir. Görseli küçültün.',
  'must not contain invisible characters, or such as change the direction of the text':
    'görünmeyen veya yazının yönünü değiştiren karakter içeremez',
  'must not contain an IBAN or account number: customers could pay to it':
    'IBAN veya hesap numarası içeremez: müşteriler ona para gönderebilir',
  'must not contain a Turkish identity number: customers could pay to it':
    'T.C. kimlik numarası içeremez: müşteriler ona FAST ile para gönderebilir',
  'must not contain an e-mail address: customers could pay to it. Use the support e-mail':
    'e-posta adresi içeremez: müşteriler ona FAST ile para gönderebilir. Destek e-postası alanını kullanın',
  'must not contain a mobile phone number: customers could pay to it. Use the support phone':
    'cep telefonu numarası içeremez: müşteriler ona FAST ile para gönderebilir. Destek telefonu alanını kullanın',
  "must be the merchant's own account; this one is a collecting account of this service":
    'satıcının kendi hesabı olmalı; bu, hizmetin tahsilat hesabı',
  'The merchant has no account to settle to. Two people register one: vezne merchant settlement-account {} --iban … --title …':
    'Satıcının ödeme yapılacak hesabı yok. Önce iki kişi kaydetmeli.',
  'It is not what you saw: the balance has fallen, the account has changed, or a settlement was made meanwhile. Look again.':
    'Gördüğünüzden farklı: bakiye azaldı, hesap değişti veya bu arada bir hakediş gönderildi. Yeniden bakın.',
  'Nothing is settled while {}.': '{1} hakediş gönderilmez.',
  'There is nothing to settle: {} is available.': 'Gönderilecek bakiye yok: kullanılabilir {1}.',
  'The processIds settlement-{} to settlement-{}-{} are all used.':
    'Bu günün bütün hakediş numaraları kullanılmış. Yarın yeniden deneyin.',
  'Another version of Vezne wrote this proposal, and this one cannot read it. Reject it and propose it again.':
    'Bu öneriyi başka bir Vezne sürümü yazdı; bu sürüm okuyamıyor. Reddedip yeniden önerin.',
  'This takes two people: one proposes it, another approves it. See: vezne change --help':
    'Bu iki kişi ister: biri önerir, başka biri onaylar.',
  'Say who decides: --as NAME. See: vezne operator list': 'Kimin karar verdiği belli değil.',
  'This is not for a merchant to decide, or it is not of this merchant.':
    'Bu karar satıcıya ait değil veya bu satıcının değil.',
  'The role {} may not do this ({}){}.': '{1} rolü bunu yapamaz.',
  'There is no operator {}. Add one: vezne operator add {} --role ROLE': '{1} adlı bir operatör yok.',
  '{} may not decide any more.': '{1} artık karar veremez.',
  '{} may not do this ({}):{}': '{1} bunu yapamaz: rolü yok.',
  'must be like ayse.yilmaz: 2 to 40 of a-z 0-9 . _ -': 'ayse.yilmaz gibi olmalı: a-z 0-9 . _ - karakterlerinden 2–40',
  'must be the name of a person; {} is reserved': 'bir kişinin adı olmalı; {1} ayrılmış bir ad',
  'There is an operator {} already.': '{1} adlı operatör zaten var.',
  'must be one or more of {}': 'şunlardan biri veya birkaçı olmalı: {1}',
  'Two admins together give one person the role admin and a role for money (cashier, approver). Give one of them.':
    'Bir kişiye hem yönetici rolünü hem para işlemi yapan bir rolü ancak iki yönetici birlikte verebilir. Birini seçin.',
  'Someone active must have the role admin. Give it to another person first.':
    'Etkin birinin admin rolü olmalı. Önce başka birine verin.',
  'There is no operator {} who may decide. See: vezne operator list': 'Karar verebilecek {1} adlı bir operatör yok.',
  '{} was disabled less than a week ago, and there is no other admin to approve this. After {} one admin may do it alone.':
    '{1} devre dışı bırakılalı bir hafta olmadı ve bunu onaylayacak başka yönetici yok. {2} gününden sonra tek yönetici yapabilir.',
  '{} has a login. Two admins end it first; then one invites: vezne operator reset {}':
    '{1} adlı kişinin girişi var. Önce iki yönetici girişi sıfırlar; sonra bir yönetici davet eder.',
  '{} has no open invitation. Invite the person: vezne operator invite {}':
    '{1} adlı kişinin geçerli bir daveti yok. Kişiyi davet edin.',
  'You have invited {} and saw the link: another admin gives the code.':
    '{1} adlı kişiyi siz davet ettiniz ve bağlantıyı gördünüz: kodu başka bir yönetici verir.',
  'The code does not fit. Another admin than the one who sent the link gives it.':
    'Kod doğru değil. Kodu, bağlantıyı göndermeyen başka bir yönetici verir.',
  'The code does not fit. Another admin than the one who sent the link gives it, or an owner of the merchant.':
    'Kod doğru değil. Kodu, operatörün bağlantıyı göndermeyen başka bir yöneticisi veya satıcının bir sahibi verir.',
  'The code does not fit. Another user with the role owner or finance than the one who sent the link gives it.':
    'Kod doğru değil. Kodu, sahip veya finans rolündeki, bağlantıyı göndermeyen başka bir kullanıcı verir.',
  'You do not give the code of {}. Another admin than the one who sent the link gives it, or an owner of the merchant.':
    '{1} için kodu siz veremezsiniz. Kodu, operatörün bağlantıyı göndermeyen başka bir yöneticisi veya satıcının bir sahibi verir.',
  'You do not give the code of {}. Another user with the role owner or finance than the one who sent the link gives it.':
    '{1} için kodu siz veremezsiniz. Kodu, sahip veya finans rolündeki, bağlantıyı göndermeyen başka bir kullanıcı verir.',
  '{} has no open invitation of this merchant.': '{1} için bu satıcının geçerli bir daveti yok.',
  'No other user with the role owner or finance could give the code of {}: ask the operator to invite.':
    '{1} için kodu verebilecek, sahip veya finans rolünde başka bir kullanıcı yok: daveti operatörden isteyin.',
  'Someone else than you must keep the role owner or finance. Ask the operator to change this role.':
    'Sizden başka birinin sahip veya finans rolü kalmalı. Bu rolü operatörün değiştirmesini isteyin.',
  'The role {} decides more than {} does now, so two people give it: invite {} with this role.':
    '{1} rolü, {2} kişisinin şimdiki rolünden fazlasına karar verir; bu yüzden iki kişiyle verilir: {2} kişisini bu rolle davet edin.',
  '{} has no login. Invite the person: vezne operator invite {}': '{1} adlı kişinin girişi yok. Kişiyi davet edin.',
  // Logins.
  "There is no merchant's login {} that works.": 'Çalışan böyle bir kullanıcı yok.',
  'must be one of {}': 'şunlardan biri olmalı: {1}',
  'Someone must have the role owner. Give it to another person first.':
    'Birinin sahip rolü olmalı. Önce başka birine verin.',
  'There is no login {} that works.': 'Çalışan böyle bir kullanıcı yok.',
  'There is no new secret to confirm. Begin again.': 'Doğrulanacak yeni bir anahtar yok. Baştan başlayın.',
  'Set up a second factor first.': 'Önce ikinci adımı kurun.',
  'Pass the second factor first.': 'Önce ikinci adımı geçin.',
  'This code is wrong, too old, or was used before. Wait for the next one.':
    'Bu kod yanlış, eski veya kullanılmış. Sonraki kodu bekleyin.',
  'Too many failed attempts. Try again in {} seconds.': 'Çok fazla başarısız deneme. {1} saniye sonra yeniden deneyin.',
  'Too many failed attempts. Try again in {} minutes.': 'Çok fazla başarısız deneme. {1} dakika sonra yeniden deneyin.',
  'This invitation was used, replaced or is older than 72 hours. Ask for another one.':
    'Bu davet kullanıldı, yenilendi veya 72 saatten eski. Yenisini isteyin.',
  '{} has no role admin. Give it: vezne operator roles {} --role admin': '{1} admin rolüne sahip değil.',
  'Operators have logins already. An admin invites others: vezne operator invite NAME':
    'Operatörlerin girişi zaten var. Diğerlerini bir admin davet eder.',
  'must be an e-mail address': 'bir e-posta adresi olmalı',
  'This e-mail address cannot be used for this merchant. Take another.':
    'Bu e-posta adresi bu satıcı için kullanılamaz. Başka bir adres yazın.',
  'Name or password is wrong.': 'Ad veya parola yanlış.',
  'E-mail or password is wrong.': 'E-posta veya parola yanlış.',
  'This login took too long or was ended. Log in again.':
    'Giriş çok uzun sürdü veya sonlandırıldı. Yeniden giriş yapın.',
  'must have {} characters or more; several words are good': 'en az {1} karakter olmalı; birkaç sözcük iyidir',
  'must have {} characters or fewer': 'en çok {1} karakter olmalı',
  'must not contain your name': 'adınızı içeremez',
  'is on lists of common passwords; choose another': 'yaygın parola listelerinde var; başka bir parola seçin',
  'The password is wrong.': 'Parola yanlış.',
  'There is no session {}. See: vezne operator sessions': 'Böyle bir oturum yok.',
  'Enter your password or a code again first: this needs one of the last ten minutes.':
    'Önce parolanızı veya bir kodu yeniden girin: son on dakika içinde girilmiş olmalı.',
}
