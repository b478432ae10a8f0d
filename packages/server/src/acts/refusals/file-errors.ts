/** What is wrong with a file that cannot be read: texts of `packages/bank-formats`. See `translate.ts`. */
export const FILE_ERRORS: Record<string, string> = {
  'found the status {}, expected {}': 'durum {1}; beklenen: {2}',
  '<Ntry> has neither <BookgDt> nor <ValDt>': '<Ntry> içinde ne <BookgDt> ne <ValDt> var',
  'found the currency {}, expected three letters such as TRY': 'para birimi {1}; TRY gibi üç harf olmalı',
  '<Acct> has neither <IBAN> nor <Othr>': '<Acct> içinde ne <IBAN> ne <Othr> var',
  '<Bal> has no <Dt>': '<Bal> içinde <Dt> yok',
  'found {} in <NbOfNtries>, expected a number': '<NbOfNtries> içinde {1} var; sayı olmalı',
  'found {} in <PgNb>, expected the number of a page': '<PgNb> içinde {1} var; sayfa numarası olmalı',
  'the net total of <TtlNtries>': '<TtlNtries> net toplamı',
  'found no bank message, {}': 'dosyada banka mesajı yok; {1}',
  'expected {} (camt.052, camt.053, camt.054)': 'beklenen: {1} (camt.052, camt.053, camt.054)',
  'found <{}> of {} in the namespace of {}': '{2} mesajının <{1}> öğesi {3} ad alanında',
  'found <{}>, {}': '<{1}> bulundu; {2}',
  '<{}> has the currency {}, expected three letters such as TRY': '<{1}> para birimi {2}; TRY gibi üç harf olmalı',
  'found {} in <CdtDbtInd>, expected CRDT or DBIT': '<CdtDbtInd> içinde {1} var; CRDT veya DBIT olmalı',
  '<{}> has no <CdtDbtInd>, expected CRDT or DBIT': '<{1}> içinde <CdtDbtInd> yok; CRDT veya DBIT olmalı',
  'the message has no statement (Stmt, Rpt or Ntfctn)': 'mesajda ekstre yok (Stmt, Rpt veya Ntfctn)',
  '<{}> stands after the first <Ntry>, expected before': '<{1}> ilk <Ntry> öğesinden sonra; önce olmalı',
  'found a second <{}>': 'ikinci bir <{1}> var',
  'the statement has more than {} balances': 'ekstrede {1} bakiyeden fazlası var',
  'the statement has no <Acct>': 'ekstrede <Acct> yok',
  '<Bal> has no <CdtDbtInd>, expected CRDT or DBIT, and the lines do not prove which':
    '<Bal> içinde <CdtDbtInd> yok; CRDT veya DBIT olmalı, hangisi olduğu satırlardan da anlaşılmıyor',
  'too many lines after an opening balance without <CdtDbtInd>':
    '<CdtDbtInd> olmayan bir açılış bakiyesinden sonra çok fazla satır var',
  'mark of the opening balance': 'açılış bakiyesinin işareti',
  'mark of the closing balance': 'kapanış bakiyesinin işareti',
  none: 'yok',
  'currency of an entry': 'hareketin para birimi',
  'expected {} columns at most': 'en çok {1} sütun olabilir',
  'a text in quotes contains whole rows; expected a closing quote on this line':
    'tırnak içindeki metin bütün satırları kapsıyor; tırnak bu satırda kapanmalı',
  'expected a CSV file; this is {}': 'CSV dosyası olmalı; bu dosya: {1}',
  'the file is empty': 'dosya boş',
  'an old Excel file (.xls) or one with a password; open it in a spreadsheet and save it as .xlsx without a password, or as CSV':
    'eski bir Excel dosyası (.xls) veya parolalı; Excel’de açıp parolasız .xlsx ya da CSV olarak kaydedin',
  'an HTML page, even if it is named .xls; open it in a spreadsheet and save it as .xlsx, or export CSV from the bank':
    'uzantısı .xls olsa da bir HTML sayfası; Excel’de açıp .xlsx olarak kaydedin ya da bankadan CSV indirin',
  'an XML spreadsheet of Excel 2003; open it in a spreadsheet and save it as .xlsx':
    'Excel 2003 XML tablosu; Excel’de açıp .xlsx olarak kaydedin',
  'a PDF; export the statement as CSV, XLSX, MT940 or camt':
    'PDF dosyası; ekstreyi CSV, XLSX, MT940 veya camt olarak indirin',
  'no text, such as an image; export the statement as CSV, XLSX, MT940 or camt':
    'resim gibi, metin olmayan bir dosya; ekstreyi CSV, XLSX, MT940 veya camt olarak indirin',
  'a zip file with the parts of a spreadsheet': 'Excel dosyası',
  'a zip file that is no spreadsheet; unpack it and import what is inside':
    'zip dosyası; açıp içindeki dosyayı yükleyin',
  'XML with the root or namespace of {}': '{1} mesajı (XML)',
  'a payment order (pain.001), not a statement': 'ödeme emri (pain.001); ekstre değil',
  'XML that is neither camt nor pain.002': 'camt veya pain.002 olmayan bir XML',
  'a SWIFT header of MT{}': 'MT{1} mesajı',
  'the tags :34F: or :13D:': 'MT942 mesajı',
  'the tags :20:, :25: and :60F:': 'MT940 mesajı',
  'a table with its header on line {}; {}': 'başlığı {1}. satırda olan bir tablo; {2}',
  'a table with its header on line {}': 'başlığı {1}. satırda olan bir tablo',
  'the IBAN is of {}': 'IBAN {1} bankasının',
  'a row above it names {}': 'üstündeki satırda {1} yazıyor',
  'the columns are those of {}': 'sütunlar {1} bankasının',
  'a table with its header on line {}; nothing tells the bank, so choose it':
    'başlığı {1}. satırda olan bir tablo; hangi bankanın olduğu anlaşılmıyor: banka düzenini seçin',
  'a table whose header is of no known bank; save a column mapping for it':
    'başlığı bilinen bir bankaya uymayan bir tablo: banka düzenini seçin',
  'neither XML, MT940, a spreadsheet nor a table with a known header':
    'XML, MT940, Excel veya başlığı tanınan bir tablo olmalı',
  'not a statement that can be imported: {}': 'okunabilen bir ekstre değil: {1}',
  '{}: name it with --profile NAME or give its columns with --mapping FILE': '{1}: banka düzenini seçin',
  'it may be of {}': 'şunlardan birinin olabilir: {1}',
  'no built-in bank fits ({})': 'bilinen bir bankaya uymuyor ({1})',
  'found the date {}, expected a day such as 2026-01-31': 'tarih {1}; 2026-01-31 gibi bir gün olmalı',
  'found the date {}, expected a day from {} to {}': 'tarih {1}; {2} ile {3} arasında bir gün olmalı',
  'found the time {}, expected one such as 2026-01-31T10:15:00+03:00':
    'zaman {1}; 2026-01-31T10:15:00+03:00 gibi olmalı',
  '{} is not a valid IBAN': '{1} geçerli bir IBAN değil',
  '{} differs from {} above; expected one account a file':
    '{1}, yukarıdaki {2} ile aynı değil; dosyada tek hesap olmalı',
  '{} is not an amount': '{1} bir tutar değil',
  'the amount {} has more than {} decimals of {}': '{1} tutarında {2} ondalık basamaktan fazlası var ({3})',
  'the file ends inside of a message, expected -}': 'dosya bir mesajın içinde bitiyor; -} ile bitmeli',
  'found {1:, expected -} at the end of the message before': 'yeni mesaj başlıyor, ama önceki mesaj -} ile bitmemiş',
  'found a message MT{}, expected MT940 or MT942': 'MT{1} mesajı bulundu; MT940 veya MT942 olmalı',
  'found {}, expected a field such as :20:': '{1} bulundu; :20: gibi bir alan olmalı',
  'the field :{}: is longer than 8 KiB': ':{1}: alanı 8 KiB’tan uzun',
  'an entry date as mmdd, which {} is not': 'aagg biçiminde kayıt tarihi; {1} öyle değil',
  'the line is longer than 64 KiB': 'satır 64 KiB’tan uzun',
  'found a zero byte, expected the text of an MT940 or MT942': 'sıfır baytı var; MT940 veya MT942 metni olmalı',
  'found :{}: {}, expected {}': ':{1}: alanında {2} var; beklenen: {3}',
  'found the date {}, expected a day as yymmdd': 'tarih {1}; yyaagg biçiminde bir gün olmalı',
  'value date, entry date, mark, amount, type and references such as 2601310131C1234,56NTRFREF//BANKREF':
    'valör, kayıt tarihi, işaret, tutar, tür ve referanslar; örneğin 2601310131C1234,56NTRFREF//BANKREF',
  'a balance such as C260131TRY1234,56': 'C260131TRY1234,56 gibi bir bakiye',
  'a limit such as TRY0,': 'TRY0, gibi bir sınır',
  'a number and a sum such as 12TRY1234,56': '12TRY1234,56 gibi adet ve toplam',
  'found no field such as :20:, expected an MT940 or MT942': ':20: gibi bir alan yok; MT940 veya MT942 olmalı',
  'no line after the closing balance': 'kapanış bakiyesinden sonra satır olmamalı',
  'fewer lines of :86:': 'daha az :86: satırı',
  'it before the first :61: and the closing balance': 'ilk :61: alanından ve kapanış bakiyesinden önce olmalı',
  'one :{}: in a message, this is one more': 'mesajda tek :{1}: olmalı; bu fazladan',
  'an account': 'hesap',
  'found the currency {}, expected {} as before': 'para birimi {1}; öncekiler gibi {2} olmalı',
  'the message has no :25: with the account': 'mesajda hesabın yazdığı :25: yok',
  'the message has no :60F: or :60M: with the opening balance': 'mesajda açılış bakiyesi (:60F: veya :60M:) yok',
  'the message has no :34F: with the currency': 'mesajda para biriminin yazdığı :34F: yok',
  'the message ends without :62F: or :62M: with the closing balance; lines may be missing':
    'mesaj kapanış bakiyesi (:62F: veya :62M:) olmadan bitiyor; satırlar eksik olabilir',
  'number of further problems': 'diğer sorunların sayısı',
  '{} may have {} at most, to be put in order; export a shorter period':
    'sıraya konabilmesi için {1} en çok {2} olabilir; daha kısa bir dönemin ekstresini indirin',
  'the lines of one day': 'bir günün satırları',
  'a file that begins with its newest line': 'en yeni satırla başlayan dosya',
  '{} is not a day': '{1} geçerli bir gün değil',
  '{} is not a time of day': '{1} geçerli bir saat değil',
  '{} is not an amount; expected the form {}': '{1} bir tutar değil; {2} biçiminde olmalı',
  '{} may be {} or {}; import the file as the bank exported it, not saved by a spreadsheet':
    '{1}, {2} de olabilir {3} da; dosyayı Excel’de kaydetmeden, bankadan indirdiğiniz gibi yükleyin',
  '{} is not a currency; expected TL, TRY, USD or another code':
    '{1} bir para birimi değil; TL, TRY, USD gibi bir kod olmalı',
  'balance after the line': 'satırdan sonraki bakiye',
  '{}, from {} on line {} and {} here': '{1} ({3}. satırdaki {2} ve buradaki {4} ile)',
  '{}, from {} and the lines': '{1} (açılış {2} ve satırlarla)',
  'opening balance': 'açılış bakiyesi',
  'closing balance': 'kapanış bakiyesi',
  'sum of debits': 'çıkanların toplamı',
  'sum of credits': 'girenlerin toplamı',
  'a line below the totals of line {}': '{1}. satırdaki toplamların altında bir satır var',
  'the column {} stands twice in the header': '{1} sütunu başlıkta iki kez var',
  'the header says {}, a row above it {}': 'başlıkta {1}, üstündeki satırda {2} yazıyor',
  'the header lacks a column; expected {}': 'başlıkta eksik sütun var; beklenen: {1}',
  'found no header row; expected {}': 'başlık satırı yok; beklenen: {1}',
  'the columns of the profile': 'banka düzeninin sütunları',
  'found {}; expected a date ({}) or a row of totals': '{1} bulundu; tarih ({2}) veya toplam satırı olmalı',
  'the row has {} of {} columns; expected all: was the file cut off?':
    'satırda {2} sütundan {1} tanesi var. Dosya yarım mı indirildi?',
  'found a text right of the {} columns of the header; a text with a separator needs quotes':
    'başlıktaki {1} sütunun sağında metin var; ayırıcı içeren metin tırnak içinde olmalı',
  'the line is of account {}, those before of {}; export each account to its own file':
    'satır {1} hesabının, öncekiler {2} hesabının; her hesabın ekstresini ayrı indirin',
  'number of lines in {}': '{1} içindeki satır sayısı',
  'sum in {}': '{1} içindeki toplam',
  'sum in the net total of <TtlNtries>': '<TtlNtries> net toplamı',
  '{} is not a date': '{1} bir tarih değil',
  'the line is in {}; expected {}, as the account': 'satır {1} para biriminde; hesap gibi {2} olmalı',
  'the balance is missing': 'bakiye eksik',
  'the amount is missing': 'tutar eksik',
  'found {}; expected one of {}': '{1} bulundu; şunlardan biri olmalı: {2}',
  'the sign of {} and its mark do not agree': '{1} tutarının eksi/artı işareti ile borç/alacak işareti uyuşmuyor',
  'neither a debit nor a credit is given': 'ne borç ne alacak yazılmış',
  'both a debit and a credit are given; expected one of them': 'hem borç hem alacak yazılmış; biri olmalı',
  '{} has a sign; expected an amount without one': '{1} işaretli; işaretsiz bir tutar olmalı',
  'the amount is in {}; expected {}': 'tutar {1} para biriminde; {2} olmalı',
  'a row of more than {} characters; expected rows that end: is a quote not closed?':
    '{1} karakterden uzun bir satır var. Kapanmamış bir tırnak mı var?',
  'a quote is opened and not closed before the end of the file': 'açılan bir tırnak dosyanın sonuna kadar kapanmıyor',
  'not readable as a table: {}': 'tablo olarak okunamıyor',
  'a zero byte, which no text has; expected UTF-8, windows-1254, or UTF-16 with its mark':
    'metinde olmaması gereken bir sıfır baytı var; dosya UTF-8, windows-1254 veya imli UTF-16 olmalı',
  'found bytes that are no character of {}; export the file again, as UTF-8 if the bank offers it':
    '{1} karakteri olmayan baytlar var; dosyayı bankadan yeniden, mümkünse UTF-8 olarak indirin',
  'found a byte that is not {}, the encoding of the file': 'dosyanın kodlamasına ({1}) uymayan bir bayt var',
  'the spreadsheet has more than {} {}; export a shorter period':
    'Excel dosyasında {1} sınırı aşılıyor; daha kısa bir dönemin ekstresini indirin',
  'the spreadsheet has more than {} rows; export a shorter period':
    'Excel dosyasında {1} satırdan fazlası var; daha kısa bir dönemin ekstresini indirin',
  'the spreadsheet has more than {} texts; export a shorter period':
    'Excel dosyasında {1} metinden fazlası var; daha kısa bir dönemin ekstresini indirin',
  'the spreadsheet has more than {} elements; export a shorter period':
    'Excel dosyasında {1} öğeden fazlası var; daha kısa bir dönemin ekstresini indirin',
  'the spreadsheet has more than {} characters; export a shorter period':
    'Excel dosyasında {1} karakterden fazlası var; daha kısa bir dönemin ekstresini indirin',
  'the spreadsheet has more than {} bytes; export a shorter period':
    'Excel dosyasının açılmış hali {1} bayttan büyük; daha kısa bir dönemin ekstresini indirin',
  'the spreadsheet has more than {} sheets; export a shorter period':
    'Excel dosyasında {1} sayfadan fazlası var; hareketler tek sayfada olmalı',
  'a cell outside of a row': 'satır dışında bir hücre var',
  'a cell of more than {} characters; no statement has that':
    '{1} karakterden uzun bir hücre var; hiçbir ekstrede olmaz',
  'a row of more than {} characters; no statement has that':
    '{1} karakterden uzun bir satır var; hiçbir ekstrede olmaz',
  'found row {} after this; expected rows in order': 'bundan sonra {1} satırı geliyor; satırlar sırayla olmalı',
  '{} is not a cell of this row; expected A to XFD': '{1} bu satırın hücresi değil; A ile XFD arasında olmalı',
  'expected each cell once, in {} columns at most': 'her hücre bir kez ve en çok {1} sütunda olmalı',
  'text {} is not in the table of texts': '{1} no’lu metin, metin tablosunda yok',
  '{} is not a number': '{1} bir sayı değil',
  '{} is missing': '{1} eksik',
  'a zip file that is no spreadsheet; expected an .xlsx file': 'Excel dosyası olmayan bir zip; .xlsx olmalı',
  'it has no sheet': 'çalışma sayfası yok',
  'it has a text of more than {} characters': '{1} karakterden uzun bir metin var',
  '{} is not XML ({})': '{1} bölümü geçerli bir XML değil',
  '{} has a document type': '{1} bölümünde belge türü tanımı (DOCTYPE) var',
  '{} has an element with too many attributes': '{1} bölümünde bir öğenin çok fazla özniteliği var',
  '{} is nested too deeply': '{1} bölümünde öğeler çok derin iç içe',
  '{} has no element in {} characters': '{1} bölümünde {2} karakter boyunca öğe yok',
  '{} is not UTF-8': '{1} bölümü UTF-8 değil',
  'the spreadsheet is damaged: {}': 'Excel dosyası bozuk: {1}',
  'it has {} parts; expected {} at most': '{1} bölümü var; en çok {2} olabilir',
  'its directory ends early': 'dizini eksik',
  'the spreadsheet has a password; save it without one': 'Excel dosyası parolalı; parolasız kaydedin',
  'it has {} twice': '{1} iki kez var',
  'it has no end: was the upload cut off?': 'sonu yok. Yükleme yarım mı kaldı?',
  '{} has {} bytes; expected {} at most': '{1} bölümü açıldığında {2} bayt; en çok {3} bayt olabilir',
  '{} grows more than {} times when unpacked, which no statement does':
    '{1} bölümü açıldığında {2} katından fazla büyüyor; hiçbir ekstrede böyle bir şey olmaz',
  '{} is longer than it says': '{1} bölümü bildirilenden uzun',
  'the checksum of {} is wrong': '{1} bölümünün sağlama toplamı yanlış',
  '{} is packed by method {}; expected deflate': '{1} bölümü {2} yöntemiyle sıkıştırılmış; deflate olmalı',
  '{} is not where the directory says': '{1} bölümü dizinde yazan yerde değil',
  '{} ends early': '{1} bölümü yarım',
  '{} has two lengths': '{1} bölümünün iki ayrı uzunluğu var',
  '{} cannot be unpacked': '{1} bölümü açılamıyor',
  'expected an .xlsx file; this is {}': '.xlsx dosyası olmalı; bu dosya: {1}',
  'a second sheet with values; expected one sheet, export each account to its own file':
    'dolu ikinci bir çalışma sayfası var; tek sayfa olmalı: her hesabın ekstresini ayrı indirin',
  'the file has more than {} MB; export a shorter period':
    'dosya {1} MB’tan büyük; daha kısa bir dönemin ekstresini indirin',
  'this is not XML: {}': 'dosya geçerli bir XML değil',
  'this is not XML: no markup for 64 KiB': 'dosya geçerli bir XML değil',
  'found the encoding {}, expected for example UTF-8 or ISO-8859-9': 'kodlama {1}; UTF-8 veya ISO-8859-9 gibi olmalı',
  'a text is longer than {} characters': '{1} karakterden uzun bir metin var',
  'found <!DOCTYPE, expected a bank message, which has none': '<!DOCTYPE var; banka mesajlarında olmaz',
  'an element has more than {} attributes': 'bir öğenin {1} özniteliğinden fazlası var',
  'an attribute is longer than {} characters': '{1} karakterden uzun bir öznitelik var',
  'elements are nested deeper than {}': 'öğeler {1} düzeyden derin iç içe',
  'a name is longer than {} characters': '{1} karakterden uzun bir ad var',
  'found no element in {} characters': '{1} karakter boyunca öğe yok',
  '<{}> has more than {} elements or {} characters': '<{1}> içinde {2} öğeden veya {3} karakterden fazlası var',
  '<{}> has no <{}>': '<{1}> içinde <{2}> yok',
}

/** Between the parts of a value. Not tried on a whole text, which may be a name. */
export const JOINERS: Record<string, string> = {
  '{}, or {}': '{1} ya da {2}',
  '{} or {}': '{1} veya {2}',
  '{} and {}': '{1} ve {2}',
}

/** Where in the file. */
export const PLACES: Record<string, string> = {
  'line {}': '{1}. satır',
  'line {}, column {}': '{1}. satır, {2}. sütun',
  'sheet {}, line {}': '{1} sayfası, {2}. satır',
  'sheet {}, line {}, column {}': '{1} sayfası, {2}. satır, {3}. sütun',
}
