import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Refusal } from '../refusal.ts'
import { END, entriesOf, header, padding } from './tar.ts'

// Gzipped tar (ustar). The last two entries are the manifest with the SHA-256 of every file and its HMAC under a key
// derived from the master key, which detect truncated and forged archives.

export type Manifest = { takenAt: string; withKey: boolean; files: ListedFile[] }
/** Name and SHA-256; empty for a folder. */
type ListedFile = [name: string, hash: string]
/** The content of an archive before verification. */
export type ReadArchive = { files: ListedFile[]; kept: Map<string, Buffer> }
export type ArchiveWriter = {
  folder: (name: string) => Promise<void>
  /** `content` must yield exactly `size` bytes. */
  file: (name: string, size: number, content: AsyncIterable<Buffer> | Buffer[]) => Promise<void>
}
type Owner = { uid: number; gid: number } | null

const MANIFEST = 'manifest.json'
const HMAC = 'manifest.hmac'
/** Limit for content that is read into memory. */
const MAX_KEPT_BYTES = 64 << 20

/** PostgreSQL has one file per gigabyte of a table. Entries are listed in memory before the signature is checked. */
const MAX_ENTRIES = 250_000

/** The file appears under its name when it is complete and synced. Private, and never overwrites an existing file. */
export async function writeArchive(
  path: string,
  masterKey: Buffer,
  facts: Omit<Manifest, 'files'>,
  fill: (archive: ArchiveWriter) => Promise<void>,
  maxEntries = MAX_ENTRIES,
): Promise<void> {
  const part = `${path}.part`
  const file = await openPart(part)
  const gzip = createGzip({ level: 1 })
  const written = pipeline(gzip, file.createWriteStream({ flush: true }))
  written.catch(() => undefined)
  const write = async (bytes: Buffer) => void (gzip.write(bytes) || (await once(gzip, 'drain')))
  const files: ListedFile[] = []
  const archive = archiveWriter(write, files, maxEntries)
  try {
    if (existsSync(path)) throw new Refusal('INVALID_STATE', `There is a file ${path} already. Choose another name.`)
    await fill(archive)
    const manifest = Buffer.from(JSON.stringify({ ...facts, files }))
    const hmac = Buffer.from(signatureOf(manifest, masterKey))
    await archive.file(MANIFEST, manifest.length, [manifest])
    await archive.file(HMAC, hmac.length, [hmac])
    gzip.end(END)
    await written
    renameSync(part, path)
  } catch (error) {
    gzip.destroy()
    await written.catch(() => undefined)
    rmSync(part, { force: true })
    throw error
  }
}

/** Lists in `files` what it writes. */
function archiveWriter(
  write: (bytes: Buffer) => Promise<void>,
  files: ListedFile[],
  maxEntries: number,
): ArchiveWriter {
  return {
    async folder(name) {
      mustFit(files.length + 1, maxEntries)
      await write(header(name, 0, '5'))
      files.push([name, ''])
    },
    async file(name, size, content) {
      mustFit(files.length + 1, maxEntries)
      await write(header(name, size, '0'))
      const hash = createHash('sha256')
      for await (const chunk of content) {
        hash.update(chunk)
        await write(chunk)
      }
      await write(Buffer.alloc(padding(size)))
      files.push([name, hash.digest('hex')])
    },
  }
}

/** An existing file is not replaced: another backup may be writing it. */
async function openPart(part: string) {
  try {
    return await open(part, 'wx', 0o600)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
    const message = `There is a file ${part} already: another backup writes it, or one was cut off.`
    throw new Refusal('INVALID_STATE', `${message} If no backup runs, delete it; or choose another name.`, {
      cause: error,
    })
  }
}

function signatureOf(manifest: Buffer, masterKey: Buffer): string {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'vezne backup v1', 32))
  return createHmac('sha256', key).update(manifest).digest('hex')
}

/** Reads all of it; throws if it is damaged or truncated. `keep`: the file whose content is wanted. */
export async function readArchive(path: string, keep: string, maxEntries = MAX_ENTRIES): Promise<ReadArchive> {
  const files: ListedFile[] = []
  const kept = new Map<string, Buffer>()
  const wanted = new Set([MANIFEST, HMAC, keep])
  let entries = 0
  for await (const { name, isFolder, size, content } of entriesOf(path)) {
    mustFit(++entries, maxEntries)
    if (wanted.has(name) && size > MAX_KEPT_BYTES) throw new Error(`${name} is too large`)
    const hash = createHash('sha256')
    const chunks: Buffer[] = []
    for await (const chunk of content) {
      hash.update(chunk)
      if (wanted.has(name)) chunks.push(chunk)
    }
    if (wanted.has(name)) kept.set(name, Buffer.concat(chunks))
    if (name !== MANIFEST && name !== HMAC) files.push([name, isFolder ? '' : hash.digest('hex')])
  }
  if (!kept.has(MANIFEST) || !kept.has(HMAC)) throw new Error('the list of its files is missing')
  return { files, kept }
}

function mustFit(entries: number, max: number): void {
  if (entries > max) throw new Error(`it has more than ${max} entries`)
}

/** The manifest is not used before its signature matches one of the keys. */
export function verifyArchive({ files, kept }: ReadArchive, masterKeys: Buffer[]): Manifest {
  const text = kept.get(MANIFEST) as Buffer
  const given = kept.get(HMAC) as Buffer
  const isSigned = masterKeys.some((key) => {
    const expected = Buffer.from(signatureOf(text, key))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isSigned) throw new Error('it was changed, or is not signed with this master key')
  const manifest = JSON.parse(text.toString()) as Manifest
  const remaining = expectedFiles(manifest)
  for (const file of files) removeVerified(remaining, file)
  mustBeEmpty(remaining)
  return manifest
}

function expectedFiles({ files }: Manifest): Map<string, string> {
  const list = new Map(files)
  if (list.size < files.length) throw new Error('it lists a name twice')
  return list
}

/** Each listed name once with its content, and no others. */
function removeVerified(list: Map<string, string>, [name, hash]: ListedFile): void {
  if (list.get(name) !== hash) throw new Error(`${name} does not match the manifest, or is there twice`)
  list.delete(name)
}

function mustBeEmpty(list: Map<string, string>): void {
  for (const name of list.keys()) throw new Error(`${name} is missing`)
}

/** Verifies again: the file may have been replaced since. Files below `owned` are given to the owner. */
export async function extractArchive(
  path: string,
  manifest: Manifest,
  { folder, owned, owner }: { folder: string; owned: string; owner: Owner },
): Promise<void> {
  const remaining = expectedFiles(manifest)
  for await (const { name, isFolder, content } of entriesOf(path)) {
    if (name === MANIFEST || name === HMAC) {
      await Array.fromAsync(content)
      continue
    }
    if (!remaining.has(name)) throw new Error(`${name} is not in its list`)
    const target = join(folder, name)
    const hash = createHash('sha256')
    if (isFolder) mkdirSync(target, { recursive: true, mode: 0o700 })
    else {
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
      const hashed = async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk)
          yield chunk
        }
      }
      await pipeline(content, hashed, createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }))
    }
    removeVerified(remaining, [name, isFolder ? '' : hash.digest('hex')])
    if (owner && name.startsWith(owned)) chownSync(target, owner.uid, owner.gid)
  }
  mustBeEmpty(remaining)
}
