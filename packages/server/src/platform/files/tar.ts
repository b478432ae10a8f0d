import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'

// The tar format (ustar): files and folders only.

type Entry = { name: string; isFolder: boolean; size: number; content: AsyncIterable<Buffer> }

const BLOCK = 512
export const END = Buffer.alloc(2 * BLOCK)

/** The content of each entry must be read before the next one. */
export async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const source = createReadStream(path)
  const gunzip = createGunzip()
  const unpacked = pipeline(source, gunzip)
  unpacked.catch(() => undefined)
  const { readBytes, chunks } = reader(gunzip)
  for (;;) {
    const block = await readBytes(BLOCK)
    if (block.every((byte) => byte === 0)) break
    const name = block.toString('utf8', 0, 100).replace(/\0.*$/s, '')
    if (!/^[\w./-]+$/.test(name) || name.startsWith('/') || name.split('/').includes('..'))
      throw new Error(`it has an entry with the name ${JSON.stringify(name)}`)
    const size = Number.parseInt(block.toString('latin1', 124, 135), 8)
    const type = block.toString('latin1', 156, 157)
    if (type !== '0' && type !== '5') throw new Error(`${name} is neither a file nor a folder`)
    yield { name, isFolder: type === '5', size, content: chunks(size) }
    await readBytes(padding(size))
  }
  // Reads to the end, where gzip has its checksum.
  gunzip.resume()
  await unpacked
}

/** Reads an exact number of bytes from a stream, at once or in pieces. */
function reader(stream: AsyncIterable<Buffer>) {
  const pieces = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  async function* chunks(size: number): AsyncGenerator<Buffer> {
    for (let remaining = size; remaining > 0;) {
      if (rest.length === 0) {
        const { value, done } = await pieces.next()
        if (done === true) throw new Error('it ends too early')
        rest = value
      }
      const piece = rest.subarray(0, remaining)
      rest = rest.subarray(piece.length)
      remaining -= piece.length
      yield piece
    }
  }
  const readBytes = async (size: number) => Buffer.concat(await Array.fromAsync(chunks(size)))
  return { readBytes, chunks }
}

export function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

export function header(name: string, size: number, type: '0' | '5'): Buffer {
  const block = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long for an archive.`)
  block.write(name, 0)
  block.write(type === '5' ? '0000700\0' : '0000600\0', 100)
  block.write('0000000\0'.repeat(2), 108)
  block.write(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`, 124)
  // The checksum is computed with spaces in its own field.
  block.write(`        ${type}`, 148)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
