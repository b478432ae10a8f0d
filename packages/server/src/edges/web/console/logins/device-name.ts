/** In this order: a browser also names those that it is made from. */
const BROWSERS: [sign: RegExp, name: string][] = [
  [/Edg(?:A|iOS)?\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/SamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/YaBrowser\/(\d+)/, 'Yandex'],
  [/(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/Version\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari/, 'Safari'],
]
const SYSTEMS: [sign: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]
const MAX_OTHER = 40

/** "Chrome 141, Windows"; of another program its first words. */
export function deviceName(userAgent: string): string {
  const browser = BROWSERS.find(([sign]) => sign.test(userAgent))
  const system = SYSTEMS.find(([sign]) => sign.test(userAgent))?.[1]
  if (!browser) return cutAtWord(userAgent)
  const version = browser[0].exec(userAgent)?.[1]
  return [`${browser[1]} ${version}`, system].filter((part) => part !== undefined).join(', ')
}

function cutAtWord(text: string): string {
  if (text.length <= MAX_OTHER) return text
  const end = text.lastIndexOf(' ', MAX_OTHER)
  return `${text.slice(0, end > 0 ? end : MAX_OTHER).toWellFormed()}…`
}
