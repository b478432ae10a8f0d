/** What the checks of a statement file found. */
export const STATEMENT_FINDINGS: Record<string, string> = {
  "{} has lines that came over the bank's API or by hand: the same booking may have another number there":
    '{1}: bu dönemde bankanın API’sinden gelen veya elle girilen satırlar var; aynı hareket orada başka numarayla olabilir',
  'the statement is in {}; account {} is in {}': 'ekstre {1}, {2} hesabı {3} para biriminde',
  'the statement ends on {}, which is in the future: is the year right?':
    'ekstre {1} günü bitiyor; bu tarih gelecekte. Yıl doğru mu?',
  'these days were imported in another format, whose numbers and texts cannot be compared with {}: {}':
    'bu günler başka biçimde aktarılmış; numaraları ve metinleri {1} ile karşılaştırılamaz: {2}',
  'overlaps {}: known lines are not counted again': '{1} ile çakışıyor; bilinen satırlar yeniden sayılmaz',
  'the lines of {} come over the connection {} by themselves':
    '{1} hesabının satırları {2} bağlantısından kendiliğinden gelir',
  'the file has no balances, so nothing proves it': 'dosyada bakiye yok; dosya doğrulanamadı',
  'the balances do not continue those that we have, so nothing proves the file':
    'bakiyeler bizdeki bakiyelerin devamı değil; dosya doğrulanamadı',
  'the first statement of {}': '{1} hesabının ilk ekstresi',
  'the opening balance of {} is {}; our last closing balance, of {}, is {}: is a statement missing?':
    '{1} açılış bakiyesi {2}; bizdeki son kapanış bakiyesi ({3}) {4}. Eksik bir ekstre var mı?',
  'the opening balance of {} is {}; file {} gave {}. Ask the bank which is right':
    '{1} açılış bakiyesi {2}; {3} dosyası {4} vermişti. Hangisinin doğru olduğunu bankaya sorun',
  'the closing balance of {} is {}; file {} gave {}. Ask the bank which is right':
    '{1} kapanış bakiyesi {2}; {3} dosyası {4} vermişti. Hangisinin doğru olduğunu bankaya sorun',
  'the statement has no closing balance of {}; file {} gave {}. Ask the bank for one with balances':
    'ekstrede {1} kapanış bakiyesi yok; {2} dosyası {3} vermişti. Bankadan bakiyeli bir ekstre isteyin',
  '{} is closed: its opening balance {} becomes {} (difference {}). Ask the bank which is right':
    '{1} kapalı bir gün; açılış bakiyesi {2} yerine {3} olur (fark {4}). Hangisinin doğru olduğunu bankaya sorun',
  '{} is closed: its closing balance {} becomes {} (difference {}). Ask the bank which is right':
    '{1} kapalı bir gün; kapanış bakiyesi {2} yerine {3} olur (fark {4}). Hangisinin doğru olduğunu bankaya sorun',
  '{} more balances of closed days become other ones': 'kapalı günlerin {1} bakiyesi daha değişir',
  'the closing balance of {} is {}; the statement of {} opens with {}':
    '{1} kapanış bakiyesi {2}; {3} ekstresi {4} ile açılıyor',
  'no statement of {}; the balances show that nothing moved': '{1} için ekstre yok; bakiyelere göre hareket de yok',
  'no statement of {}: is a file missing?': '{1} için ekstre yok. Eksik bir dosya var mı?',
  '{} is not one of our accounts. See: vezne account list': '{1} bizim hesabımız değil; bkz. Bankalar',
  'the file names no account: say which it is with --account IBAN':
    'dosyada hesap yazmıyor: okuma seçeneklerinden hesabı seçin',
  'the file is of account {}, not of {}': 'dosya {1} hesabının, {2} hesabının değil',
  'several of our accounts have the number {}: say which it is with --account IBAN':
    '{1} numarası birden çok hesabımızda var: okuma seçeneklerinden hesabı seçin',
  'the file has no statement': 'dosyada ekstre yok',
  'no statement of the file is of one of our accounts': 'dosyadaki ekstrelerin hiçbiri bizim hesaplarımızın değil',
  'account {} has no connection yet: vezne account connect':
    '{1} hesabının bağlantısı henüz yok; Bankalar sayfasından bağlayın',
  'account {} has no source of record: name the connection with --connection NAME':
    '{1} hesabının esas kaynağı yok; Bankalar sayfasından bağlayın',
  'the source of record of account {} is {}, not {}': '{1} hesabının esas kaynağı {2}; {3} değil',
  '{} stored line of {} is not in this statement: first {}': '{2} gününün kayıtlı {1} satırı bu ekstrede yok: {3}',
  '{} stored lines of {} are not in this statement: first {}':
    '{2} gününün kayıtlı {1} satırı bu ekstrede yok; ilki {3}',
  '{} more stored lines are not in this statement: too many to look for them':
    'kayıtlı {1} satır daha bu ekstrede yok; aranamayacak kadar çok',
  'of {} with another number here, the same booking: {}, first {}, here number {}':
    '{1} gününden, burada başka numarayla gelen aynı hareket: {2} satır; ilki {3}, buradaki numara {4}',
  '{}, of {}, may be {} here: a suspected correction': '{2} günlü {1}, buradaki {3} olabilir: düzeltme şüphesi',
  'number {} of {}': '{2} günlü {1} numaralı satır',
  'line {}, number {}, {}': '{1} satırı (numara {2}, {3})',
  'line {}, without number, {}': '{1} satırı (numarasız, {2})',
  '{} (file {})': '{1} ({2} dosyası)',
  '{} ({}, file {})': '{1} ({2}, {3} dosyası)',
  '{}, {} (file {})': '{1}, {2} ({3} dosyası)',
  '{} to {}': '{1} – {2}',
  '{} is {}; expected {}': '{1} {2}; beklenen {3}',
  '{} {} not in this statement: first {}': '{1} {2} bu ekstrede yok; ilki {3}',
  'page {} of statement {}: {}{}': '{2} ekstresinin {1}. sayfası: {3}{4}',
  'page {} of statement {}: page {} is not here yet; its days count as read, and its balances are kept, once all pages came':
    '{2} ekstresinin {1}. sayfası: {3}. sayfa henüz gelmedi; bütün sayfalar gelince günleri okunmuş sayılır, bakiyeleri kaydedilir',
  'page {} of statement {}: its days count as read, and its balances are kept, once all pages came':
    '{2} ekstresinin {1}. sayfası: bütün sayfalar gelince günleri okunmuş sayılır, bakiyeleri kaydedilir',
  'the closing balance of statement {} is {}; expected {}: the opening balance and the lines of its {} pages':
    '{1} ekstresinin kapanış bakiyesi {2}; açılış bakiyesine ve {4} sayfanın satırlarına göre {3} olmalı',
  'equal lines of statement {}: {}: {}': '{1} ekstresinde aynı satırlar: {2}: {3}',
  'each is a booking: the balances of all pages include them':
    'her biri ayrı hareket: sayfaların bakiyelerinde hepsi var',
  'booked once: who approved this page did not see the others. If the bank confirms them, two people enter them by hand':
    'bir kez kaydedildi: bu sayfayı onaylayanlar ötekileri görmedi. Banka doğrularsa iki kişi elle girer',
  'each is booked once all pages came, if their balances include them':
    'bütün sayfalar gelince, bakiyelerde varsa her biri kaydedilir',
  'not booked twice: the balances of the pages do not show that each is a booking. Ask the bank':
    'iki kez kaydedilmedi: bakiyeler her birinin ayrı hareket olduğunu göstermiyor. Bankaya sorun',
  'number {}, {} (pages {})': '{1} numaralı, {2} (sayfa {3})',
  'number {}, {} (twice on page {})': '{1} numaralı, {2} ({3}. sayfada iki kez)',
  'number {}, {} (pages {}); {}': '{1} numaralı, {2} (sayfa {3}); {4}',
  'number {}, {} (twice on page {}); {}': '{1} numaralı, {2} ({3}. sayfada iki kez); {4}',
  'and {} more': 've {1} satır daha',
  'line {}, number {}, {}: {}': '{1} satırı (numara {2}, {3}): {4}',
  'line {}, without number, {}: {}': '{1} satırı (numarasız, {2}): {3}',
}
