import type { Bytes } from './statement.ts'

/** Decoded and parsed at once; bounds what is in memory however large the pieces of the file are. */
export const PIECE_BYTES = 64 * 1024

export async function* piecesOf(bytes: Bytes): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += PIECE_BYTES) yield piece.subarray(at, at + PIECE_BYTES)
}

/** Without copying where there is only one. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(), ...others] = pieces.filter(({ length }) => length > 0)
  if (others.length === 0) return first
  const all = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
