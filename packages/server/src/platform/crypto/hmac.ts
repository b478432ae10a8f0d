import { hash } from 'node:crypto'

const BLOCK_BYTES = 64
const DIGEST_BYTES = 32

/**
 * HMAC-SHA-256 (RFC 2104) under one key for many messages, given in parts. Only for requests and checkout tokens:
 * `createHmac` allocates an object per message, 26 µs of processor time against 2.5, and creating a deposit takes two.
 */
export function hmacSha256(secret: Buffer): (parts: (string | Buffer)[], encoding: 'hex' | 'base64') => string {
  const key = secret.length > BLOCK_BYTES ? Buffer.from(hash('sha256', secret, 'hex'), 'hex') : secret
  const inner = block(key, 0x36)
  const outer = Buffer.concat([block(key, 0x5c), Buffer.alloc(DIGEST_BYTES)])
  return (parts, encoding) => {
    const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
    outer.write(hash('sha256', Buffer.concat([inner, ...bytes]), 'hex'), BLOCK_BYTES, 'hex')
    return hash('sha256', outer, encoding)
  }
}

function block(key: Buffer, pad: number): Buffer {
  return Buffer.alloc(BLOCK_BYTES).map((_, index) => (key[index] ?? 0) ^ pad) as Buffer
}
