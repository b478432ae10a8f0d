import { isObject } from '../../../../platform/json/json-writers.ts'
import { parsed } from './rewritten-bodies.ts'

/**
 * Headers by lower-case name, from whatever a developer has: a saved request, the output of a proxy or of `curl -v`, JSON, or the variables
 * of a CGI-like server (HTTP_WEBHOOK_ID).
 */
export function readCallbackHeaders(text: string): Map<string, string> {
  const value = parsed(text)
  const pairs = isObject(value) ? Object.entries(value).map(jsonPair) : linePairs(text)
  return new Map(pairs.map(([name, one]) => [plainName(name), one]))
}

function jsonPair([name, value]: [string, unknown]): [string, string] {
  return [name, Array.isArray(value) ? value.join(' ') : String(value)]
}

/** Reads up to the empty line that ends the headers of a saved request. */
function linePairs(text: string): [string, string][] {
  const [head = ''] = text.trimStart().split(/\r?\n[<>]?[ \t]*\r?\n/)
  const lines = [...head.matchAll(/^[<>*]?[ \t]*([\w-]+)[ \t]*[:=][ \t]*(.*?)[ \t\r]*$/gm)]
  return lines.map(([, name = '', value = '']) => [name, value])
}

function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^http-/, '')
}
