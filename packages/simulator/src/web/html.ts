/** Safe markup: only `html` creates it, and `html` escapes everything else. */
export type Html = { readonly markup: string }

type Value = string | number | Html | readonly Html[] | null | false

export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  const parts = strings.map((part, index) => part + render(values[index] ?? null))
  return { markup: parts.join('') }
}

function render(value: Value): string {
  if (value === null || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value))
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

const ENTITIES = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }))

/** Enough for text and quoted attributes; attributes are always quoted. */
function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character) ?? '')
}
