export function joinBytes(chunks: Uint8Array[]): Uint8Array {
  const [first = new Uint8Array()] = chunks
  if (chunks.length <= 1) return first
  const all = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}
