import { createCipheriv, createDecipheriv, createHash, createSecretKey } from 'node:crypto'
import { hmacSha256 } from './hmac.ts'
import type { Random } from './random.ts'

/**
 * Seals secrets before they reach the database: AES-256-GCM under a master key that is never stored there. The key's
 * id and the owner are associated data, so a sealed text moved to another owner's row does not open.
 */
export type Vault = {
  seal: (plain: string, owner: string) => string
  open: (sealed: string, owner: string) => string
  /** A 256-bit value in hex that only this deployment can compute again, e.g. a checkout token. */
  derive: (purpose: string, subject: string) => string
}

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function openVault(masterKey: Buffer, random: Random): Vault {
  const keyId = createHash('sha256').update(masterKey).digest('hex').slice(0, 8)
  const key = createSecretKey(masterKey)
  const mac = hmacSha256(masterKey)
  const associated = (owner: string) => Buffer.from(`${VERSION}:${keyId}:${owner}`)
  return {
    seal(plain, owner) {
      const nonce = Buffer.from(random.bytes(NONCE_BYTES))
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(associated(owner))
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return [VERSION, keyId, Buffer.concat([nonce, sealed]).toString('base64url')].join('.')
    },
    open(sealed, owner) {
      const [version, sealedWith, text, ...more] = sealed.split('.')
      if (version !== VERSION || text === undefined || more.length > 0)
        throw new Error(`Not a sealed secret (of ${owner}).`)
      if (sealedWith !== keyId) {
        throw new Error(
          `A secret of ${owner} was sealed with master key ${sealedWith}, but this process has ${keyId}. ` +
            'Start it with the VEZNE_MASTER_KEY (or the VEZNE_DATA folder) that this database belongs to.',
        )
      }
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(associated(owner)).setAuthTag(bytes.subarray(-TAG_BYTES))
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
    derive: (purpose, subject) => mac([`${purpose}:${subject}`], 'hex'),
  }
}
