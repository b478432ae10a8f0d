import type { Tx } from '../../../platform/postgres/db.ts'
import { stepOfCode } from '../../../platform/crypto/totp.ts'
import { digestOf } from '../../../platform/crypto/tokens.ts'
import { UnopenedError } from '../../../platform/crypto/vault.ts'
import { ownerOf } from '../../../platform/postgres/sealed-rows.ts'
import { refuse } from '../../../kernel/refusals/refuse.ts'
import type { IdentityDeps } from '../identity.ts'
import { useRecoveryCode } from '../store.ts'
import type { TotpSecret } from './store.ts'
import { selectTotp, totpSecrets, useStep } from './store.ts'

/** Six digits are of the app, anything else is a recovery code; returns which. Each works once, also in two processes at once. */
export async function mustUseCode(
  app: IdentityDeps,
  tx: Tx,
  loginId: string,
  given: string,
): Promise<'app' | 'recovery'> {
  const code = given.replaceAll(/[\s-]/g, '').toUpperCase()
  const isOfApp = /^\d{6}$/.test(code)
  const used = isOfApp
    ? await useTotp(app, tx, loginId, code)
    : await useRecoveryCode(tx, loginId, await recoveryHash(app, loginId, code))
  if (!used) throw wrongCode()
  return isOfApp ? 'app' : 'recovery'
}

export const wrongCode = (cause?: unknown) => refuse('second_factor_code_wrong', {}, { cause })

async function useTotp(app: IdentityDeps, tx: Tx, loginId: string, code: string): Promise<boolean> {
  const secret = await selectTotp(tx, loginId, true)
  return secret !== undefined && useCodeOf(app, tx, loginId, secret, code)
}

/** The step is sealed with the secret: a smaller one in SQL makes no used code valid. */
export async function useCodeOf(app: IdentityDeps, tx: Tx, loginId: string, secret: TotpSecret, code: string) {
  const { key, lastStep } = openTotp(app, loginId, secret)
  const step = stepOfCode(Buffer.from(key, 'hex'), code, app.realClock.now())
  if (step === null || step <= lastStep) return false
  return useStep(tx, loginId, secret, app.vault.seal(`${key}.${step}`, totpOwner(loginId, secret.id)), step)
}

export function totpOwner(loginId: string, id: string): string {
  return ownerOf(totpSecrets.name, [loginId, id])
}

/** The key in hex and, after its first use, the step of the last code. One of another row is no one's: no code fits. */
function openTotp({ vault }: Pick<IdentityDeps, 'vault'>, loginId: string, { id, sealed }: TotpSecret) {
  try {
    const [key = '', lastStep = '0'] = vault.open(sealed, totpOwner(loginId, id)).split('.')
    return { key, lastStep: Number(lastStep) }
  } catch (error) {
    throw error instanceof UnopenedError ? wrongCode(error) : error
  }
}

/** 80 random bits: nothing to guess. Marked, so that no one adds a code of his own in SQL. */
export function recoveryHash({ marks }: Pick<IdentityDeps, 'marks'>, loginId: string, code: string): Promise<string> {
  return marks.of('recovery_codes', { loginId, digest: digestOf(`recovery ${loginId} ${code}`) })
}
