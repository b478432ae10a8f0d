const [HEAD_ENDS, LENGTH] = [Buffer.from('\r\n\r\n'), Buffer.from('content-length: ')]
const MOST_DIGITS = 8

/** Offset of the body in a message with a content-length, or null while it is incomplete. */
export function wholeMessage(bytes: Buffer): { bodyAt: number } | null {
  const bodyAt = bytes.indexOf(HEAD_ENDS) + HEAD_ENDS.length
  const lengthAt = bytes.indexOf(LENGTH) + LENGTH.length
  if (bodyAt < HEAD_ENDS.length || lengthAt < LENGTH.length) return null
  const length = Number.parseInt(bytes.toString('latin1', lengthAt, lengthAt + MOST_DIGITS), 10)
  return bytes.length >= bodyAt + length ? { bodyAt } : null
}
