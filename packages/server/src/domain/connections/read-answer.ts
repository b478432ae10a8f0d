/** A page has 500 lines of about 1 kB. Thirty times as much is a bank with long texts; more is a fault, or an attack on our memory. */
const MAX_BYTES = 16 * 2 ** 20

/** The body of a bank's answer as text. Counts bytes after decompression: a small gzip can hold any number of them. */
export async function readAnswer({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the stream, so that the rest is not received either.
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES / 2 ** 20} MB`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
