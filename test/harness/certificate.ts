import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { DAY_MS } from '../../packages/server/src/platform/time/clock.ts'

// Node cannot create certificates, and a key in the repository might be trusted some day.

type Certificate = { key: string; cert: string }

const ECDSA_WITH_SHA256 = der(0x30, oid('2a8648ce3d040302'))

const IS_AN_ISSUER = der(0x01, Buffer.of(255))

/** A self-signed certificate for these host names and IPv4 addresses, valid from yesterday for this many days. */
export function makeCertificate(names: string[], { days = 30 }: { days?: number } = {}): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const from = Date.now() - DAY_MS
  const serial = Buffer.concat([Buffer.of(1), randomBytes(8)])
  // An issuer is found by name, so each needs a unique one.
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(serial.toString('hex'))))))
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, serial),
    ECDSA_WITH_SHA256,
    name,
    der(0x30, time(from), time(from + days * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extension('551d11', ...names.map(alternative)), extension('551d13', IS_AN_ISSUER))),
  )
  const signature = der(0x03, Buffer.of(0), sign('sha256', body, privateKey))
  const pem = der(0x30, body, ECDSA_WITH_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${pem.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.of(tag, ...head), content])
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function extension(id: string, ...parts: Buffer[]): Buffer {
  return der(0x30, oid(id), der(0x04, der(0x30, ...parts)))
}

function time(ms: number): Buffer {
  return der(0x18, Buffer.from(`${new Date(ms).toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`))
}

function alternative(name: string): Buffer {
  return isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))
}
