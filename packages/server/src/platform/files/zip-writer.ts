import { crc32, createDeflateRaw } from 'node:zlib'

/** Takes bytes; resolves when it may be given more. */
type Sink = (bytes: Uint8Array) => Promise<void>

/** Writes one member after the other, each as it comes, so that memory does not depend on their size. */
export type ZipWriter = {
  open: (name: string) => { write: Sink; end: () => Promise<void> }
  finish: () => Promise<void>
}

type Member = { name: Buffer; crc: number; packed: number; size: number; at: number }

/** Sizes and positions have four bytes; the format for more is not written. */
const LARGEST = 0xffff_ffff
/** A member's sizes follow its data, and its name is UTF-8. */
const FLAGS = 0x0808
const DEFLATED = 8
/** 1 January 1980, the first day that the format has: the same rows make the same file. */
const MIDNIGHT = 0
const FIRST_DAY = 0x21

export function zipWriter(sink: Sink): ZipWriter {
  const members: Member[] = []
  let at = 0
  const put = async (bytes: Uint8Array) => {
    at += bytes.length
    if (at > LARGEST) throw new Error('The file would have more than 4 GB. Export fewer days.')
    await sink(bytes)
  }
  return {
    open(name) {
      const member = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, at }
      const deflate = createDeflateRaw()
      const ready: Buffer[] = []
      deflate.on('data', (bytes: Buffer) => ready.push(bytes))
      let header: Uint8Array | null = headerOf(member)
      const drain = async () => {
        if (header) await put(header)
        header = null
        for (const bytes of ready.splice(0)) {
          member.packed += bytes.length
          await put(bytes)
        }
      }
      return {
        async write(bytes) {
          member.crc = crc32(bytes, member.crc)
          member.size += bytes.length
          await settled((done) => void deflate.write(bytes, done))
          await drain()
        },
        async end() {
          await new Promise<void>((resolve) => deflate.once('end', resolve).end())
          await drain()
          if (member.size > LARGEST) throw new Error('A sheet would have more than 4 GB. Export fewer days.')
          await put(numbers([4, 0x08074b50], [4, member.crc], [4, member.packed], [4, member.size]))
          members.push(member)
        },
      }
    },
    async finish() {
      const start = at
      for (const member of members) await put(directoryEntryOf(member))
      const [count, size] = [members.length, at - start]
      await put(numbers([4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, size], [4, start], [2, 0]))
    },
  }
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())))
}

function headerOf({ name }: Member): Uint8Array {
  const fixed = numbers([4, 0x04034b50], [2, 20], [2, FLAGS], [2, DEFLATED], [2, MIDNIGHT], [2, FIRST_DAY])
  return Buffer.concat([fixed, numbers([4, 0], [4, 0], [4, 0], [2, name.length], [2, 0]), name])
}

function directoryEntryOf({ name, crc, packed, size, at }: Member): Uint8Array {
  const fixed = numbers([4, 0x02014b50], [2, 20], [2, 20], [2, FLAGS], [2, DEFLATED], [2, MIDNIGHT], [2, FIRST_DAY])
  const sizes = numbers([4, crc], [4, packed], [4, size], [2, name.length], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0])
  return Buffer.concat([fixed, sizes, numbers([4, at]), name])
}

/** Little-endian numbers of two or four bytes. */
function numbers(...fields: [bytes: 2 | 4, value: number][]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes)
      buffer.writeUIntLE(value, 0, bytes)
      return buffer
    }),
  )
}
