const tr = {
  lead: 'Sunucunuzun API çağrıları, en yenisi üstte. Son 7 gün, en çok 10.000 çağrı. Gönderilen veriler saklanmaz.',
  title: 'API çağrısı',
  result: 'Sonuç',
  all: 'Tümü',
  failed: 'Yalnızca hatalar',
  call: 'Çağrı',
  status: 'Yanıt',
  duration: 'Süre',
  address: 'IP',
  at: 'Zaman',
  none: 'Bu seçimde çağrı yok.',
  code: 'Hata kodu',
  problem: 'Açıklama',
  requestId: 'requestId',
  curl: 'curl ile yeniden dene',
  curlHint:
    'Secret’ı VEZNE_SECRET değişkenine, varsa gövdeyi body.json dosyasına koyun. İmza her seferinde yeniden hesaplanır.',
  back: 'Bütün çağrılar',
}

type Words = typeof tr

const en: Words = {
  lead: 'API calls of your server, newest first. Last 7 days, at most 10,000 calls. What was sent is not kept.',
  title: 'API call',
  result: 'Result',
  all: 'All',
  failed: 'Failures only',
  call: 'Call',
  status: 'Response',
  duration: 'Time taken',
  address: 'IP',
  at: 'Time',
  none: 'No calls in this selection.',
  code: 'Error code',
  problem: 'What was wrong',
  requestId: 'requestId',
  curl: 'Try again with curl',
  curlHint:
    'Put the secret into the variable VEZNE_SECRET and the body, if any, into body.json. The signature is calculated each time.',
  back: 'All calls',
}

export const CALL_WORDS = { tr, en }
