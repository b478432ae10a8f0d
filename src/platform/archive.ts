import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, createReadStream, createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

// A gzipped tar (ustar) whose last entry holds the SHA-256 of every other one: an archive without it is cut off.

export type Manifest = { takenAt: string; withKey: boolean; files: Record<string, string> }
export type ArchiveWriter = {
  folder: (name: string) => Promise<void>
  /** `content` must give exactly `size` bytes. */
  file: (name: string, size: number, content: AsyncIterable<Buffer> | Buffer[]) => Promise<void>
}
type Owner = { uid: number; gid: number } | null
type Entry = { name: string; isFolder: boolean; content: AsyncIterable<Buffer> }

const BLOCK = 512
const MANIFEST = 'manifest.json'

/** Appears under its name when it is whole and on disk. */
export async function writeArchive(
  path: string,
  facts: Omit<Manifest, 'files'>,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const part = `${path}.part`
  const gzip = createGzip({ level: 1 })
  const written = pipeline(gzip, createWriteStream(part, { mode: 0o600, flush: true }))
  written.catch(() => undefined)
  const put = async (bytes: Buffer) => void (gzip.write(bytes) || (await once(gzip, 'drain')))
  const files: Manifest['files'] = {}
  const archive: ArchiveWriter = {
    folder: (name) => put(header(name, 0, '5')),
    async file(name, size, content) {
      await put(header(name, size, '0'))
      const hash = createHash('sha256')
      for await (const chunk of content) {
        hash.update(chunk)
        await put(chunk)
      }
      await put(Buffer.alloc(padding(size)))
      files[name] = hash.digest('hex')
    },
  }
  try {
    await fill(archive)
    const manifest = Buffer.from(JSON.stringify({ ...facts, files }))
    await archive.file(MANIFEST, manifest.length, [manifest])
    gzip.end(Buffer.alloc(2 * BLOCK))
    await written
    renameSync(part, path)
  } catch (error) {
    gzip.destroy()
    await written.catch(() => undefined)
    rmSync(part, { force: true })
    throw error
  }
}

/** Reads all of it and compares; throws when it is damaged or cut off. */
export async function verifyArchive(path: string): Promise<Manifest> {
  const found: Manifest['files'] = {}
  let manifest: Manifest | null = null
  for await (const { name, isFolder, content } of entriesOf(path)) {
    const hash = createHash('sha256')
    const kept: Buffer[] = []
    for await (const chunk of content) {
      hash.update(chunk)
      if (name === MANIFEST) kept.push(chunk)
    }
    if (name === MANIFEST) manifest = JSON.parse(Buffer.concat(kept).toString()) as Manifest
    else if (!isFolder) found[name] = hash.digest('hex')
  }
  if (!manifest) throw new Error('the list of its files is missing')
  const names = new Set([...Object.keys(found), ...Object.keys(manifest.files)])
  const wrong = [...names].find((name) => found[name] !== manifest.files[name])
  if (wrong !== undefined) throw new Error(`${wrong} is not as it was written`)
  return manifest
}

/** What lies below `owned` is given to the owner. */
export async function extractArchive(path: string, folder: string, owned: string, owner: Owner): Promise<void> {
  for await (const { name, isFolder, content } of entriesOf(path)) {
    const target = join(folder, name)
    if (isFolder) mkdirSync(target, { recursive: true, mode: 0o700 })
    else {
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      await pipeline(content, createWriteStream(target, { mode: 0o600, flush: true }))
    }
    if (owner && name.startsWith(owned)) chownSync(target, owner.uid, owner.gid)
  }
}

async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const source = createReadStream(path)
  const gunzip = createGunzip()
  const unpacked = pipeline(source, gunzip)
  unpacked.catch(() => undefined)
  const { take, chunks } = reader(gunzip)
  for (;;) {
    const block = await take(BLOCK)
    if (block.every((byte) => byte === 0)) break
    const name = block.toString('utf8', 0, 100).replace(/\0.*$/s, '')
    if (!/^[\w./-]+$/.test(name) || name.startsWith('/') || name.split('/').includes('..'))
      throw new Error(`it has an entry with the name ${JSON.stringify(name)}`)
    const size = Number.parseInt(block.toString('latin1', 124, 135), 8)
    yield { name, isFolder: block[156] === '5'.charCodeAt(0), content: chunks(size) }
    await take(padding(size))
  }
  // To the end: gzip's own checksum is there.
  gunzip.resume()
  await unpacked
}

/** Exactly so many bytes of a stream, at once or in pieces. */
function reader(stream: AsyncIterable<Buffer>) {
  const pieces = stream[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  async function* chunks(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0;) {
      if (rest.length === 0) {
        const { value, done } = await pieces.next()
        if (done === true) throw new Error('it ends too early')
        rest = value
      }
      const piece = rest.subarray(0, left)
      rest = rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
  const take = async (size: number) => Buffer.concat(await Array.fromAsync(chunks(size)))
  return { take, chunks }
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

function header(name: string, size: number, type: '0' | '5'): Buffer {
  const block = Buffer.alloc(BLOCK)
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long for an archive.`)
  block.write(name, 0)
  block.write(type === '5' ? '0000700\0' : '0000600\0', 100)
  block.write('0000000\0'.repeat(2), 108)
  block.write(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`, 124)
  // The checksum counts itself as spaces.
  block.write(`        ${type}`, 148)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
