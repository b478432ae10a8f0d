const MARKUP = Symbol('markup')

/** Finished markup. The symbol cannot come from JSON or the database: only the functions below create it. */
export type Html = { readonly [MARKUP]: string }

/** No bigint: format money with formatMoney first. */
export type Part = Html | string | number | false | null | undefined | readonly Part[]

/** Each template occurs once in the source, so its text without indentation is computed once. */
const lean = new WeakMap<TemplateStringsArray, string[]>()

/** Escapes every inserted value; nested templates and arrays of them stay markup. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const texts = lean.get(strings) ?? strings.map((text) => text.replace(/\s*\n\s*/g, '\n'))
  lean.set(strings, texts)
  const [first = '', ...rest] = texts
  return { [MARKUP]: first + rest.map((text, index) => write(parts[index]) + text).join('') }
}

export function render(markup: Html): string {
  return markup[MARKUP]
}

/** For markup that our own code generated, such as an SVG. Never for untrusted input. */
export function drawn(markup: string): Html {
  return { [MARKUP]: markup }
}

function write(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (typeof part === 'string') return escape(part)
  if (typeof part === 'number') return String(part)
  return isMarkup(part) ? part[MARKUP] : part.map(write).join('')
}

function isMarkup(part: Html | readonly Part[]): part is Html {
  return MARKUP in part
}

function escape(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** An untrusted name, on one line and without direction marks, which would also affect the text around it. */
export function plainName(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
}

/** An untrusted URL that may become a link; null for any other scheme, javascript: in particular. */
export function webAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null
  const { protocol, href } = new URL(text)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
