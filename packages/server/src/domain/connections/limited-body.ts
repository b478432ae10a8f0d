/** A page has 500 lines of about 1 kB. Thirty times as much allows for long texts; more is a fault or an attack on our memory. */
const MAX_BYTES = 16 * 2 ** 20

/** A bank's answer that is not read to its end. */
export class AnswerTooLarge extends Error {
  readonly megabytes = MAX_BYTES / 2 ** 20

  constructor() {
    super(`the answer is larger than ${MAX_BYTES / 2 ** 20} MB`)
  }
}

/** The response body as text. Counts bytes after decompression: a small gzip can expand to any size. */
export async function readLimitedBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the stream, so that the rest is not received.
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > MAX_BYTES) throw new AnswerTooLarge()
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
