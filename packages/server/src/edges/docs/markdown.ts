import { posix } from 'node:path'
import type { Tokens } from 'marked'
import { Marked } from 'marked'
import type { Html } from '../web/html.ts'
import { drawn, html, render } from '../web/html.ts'
import { siteAddress } from './site-map.ts'

/** A heading with the text below it, for the list of contents and for the search. */
export type Section = { id: string; title: string; depth: number; text: string; inMenu?: string }
export type Rendered = { title: string; body: Html; sections: Section[] }

/** Renders a document of this repository. `file` is its path from the root; `inserts` replace comments such as `<!-- playground -->`. */
export function renderMarkdown(source: string, file: string, inserts: Record<string, Html> = {}): Rendered {
  const ids = new Set<string>()
  const sections: Section[] = []
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = uniqueId(slug(text), ids)
        sections.push({ id, title: plain(text), depth, text: '' })
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const inside = drawn(this.parser.parseInline(tokens))
        const address = addressOf(href, file)
        return render(address === null ? html`${inside}` : html`<a href="${address}">${inside}</a>`)
      },
      code: ({ text, lang }) => render(html`<pre class="${lang ?? ''}" tabindex="0"><code>${text}</code></pre>`),
      // Our documents contain no other markup.
      html: ({ text }) => {
        const insert = inserts[/^<!-- (\w+) -->/.exec(text)?.[1] ?? '']
        return insert ? render(insert) : ''
      },
      table(token) {
        const inside = (cell: Tokens.TableCell) => this.parser.parseInline(cell.tokens)
        const head = token.header.map((cell) => `<th scope="col">${inside(cell)}</th>`).join('')
        const rows = token.rows.map((row) => row.map((cell) => `<td>${inside(cell)}</td>`).join(''))
        const body = rows.map((row) => `<tr>${row}</tr>`).join('')
        return `<div class="wide" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
      },
    },
  })
  const body = drawn(marked.parse(source, { async: false }))
  return { title: sections[0]?.title ?? file, body, sections: withText(source, sections) }
}

/** The text of each section, from one heading to the next. */
function withText(source: string, sections: Section[]): Section[] {
  const parts = source.replace(/```[\s\S]*?```/g, (block) => block.replace(/^#/gm, ' #')).split(/^#{1,6} .*$/m)
  return sections.map((section, at) => ({ ...section, text: plain(parts[at + 1] ?? '') }))
}

const plain = (markdown: string) =>
  markdown
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<!--.*?-->/g, '')
    .replace(/^```\w*$/gm, '')
    .replace(/^\|?[-|: ]+\|$/gm, '')
    .replace(/[`*|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** As GitHub makes it, so that links work in both places. */
function slug(heading: string): string {
  const text = plain(heading).toLowerCase()
  return text.replace(/[^\p{L}\p{N} _-]/gu, '').replace(/ /g, '-')
}

function uniqueId(wanted: string, taken: Set<string>): string {
  let id = wanted
  for (let number = 1; taken.has(id); number++) id = `${wanted}-${number}`
  taken.add(id)
  return id
}

/** The address of a link on the site; null: what it leads to is only in the repository. */
function addressOf(href: string, file: string): string | null {
  if (/^(https?:|#)/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const address = siteAddress(posix.normalize(posix.join(posix.dirname(file), path)))
  return address === null || anchor === undefined ? address : `${address}#${anchor}`
}
