import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { openGate } from '../concurrency/gate.ts'
import { Refusal } from '../refusal.ts'
import type { Random } from './random.ts'

/** Cost of argon2id: memory in KiB, passes, lanes. */
export type PasswordCost = { memory: number; passes: number; parallelism: number }

export const PASSWORD_COST: PasswordCost = { memory: 65_536, passes: 3, parallelism: 1 }

const SALT_BYTES = 16
const TAG_BYTES = 32
// Memory is what an attacker would use up: 2 × 64 MiB per process. A hash takes about 0.2 s, so 30 wait for three seconds.
const AT_ONCE = 2
const MAX_WAITING = 30

const gate = openGate(AT_ONCE)
const run = promisify(argon2)
let inside = 0

/** A PHC string: `$argon2id$v=19$m=65536,t=3,p=1$salt$hash`. */
export async function hashPassword({ random }: { random: Random }, password: string, cost: PasswordCost) {
  const salt = Buffer.from(random.bytes(SALT_BYTES))
  const tag = await derive(password, salt, cost)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`
}

/** Null stands for an unknown name: the same work is done, and the result is false. */
export async function passwordFits(password: string, stored: string | null, cost: PasswordCost): Promise<boolean> {
  const known = stored === null ? null : parse(stored)
  const tag = await derive(password, known?.salt ?? Buffer.alloc(SALT_BYTES), known?.cost ?? cost)
  return known !== null && tag.length === known.tag.length && timingSafeEqual(tag, known.tag)
}

export function costOf(stored: string): PasswordCost {
  return parse(stored).cost
}

function parse(stored: string): { cost: PasswordCost; salt: Buffer; tag: Buffer } {
  const [, m, t, p, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored) ?? []
  if (m === undefined) throw new Error('A stored password is not an argon2id string. Invite the person again.')
  const cost = { memory: Number(m), passes: Number(t), parallelism: Number(p) }
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

async function derive(password: string, nonce: Buffer, cost: PasswordCost): Promise<Buffer> {
  if (inside >= AT_ONCE + MAX_WAITING)
    throw new Refusal('SERVICE_UNAVAILABLE', 'Too many people log in at this moment. Try again in a few seconds.', {
      retryAfterSeconds: 3,
    })
  inside++
  try {
    // The same text can be entered in several Unicode forms, depending on the keyboard.
    const message = Buffer.from(password.normalize('NFKC'))
    return await gate('argon2', () => run('argon2id', { message, nonce, tagLength: TAG_BYTES, ...cost }))
  } finally {
    inside--
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
