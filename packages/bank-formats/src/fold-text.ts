/** One key for every spelling of a header or a label: `İŞLEM TUTARI`, `İşlem Tutarı`, `Islem  Tutari :`. */
export function foldLabel(text: string): string {
  const folded = text
    .normalize('NFKD')
    .replaceAll('ı', 'i')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
  // A header of signs only, such as +/-.
  return folded === '' ? text.replaceAll(/\s/g, '') : folded
}

/**
 * What a person sees in a cell: without spaces around it, characters that cannot be seen, and the marks by which
 * spreadsheets keep a number as text ('00123 and ="00123").
 */
export function visibleText(text: string): string {
  const plain = text
    .replaceAll(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .replaceAll(/[\s\u00a0\u2007\u202f]+/g, ' ')
    .trim()
  const kept = /^="(.*)"$/.exec(plain)?.[1] ?? plain
  return kept.startsWith("'") ? kept.slice(1).trim() : kept
}

/** Folded once for each list, because every row is compared with it. */
export function foldedLabels(names: readonly string[]): string[] {
  let folded = foldedLists.get(names)
  if (!folded) foldedLists.set(names, (folded = names.map(foldLabel)))
  return folded
}

const foldedLists = new WeakMap<readonly string[], string[]>()
