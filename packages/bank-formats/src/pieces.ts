import type { Bytes } from './statement.ts'

/** Decoded and parsed at once; bounds what is in memory however large the pieces of the file are. */
export const PIECE_BYTES = 64 * 1024

export async function* piecesOf(bytes: Bytes): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += PIECE_BYTES) yield piece.subarray(at, at + PIECE_BYTES)
}

export function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
