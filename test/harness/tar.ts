import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

/** `type` as in the format: 0 a file, 5 a folder, 2 a symbolic link. */
export type TarEntry = { name: string; type: string; content: Buffer }

const BLOCK = 512
const padded = (size: number) => Math.ceil(size / BLOCK) * BLOCK

export function readTar(file: string): TarEntry[] {
  const bytes = gunzipSync(readFileSync(file))
  const entries: TarEntry[] = []
  for (let at = 0; bytes[at] !== 0;) {
    const text = (from: number, to: number) => bytes.toString('latin1', at + from, at + to).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 136), 8)
    entries.push({ name: text(0, 100), type: text(156, 157), content: bytes.subarray(at + BLOCK, at + BLOCK + size) })
    at += BLOCK + padded(size)
  }
  return entries
}

export function writeTar(file: string, entries: TarEntry[]): void {
  const blocks = entries.flatMap(({ name, type, content }) => {
    const header = Buffer.alloc(BLOCK)
    header.write(name, 0)
    header.write(content.length.toString(8).padStart(11, '0'), 124)
    header.write(`        ${type}`, 148)
    header.write('ustar\u000000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, content, Buffer.alloc(padded(content.length) - content.length)]
  })
  writeFileSync(file, gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 1 }))
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
