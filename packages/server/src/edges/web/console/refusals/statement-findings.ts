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
  'the first statement of {}': '{1} hesabının ilk ekstresi',
  'the opening balance of {} is {}; our last closing balance, of {}, is {}: is a statement missing?':
    '{1} açılış bakiyesi {2}; bizdeki son kapanış bakiyesi ({3}) {4}. Eksik bir ekstre var mı?',
  'the closing balance of {} is {}; file {} gave {}. This one will count: ask the bank which is right':
    '{1} kapanış bakiyesi {2}; {3} dosyası {4} vermişti. Bundan sonra bu geçerli: hangisinin doğru olduğunu bankaya sorun',
  'the closing balance of {} is {}; the statement of {} opens with {}':
    '{1} kapanış bakiyesi {2}; {3} ekstresi {4} ile açılıyor',
  'no statement of {}; the balances show that nothing moved': '{1} için ekstre yok; bakiyelere göre hareket de yok',
  'no statement of {}: is a file missing?': '{1} için ekstre yok. Eksik bir dosya var mı?',
  '{} to {}': '{1} – {2}',
  'line {}: {} is {}; expected {}': '{1}. satır: {2} {3}; beklenen {4}',
  '{} is {}; expected {}': '{1} {2}; beklenen {3}',
}
