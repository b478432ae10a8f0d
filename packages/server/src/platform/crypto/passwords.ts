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
/**
 * Where a password waits to be hashed. Strangers who try passwords keep no one waiting who is known by a device, session or invitation,
 * users of merchants no one of the staff, and one `party` (a merchant, a person of the staff) not the others of its queue.
 */
export type Queue = { name: 'staff' | 'merchants'; party: string } | { name: 'strangers' }

// Memory is what an attacker would use up: 64 MiB per queue. A hash takes about 0.2 s, so 15 wait for three seconds.
const AT_ONCE = 1
const MAX_INSIDE = 16
const MAX_INSIDE_OF_PARTY = 4

const gate = openGate(AT_ONCE)
const run = promisify(argon2)
const inside = new Map<string, number>()

/** A PHC string: `$argon2id$v=19$m=65536,t=3,p=1$salt$hash`. */
export async function hashPassword(
  { random }: { random: Random },
  queue: Queue,
  password: string,
  cost: PasswordCost,
): Promise<string> {
  const salt = Buffer.from(random.bytes(SALT_BYTES))
  const tag = await derive(queue, password, salt, cost)
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`
}

/** Null stands for an unknown name: the same work is done, and the result is false. */
export async function passwordFits(
  queue: Queue,
  password: string,
  stored: string | null,
  cost: PasswordCost,
): Promise<boolean> {
  const known = stored === null ? null : parse(stored)
  const tag = await derive(queue, password, known?.salt ?? Buffer.alloc(SALT_BYTES), known?.cost ?? cost)
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

async function derive(queue: Queue, password: string, nonce: Buffer, cost: PasswordCost): Promise<Buffer> {
  const leave = enter(queue)
  try {
    // The same text can be entered in several Unicode forms, depending on the keyboard.
    const message = Buffer.from(password.normalize('NFKC'))
    return await gate(queue.name, () => run('argon2id', { message, nonce, tagLength: TAG_BYTES, ...cost }))
  } finally {
    leave()
  }
}

function enter(queue: Queue): () => void {
  const places = [{ key: queue.name as string, most: MAX_INSIDE }]
  if ('party' in queue) places.push({ key: `${queue.name} ${queue.party}`, most: MAX_INSIDE_OF_PARTY })
  if (places.some(({ key, most }) => (inside.get(key) ?? 0) >= most))
    throw new Refusal('SERVICE_UNAVAILABLE', 'Too many people log in at this moment. Try again in a few seconds.', {
      retryAfterSeconds: 3,
    })
  const add = (by: number) => {
    for (const { key } of places) {
      const now = (inside.get(key) ?? 0) + by
      if (now === 0) inside.delete(key)
      else inside.set(key, now)
    }
  }
  add(1)
  return () => add(-1)
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
