export type Encoding = 'utf-8' | 'windows-1254'

/** Letters of windows-1254 that are not at the place of their Unicode number. */
const SPECIAL: Record<string, number> = {
  ...{ '€': 0x80, '‚': 0x82, ƒ: 0x83, '„': 0x84, '…': 0x85, '†': 0x86, '‡': 0x87, ˆ: 0x88, '‰': 0x89, Š: 0x8a },
  ...{ '‹': 0x8b, Œ: 0x8c, '‘': 0x91, '’': 0x92, '“': 0x93, '”': 0x94, '•': 0x95, '–': 0x96, '—': 0x97, '˜': 0x98 },
  ...{ '™': 0x99, š: 0x9a, '›': 0x9b, œ: 0x9c, Ÿ: 0x9f, Ğ: 0xd0, İ: 0xdd, Ş: 0xde, ğ: 0xf0, ı: 0xfd, ş: 0xfe },
}
/** Latin letters whose places the Turkish ones have. */
const TAKEN = new Set([0xd0, 0xdd, 0xde, 0xf0, 0xfd, 0xfe])

/** A letter that windows-1254 does not have becomes a question mark, as banks write it. */
export function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  return Buffer.from(Array.from(text, byteOf))
}

function byteOf(letter: string): number {
  const code = letter.codePointAt(0) ?? 0
  const isSame = code < 0x80 || (code >= 0xa0 && code <= 0xff && !TAKEN.has(code))
  return SPECIAL[letter] ?? (isSame ? code : 0x3f)
}
