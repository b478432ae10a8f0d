/** Bytes of a piece. Always the same, so that storing a file again stores the same pieces. */
const PIECE_BYTES = 1024 * 1024

/** The bytes in pieces of one size. Each is valid until the next is asked for. */
export async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  let size = 0
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const some = chunk.subarray(at, at + PIECE_BYTES - size)
      piece.set(some, size)
      size += some.length
      at += some.length
      if (size < PIECE_BYTES) continue
      yield piece
      size = 0
    }
  }
  if (size > 0) yield piece.subarray(0, size)
}
