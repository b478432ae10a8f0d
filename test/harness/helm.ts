import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments, stringify } from 'yaml'

// Implements the few Helm constructs of deploy/helm and throws on any other, so that tests can read the manifests
// without Helm.

const CHART = join(import.meta.dirname, '../../deploy/helm')
const read = (file: string) => readFileSync(join(CHART, file), 'utf8')

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on whatever is in the manifest
export type Manifest = { kind: string; metadata: any; spec: any }

type Values = Record<string, unknown>

/** Every manifest of the chart, with some values replaced. */
export function renderChart(changes: Values = {}): Manifest[] {
  const { appVersion } = parse(read('Chart.yaml')) as { appVersion: string }
  const root = {
    Values: { ...(parse(read('values.yaml')) as Values), ...changes },
    Release: { Name: 'shop' },
    Chart: { AppVersion: appVersion },
  }
  return readdirSync(join(CHART, 'templates')).flatMap((file) => {
    const text = render(read(`templates/${file}`), root, root)
    return parseAllDocuments(text).flatMap((document) => {
      if (document.errors.length > 0) throw new Error(`${file}: ${document.errors.join()}\n${text}`)
      return (document.toJS() as Manifest | null) ?? []
    })
  })
}

const BLOCK = /^(if|with) (\S+)$/
const END = /\{\{-? end \}\}/

function render(text: string, root: Values, dot: unknown): string {
  const start = /(\s*)\{\{(-?) (.+?) \}\}/.exec(text)
  if (!start) return text
  const [all, space, trim, action] = start as unknown as [string, string, string, string]
  const before = text.slice(0, start.index) + (trim ? '' : space)
  const rest = text.slice(start.index + all.length)
  const [, block, path] = BLOCK.exec(action) ?? []
  if (!block || !path) return before + evaluate(action, root, dot) + render(rest, root, dot)
  const end = findBlockEnd(rest)
  const value = lookUp(path, root, dot)
  const inside = isEmpty(value) ? '' : render(rest.slice(0, end.index), root, block === 'with' ? value : dot)
  return before + inside.trimEnd() + render(rest.slice(end.index + end.length), root, dot)
}

/** The end of the block that was just opened. */
function findBlockEnd(text: string): { index: number; length: number } {
  let depth = 1
  for (const match of text.matchAll(/\{\{-? (?:(?:if|with) \S+|end) \}\}/g)) {
    depth += END.test(match[0]) ? -1 : 1
    if (depth === 0) return { index: match.index, length: match[0].length }
  }
  throw new Error('a block has no end')
}

function evaluate(action: string, root: Values, dot: unknown): string {
  const [, yamlPath, spaces] = /^toYaml (\S+) \| nindent (\d+)$/.exec(action) ?? []
  if (yamlPath) {
    const lines = stringify(lookUp(yamlPath, root, dot))
      .trimEnd()
      .split('\n')
    return lines.map((line) => `\n${' '.repeat(Number(spaces))}${line}`).join('')
  }
  const [, path, otherwise] = /^(\.\S*)(?: \| default (\.\S+))?$/.exec(action) ?? []
  if (!path) throw new Error(`deploy/helm uses a construct that this test does not know: ${action}`)
  const value = lookUp(path, root, dot)
  return String(isEmpty(value) && otherwise ? lookUp(otherwise, root, dot) : value)
}

function lookUp(path: string, root: Values, dot: unknown): unknown {
  if (path === '.') return dot
  const value = path
    .slice(1)
    .split('.')
    .reduce<unknown>((object, key) => (object as Values | undefined)?.[key], root)
  if (value === undefined) throw new Error(`values.yaml has no ${path}`)
  return value
}

function isEmpty(value: unknown): boolean {
  return (
    value === '' || value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0)
  )
}
