import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type {
  passkeyLogin,
  passkeyRegistration,
  registerPasskey,
  stepUpWithPasskey,
} from '../../packages/server/src/domain/identity/index.ts'

type Creation = Awaited<ReturnType<typeof passkeyRegistration>>
type Created = Parameters<typeof registerPasskey>[2]['response']
type Request = Awaited<ReturnType<typeof passkeyLogin>>
type Answer = Parameters<typeof stepUpWithPasskey>[2]

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const PRESENT = 0x01
const VERIFIED = 0x04
const WITH_KEY = 0x40

/** `client`: more, or other, that the browser says of the page. */
type Framing = { framed?: boolean; client?: object }

/** A passkey in software, as a browser would answer for it. */
export function softwarePasskey({ origin, counts = true }: { origin: string; counts?: boolean }) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  let counter = 0
  let userHandle = ''

  const authData = (rpId: string, flags: number, more: Buffer = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counts ? ++counter : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more])
  }
  const clientData = (type: string, challenge: string, at = origin, { framed = false, client = {} }: Framing = {}) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: framed, ...client }))
  const text = id.toString('base64url')
  const common = { id: text, rawId: text, type: 'public-key' as const, clientExtensionResults: {} }

  return {
    id: text,
    setCounter: (value: number) => (counter = value),
    create({ challenge, rp, user }: Creation, framing: Framing = {}): Created {
      userHandle = user.id
      const key = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      )
      const length = Buffer.from([0, id.length])
      const credential = Buffer.concat([Buffer.alloc(16), length, id, key])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData(rp.id ?? '', PRESENT | VERIFIED | WITH_KEY, credential)],
      ])
      const clientDataJSON = clientData('webauthn.create', challenge, origin, framing).toString('base64url')
      const attestationObject = cbor(attestation).toString('base64url')
      return { ...common, response: { clientDataJSON, attestationObject, transports: ['internal'] } }
    },
    get(
      { challenge, rpId = '' }: Request,
      { verified = true, at = origin, ...framing }: { verified?: boolean; at?: string } & Framing = {},
    ): Answer {
      const data = authData(rpId, PRESENT | (verified ? VERIFIED : 0))
      const client = clientData('webauthn.get', challenge, at, framing)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url')
      const clientDataJSON = client.toString('base64url')
      const authenticatorData = data.toString('base64url')
      return { ...common, response: { clientDataJSON, authenticatorData, signature, userHandle } }
    },
  }
}

/** RFC 8949, as much as a passkey needs. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as Map<unknown, unknown>)].flat()
  return Buffer.concat([head(5, entries.length / 2), ...entries.map(cbor)])
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count])
  return count < 256
    ? Buffer.from([(major << 5) | 24, count])
    : Buffer.from([(major << 5) | 25, count >> 8, count & 255])
}
