import type { ErrorCode } from '@vezne/contract'
import { ERROR_HELP } from '@vezne/contract/openapi'
import type { Language } from './site-map.ts'

type Help = Record<ErrorCode, { why: string; fix: string }>

const ERROR_HELP_TR: Help = {
  INVALID_API_KEY: {
    why: 'X-API-Key yok, iki kez gönderilmiş, tanınmıyor ya da iptal edilmiş.',
    fix: 'Bu kuruluma ait anahtarı bir kez gönderin. Deneme ortamının anahtarı canlı ortamda geçmez.',
  },
  MISSING_SIGNATURE: { why: 'X-Signature yok.', fix: 'İsteği imzalayın ve bu başlığı gönderin.' },
  MISSING_TIMESTAMP: { why: 'X-Timestamp yok.', fix: 'İmzaladığınız Unix zamanını tam saniye olarak gönderin.' },
  TIMESTAMP_EXPIRED: {
    why: 'X-Timestamp on haneli değil ya da saatimizden 300 saniyeden fazla farklı.',
    fix: 'Makinenizin saatini eşitleyin (NTP), saniye kullanın ve göndermeden hemen önce imzalayın.',
  },
  INVALID_SIGNATURE: {
    why: 'İmza beklenen imza değil.',
    fix: 'Zaman + YÖNTEM + sorgusuyla birlikte yol + gövdenin gönderilen baytları imzalanır. Deneme ortamı imzaladığı metni ve sık yapılan hatanın adını döndürür.',
  },
  IP_NOT_WHITELISTED: {
    why: 'İsteğin geldiği adres listenizde değil.',
    fix: 'Mesajdaki adresi listeye ekletin ya da listedeki bir adresten çağırın.',
  },
  ACCOUNT_SUSPENDED: {
    why: 'Kurum hesabınızı dondurdu: yeni yatırım, çekim ve iade oluşturulamaz.',
    fix: 'Kurumla görüşün. Diğer her şey çalışır.',
  },
  VALIDATION_ERROR: {
    why: 'Bir alan ya da gövde eksik, bozuk ya da izin verilmeyen türde.',
    fix: '`details` içindeki alanları düzeltin. Önce türler, sonra anlamlar denetlenir; düzeltilen istek başka bir alan için yine reddedilebilir.',
  },
  DUPLICATE_TRANSACTION: {
    why: 'Bu processId daha önce kullanıldı. Yeni bir şey oluşturulmadı.',
    fix: '`details.differs` boşsa bu sizin tekrarınızdır: `details.transactionId` işlemini okuyun. Değilse yeni bir processId kullanın.',
  },
  AMOUNT_OUT_OF_RANGE: {
    why: 'Banka bu tutarı kabul etmiyor ya da iade, yatırımdan kalandan büyük.',
    fix: '`details.minAmount` ile `details.maxAmount` arasında kalın.',
  },
  INVALID_IBAN: {
    why: 'IBAN geçerli bir Türkiye IBAN’ı değil.',
    fix: 'Müşteriye yeniden sorun; mesaj neyin yanlış olduğunu söyler.',
  },
  INSUFFICIENT_BALANCE: {
    why: 'Tutar ve komisyon kullanılabilir bakiyenizden büyük.',
    fix: '`details.available` ile `details.needed` değerlerini karşılaştırın. Yatırım bekleyin ya da daha az isteyin.',
  },
  NOT_FOUND: {
    why: 'Bu yolda bir şey yok ya da sizde böyle bir işlem, olay veya uç nokta yok.',
    fix: 'Yolu ve kimliği denetleyin. processId ile aramak için: GET /v1/transactions?processId=….',
  },
  METHOD_NOT_ALLOWED: { why: 'Bu yol başka bir yöntemle var.', fix: 'Allow başlığındaki yöntemi kullanın.' },
  INVALID_STATE: {
    why: 'İşlem artık buna izin veren bir durumda değil ya da olayı alabilecek bir uç nokta yok.',
    fix: 'İşlemi okuyun ve yeniden karar verin.',
  },
  REQUEST_REPEATED: {
    why: 'processId taşımayan bir çağrı aynı imzayla yeniden geldi. En çok bir kez çalıştı.',
    fix: 'Sonucu GET ile okuyun. Çağrıyı yinelemek için yeniden imzalayın.',
  },
  PAYLOAD_TOO_LARGE: { why: 'Gövde 64 kB’den büyük.', fix: 'Daha az gönderin. `metadata` 4096 bayt alır.' },
  UNSUPPORTED_MEDIA_TYPE: { why: 'Gövde JSON olarak gönderilmedi.', fix: '`content-type: application/json` gönderin.' },
  RATE_LIMITED: {
    why: 'Çok fazla istek, başarısız kimlik doğrulama, aynı anda liste ya da bekleyen yatırım.',
    fix: 'Retry-After başlığındaki saniye kadar bekleyin.',
  },
  INTERNAL_ERROR: {
    why: 'Hizmetin bir hatası.',
    fix: 'Etkisi oldu mu diye bakın, sonra yineleyin. requestId değerini bildirin.',
  },
  SERVICE_UNAVAILABLE: {
    why: 'Hizmet şu anda yazamıyor. Mesaj hiçbir şeyin kaydedilmediğini ya da sonucun bilinmediğini söyler.',
    fix: 'Retry-After kadar bekleyin, sonra aynı isteği yeni bir imzayla gönderin.',
  },
}

