import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Asset = { name: string; type: string; body: Buffer }

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/**
 * A page asset whose name contains the hash of its content: it is cacheable forever, because changed content gets another name. `uses` are
 * files that it references in `url(…)`.
 */
export function asset(name: string, paths: string[], uses: { as: string; asset: Asset }[] = []): Asset {
  const [, stem = name, kind = ''] = /^(.*)\.(\w+)$/.exec(name) ?? []
  const bytes = Buffer.concat(paths.map((path) => readFileSync(path)))
  const text = () => (kind === 'js' ? stripTypes(bytes.toString()) : bytes.toString())
  const body = kind === 'woff2' ? bytes : Buffer.from(lean(withNames(text(), uses)))
  return { name: `${stem}-${hashOf(body)}.${kind}`, type: TYPES[kind] ?? 'application/octet-stream', body }
}

/** Page scripts are TypeScript. Node's function is a release candidate: its warning would be logged at every start. */
function stripTypes(source: string): string {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(source)
  } finally {
    process.emitWarning = emitWarning
  }
}

function hashOf(body: Buffer | string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 12)
}

function withNames(text: string, uses: { as: string; asset: Asset }[]): string {
  return uses.reduce((result, { as, asset: { name } }) => result.replaceAll(`url(${as})`, `url(${name})`), text)
}

/** Removes comments on their own lines, except the notice of a licence, and indentation. */
function lean(text: string): string {
  const code = text.replace(/^\s*\/\*(?!!)[\s\S]*?\*\/\s*$/gm, '').replace(/^\s*\/\/.*$/gm, '')
  return code.replace(/^\s+/gm, '')
}

/** Compresses for clients that accept it. Only for responses that do not combine a secret with text chosen by an outsider. */
export function packed(request: FastifyRequest, reply: FastifyReply, body: Buffer | string): Buffer | string {
  void reply.header('vary', 'accept-encoding')
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return body
  void reply.header('content-encoding', 'gzip')
  return typeof body === 'string' ? gzipSync(body) : packedFile(body)
}

const packedFiles = new WeakMap<Buffer, Buffer>()

/** Files are the same bytes for everyone: compressing them per request would let anyone keep the CPU busy. */
function packedFile(body: Buffer): Buffer {
  const bytes = packedFiles.get(body) ?? gzipSync(body)
  packedFiles.set(body, bytes)
  return bytes
}
