import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOCS } from '../../packages/server/src/edges/docs/site-map.ts'

/** What a comment before a block says to the test; readers do not see it. */
type Mark = { word: 'not run' | 'file' | 'in' | 'before' | 'id'; value: string }
export type Block = { place: string; language: string; code: string; marks: Mark[] }

const MARK = /^<!-- (not run|file|in|before|id): (.+) -->$/

/** The code blocks of a guide, in order, with the comments directly above them. */
export function blocksOf(language: string, guide: string): Block[] {
  const file = `guides/${language}/${guide}.md`
  const lines = readFileSync(join(DOCS, file), 'utf8').split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at++) {
    const [, name] = /^```(\w*)$/.exec(lines[at] ?? '') ?? []
    if (name === undefined) continue
    const end = lines.indexOf('```', at + 1)
    blocks.push({
      place: `docs/${file}:${at + 1}`,
      language: name,
      code: lines.slice(at + 1, end).join('\n'),
      marks: marksAbove(lines, at),
    })
    at = end
  }
  return blocks
}

function marksAbove(lines: string[], at: number): Mark[] {
  const [, word, value] = MARK.exec(lines[at - 1] ?? '') ?? []
  if (word === undefined || value === undefined) return []
  return [...marksAbove(lines, at - 1), { word: word as Mark['word'], value }]
}

/** The code without what may be translated: comments and texts of messages. */
export function untranslated({ language, code }: Block): string {
  if (language === 'json' || language === 'console') return code
  const without = code.replace(language === 'js' ? /(^|\s)\/\/.*$/gm : /(^|\s)# .*$/gm, '')
  return without.replace(/(console\.error|new Error)\((['"]).*?\2/g, '$1(…').replace(/[ \t]+$/gm, '')
}
