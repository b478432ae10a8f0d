import { parseExactly } from '../../../platform/json/exact-numbers.ts'
import type { BankApiCaller } from '../bank-api.ts'
import { readLimitedBody } from '../bank-api.ts'
import { cleaned } from '../cleaned-text.ts'
import type { Said } from '../../../platform/refusal.ts'
import type { ConnectionCheck } from '../connection.ts'

/** `status` 0: no response; `text` then says why. */
export type Answer = { status: number; text: string; body: unknown }

/** A response of the bank as it is; never throws. */
export async function ask(call: BankApiCaller, path: string, init?: RequestInit): Promise<Answer> {
  try {
    const response = await call(path, init)
    const text = await readLimitedBody(response)
    return { status: response.status, text, body: parsedOr(text) }
  } catch (error) {
    const { message, cause } = error as Error
    return { status: 0, text: (cause as Error | undefined)?.message ?? message, body: null }
  }
}

function parsedOr(text: string): unknown {
  try {
    return parseExactly(text)
  } catch {
    return null
  }
}

/** For people; the beginning is enough. */
export function shownAnswer({ status, text }: Answer): string {
  const short = cleaned(text).slice(0, 200)
  return status === 0 ? `no response: ${short}` : `HTTP ${status} ${short}`
}

/** `wrong` is what was found instead, or null if the rule is kept. */
export function judged(
  check: string,
  expected: string,
  wrong: string | Said | null,
  fine = 'as expected',
): ConnectionCheck {
  return { check, ok: wrong === null, expected, found: wrong ?? fine }
}
