import { Inflate } from 'fflate'
import { excerpt, fileError } from './file-problems.ts'
import type { SpreadsheetFault } from './file-problems.ts'
import { PIECE_BYTES } from './pieces.ts'
import type { Position } from './statement.ts'
import { MAX_ENTRIES, MAX_RATIO, RATIO_FROM, tooMany } from './xlsx-bounds.ts'

/** Packed bytes at a time: a thousand times as many come out at most. */
const STEP = 1024

export type ZipPart = { name: string; method: number; crc: number; packed: number; unpacked: number; offset: number }

export const damaged = (position: Position | null, fault: SpreadsheetFault, at?: string) =>
  fileError(position, 'spreadsheet_damaged', { fault, at: at === undefined ? null : excerpt(at) })

const cutOff = () => fileError(null, 'spreadsheet_cut_off')

/** The parts that the directory at the end of a zip file lists, by name in lower case: names differ in case between writers. */
export function listParts(file: Uint8Array): Map<string, ZipPart> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  if (count > MAX_ENTRIES) throw tooMany('parts', MAX_ENTRIES)
  const parts = new Map<string, ZipPart>()
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) throw cutOff()
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(file.subarray(at + 46, at + 46 + nameLength)).replaceAll('\\', '/')
    if ((view.getUint16(at + 8, true) & 1) !== 0) throw fileError(null, 'spreadsheet_locked')
    if (parts.has(name.toLowerCase())) throw damaged(null, 'part_twice', name)
    parts.set(name.toLowerCase(), {
      name,
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return parts
}

/** The end record is last, before a comment of any length up to 65,535. */
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - 22 - 0xffff)
  for (let at = view.byteLength - 22; at >= lowest; at--) if (view.getUint32(at, true) === 0x06054b50) return at
  throw cutOff()
}

/** A part in small pieces. Its size is checked before it is unpacked, its length and checksum are compared at its end. */
export function* unpack(file: Uint8Array, part: ZipPart, most: number): Generator<Uint8Array> {
  const { name, unpacked, crc } = part
  if (unpacked > most) throw fileError(null, 'too_large', { what: 'part', megabytes: most / 1024 / 1024 })
  if (unpacked > RATIO_FROM && unpacked > part.packed * MAX_RATIO) throw damaged(null, 'part_bomb', name)
  const packed = packedBytes(file, part)
  let size = 0
  let sum = 0xffffffff
  for (const piece of part.method === 0 ? sliced(packed) : inflated(packed, name)) {
    size += piece.length
    if (size > unpacked) throw damaged(null, 'part_longer', name)
    sum = crc32(piece, sum)
    yield piece
  }
  if (size !== unpacked || (sum ^ 0xffffffff) >>> 0 !== crc) throw damaged(null, 'part_checksum', name)
}

function packedBytes(file: Uint8Array, { name, method, packed, unpacked, offset }: ZipPart): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  if (method !== 0 && method !== 8) throw damaged(null, 'part_method', name)
  if (offset + 30 > file.length || view.getUint32(offset, true) !== 0x04034b50)
    throw damaged(null, 'part_misplaced', name)
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  if (start + packed > file.length) throw cutOff()
  if (method === 0 && packed !== unpacked) throw damaged(null, 'part_lengths', name)
  return file.subarray(start, start + packed)
}

function* sliced(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

function* inflated(packed: Uint8Array, name: string): Generator<Uint8Array> {
  const pieces: Uint8Array[] = []
  const inflate = new Inflate((piece) => pieces.push(piece))
  for (let at = 0; at < packed.length; at += STEP) {
    try {
      inflate.push(packed.subarray(at, at + STEP), at + STEP >= packed.length)
    } catch {
      throw damaged(null, 'part_packing', name)
    }
    for (const piece of pieces.splice(0)) yield* sliced(piece)
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array, start: number): number {
  let sum = start
  for (const byte of bytes) sum = (sum >>> 8) ^ (CRC_TABLE[(sum ^ byte) & 0xff] as number)
  return sum
}
