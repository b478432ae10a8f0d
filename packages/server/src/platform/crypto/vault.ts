import type { KeyObject } from 'node:crypto'
import { createCipheriv, createDecipheriv, createHash, createSecretKey, hkdfSync } from 'node:crypto'
import type { Random } from './random.ts'

/**
 * Seals secrets before they are stored: AES-256-GCM under a key derived from a master key that is not in the database.
 * Key id and owner are associated data, so a sealed text does not open in another owner's row.
 */
export type Vault = {
  seal: (plain: string, owner: string) => string
  /** Opens what this master key has sealed, or the old one during a rotation. */
  open: (sealed: string, owner: string) => string
  /** Prefix of everything that the current key has sealed. */
  prefix: string
  keyId: string
  oldKeyId: string | null
}

/** A sealed text that cannot be opened. The message names its row and the remedy, never the content. */
export class UnopenedError extends Error {}

type Key = { id: string; seals: KeyObject }

const FORMAT = 'v2'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function openVault(masterKey: Buffer, random: Random, oldMasterKey: Buffer | null = null): Vault {
  const current = keyFrom(masterKey)
  const old = oldMasterKey && keyFrom(oldMasterKey)
  const prefix = `${FORMAT}.${current.id}.`
  function open(sealed: string, owner: string): string {
    const [found, keyId, text, ...more] = sealed.split('.')
    if (found !== FORMAT || text === undefined || more.length > 0) {
      throw new UnopenedError(
        `Not a sealed secret (of ${owner}). Restore the row from a backup, or rotate this secret.`,
      )
    }
    const key = [current, old].find((one) => one?.id === keyId)
    if (!key) {
      throw new UnopenedError(
        `A secret of ${owner} was sealed with master key ${keyId}, but this process has ${current.id}` +
          `${old ? ` and ${old.id}` : ''}. Start it with the VEZNE_MASTER_KEY (or the VEZNE_DATA folder) that this ` +
          'database belongs to; during a rotation also with VEZNE_MASTER_KEY_OLD.',
      )
    }
    try {
      return decipher(key.seals, Buffer.from(text, 'base64url'), associated(key, owner))
    } catch (cause) {
      throw new UnopenedError(`A secret of ${owner} does not open: its row was changed or moved.`, { cause })
    }
  }
  return {
    seal(plain, owner) {
      const nonce = Buffer.from(random.bytes(NONCE_BYTES))
      const cipher = createCipheriv('aes-256-gcm', current.seals, nonce).setAAD(associated(current, owner))
      const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return prefix + sealed.toString('base64url')
    },
    open,
    prefix,
    keyId: current.id,
    oldKeyId: old?.id ?? null,
  }
}

function keyFrom(masterKey: Buffer): Key {
  return {
    id: createHash('sha256').update(masterKey).digest('hex').slice(0, 8),
    // A derived key, so that other uses of the master key get different keys.
    seals: createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', 'vezne sealing v2', 32))),
  }
}

function associated({ id }: Key, owner: string): Buffer {
  return Buffer.from(`${FORMAT}:${id}:${owner}`)
}

function decipher(key: KeyObject, bytes: Buffer, associated: Buffer): string {
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), options)
  decipher.setAAD(associated).setAuthTag(bytes.subarray(-TAG_BYTES))
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
