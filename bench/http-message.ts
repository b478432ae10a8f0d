const [HEADER_END, LENGTH] = [Buffer.from('\r\n\r\n'), Buffer.from('content-length: ')]
const MAX_DIGITS = 8

/** Offset of the body in a message with a content-length, or null while it is incomplete. */
export function wholeMessage(bytes: Buffer): { bodyAt: number } | null {
  const bodyAt = bytes.indexOf(HEADER_END) + HEADER_END.length
  const lengthAt = bytes.indexOf(LENGTH) + LENGTH.length
  if (bodyAt < HEADER_END.length || lengthAt < LENGTH.length) return null
  const length = Number.parseInt(bytes.toString('latin1', lengthAt, lengthAt + MAX_DIGITS), 10)
  return bytes.length >= bodyAt + length ? { bodyAt } : null
}
