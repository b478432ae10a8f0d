/** Far more than a bank sends for one line; bounds what a batch that stays one line can hold. */
const MAX_NARRATIVE = 10_000

/** The texts as one, each once, without line breaks or runs of spaces. */
export function narrativeOf(texts: Iterable<string>): string {
  const seen = new Set([''])
  let narrative = ''
  for (const text of texts) {
    const clean = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
    if (seen.has(clean)) continue
    seen.add(clean)
    narrative = narrative === '' ? clean : `${narrative} ${clean}`
    if (narrative.length > MAX_NARRATIVE) return narrative.slice(0, MAX_NARRATIVE)
  }
  return narrative
}