const en = {
  site: 'Vezne documentation',
  skip: 'Skip to content',
  menu: 'Documentation',
  guides: 'Guides',
  details: 'In detail',
  reference: 'API reference',
  changelog: 'Changelog',
  otherLanguage: 'Türkçe',
  inEnglish: '',
  contents: 'On this page',
  search: 'Search',
  searchHint: 'Search the documentation',
  results: (text: string, count: number) => `${count} results for “${text}”`,
  nothing: 'Nothing was found. Try fewer words.',
  unknown: 'There is no such page.',
  errors: {
    title: 'Errors',
    lead: 'Base decisions on the code; the message is for people and its wording may change. Quote the requestId when you ask for help.',
    fix: 'What to do:',
    help: ERROR_HELP as Help,
  },
  playground: {
    title: 'Try it',
    lead: 'Everything is computed in your browser; nothing is sent.',
    secret: 'API secret',
    timestamp: 'X-Timestamp',
    method: 'Method',
    path: 'Path with query',
    body: 'Body, exactly as sent',
    signed: 'String that is signed',
    signature: 'X-Signature',
    yours: 'Your signature, to compare',
    needsScript: 'This needs JavaScript. Without it: npx vezne sign prints the three headers of any request.',
    insecure: 'This browser computes signatures only on https or on this machine.',
    equal: 'Your signature is right.',
    different: 'Your signature is none of the usual mistakes. Compare the string that you sign, byte by byte.',
    mistakes: {
      milliseconds: 'You signed the time in milliseconds.',
      base64: 'It is right, but in base64; it must be lower-case hex.',
      upper: 'It is right, but in upper case.',
      noBody: 'You signed no body.',
      noQuery: 'You signed the path without its query.',
      lowerMethod: 'You signed the method in lower case.',
      reserialised: 'You signed the body as JSON written again: sign the bytes that you send.',
      spaced: 'You signed the body with other spaces: sign the bytes that you send.',
      newline: 'You signed a line break after the body.',
      dots: 'You signed the parts with a separator.',
      noPrefix: 'You used the secret without its prefix vs_.',
      quoted: 'You used the secret with quotes around it.',
      plain: 'You computed a plain SHA-256; it must be an HMAC with the secret.',
    },
  },
}

export type Words = typeof en

const tr: Words = {
  site: 'Vezne belgeleri',
  skip: 'İçeriğe geç',
  menu: 'Belgeler',
  guides: 'Kılavuzlar',
  details: 'Ayrıntılar (İngilizce)',
  reference: 'API başvurusu',
  changelog: 'Değişiklikler',
  otherLanguage: 'English',
  inEnglish: 'Bu sayfa yalnızca İngilizce.',
  contents: 'Bu sayfada',
  search: 'Ara',
  searchHint: 'Belgelerde ara',
  results: (text, count) => `“${text}” için ${count} sonuç`,
  nothing: 'Bir şey bulunamadı. Daha az sözcük deneyin.',
  unknown: 'Böyle bir sayfa yok.',
  errors: {
    title: 'Hatalar',
    lead: 'Kararlarınızı koda göre verin; mesaj insanlar içindir ve değişebilir. Yardım isterken requestId değerini verin.',
    fix: 'Ne yapmalı:',
    help: ERROR_HELP_TR,
  },
  playground: {
    title: 'Deneyin',
    lead: 'Her şey tarayıcınızda hesaplanır; hiçbir şey gönderilmez.',
    secret: 'API gizli anahtarı',
    timestamp: 'X-Timestamp',
    method: 'Yöntem',
    path: 'Sorgusuyla birlikte yol',
    body: 'Gövde, gönderildiği gibi',
    signed: 'İmzalanan metin',
    signature: 'X-Signature',
    yours: 'Karşılaştırmak için sizin imzanız',
    needsScript: 'Bunun için JavaScript gerekir. Onsuz: npx vezne sign her isteğin üç başlığını yazar.',
    insecure: 'Bu tarayıcı imzayı yalnızca https üzerinde ya da bu makinede hesaplar.',
    equal: 'İmzanız doğru.',
    different: 'İmzanız sık yapılan hatalardan biri değil. İmzaladığınız metni bayt bayt karşılaştırın.',
    mistakes: {
      milliseconds: 'Zamanı milisaniye olarak imzalamışsınız.',
      base64: 'Doğru, ama base64 yazılmış; küçük harfli onaltılık olmalı.',
      upper: 'Doğru, ama büyük harfle yazılmış.',
      noBody: 'Gövdeyi imzalamamışsınız.',
      noQuery: 'Yolu sorgusu olmadan imzalamışsınız.',
      lowerMethod: 'Yöntemi küçük harfle imzalamışsınız.',
      reserialised: 'Gövdeyi yeniden yazılmış JSON olarak imzalamışsınız: gönderdiğiniz baytları imzalayın.',
      spaced: 'Gövdeyi başka boşluklarla imzalamışsınız: gönderdiğiniz baytları imzalayın.',
      newline: 'Gövdeden sonra bir satır sonu imzalamışsınız.',
      dots: 'Parçaları aralarında bir ayraçla imzalamışsınız.',
      noPrefix: 'Gizli anahtarı vs_ öneki olmadan kullanmışsınız.',
      quoted: 'Gizli anahtarı tırnak içinde kullanmışsınız.',
      plain: 'Düz SHA-256 hesaplamışsınız; gizli anahtarla HMAC olmalı.',
    },
  },
}

export const WORDS: Record<Language, Words> = { en, tr }
