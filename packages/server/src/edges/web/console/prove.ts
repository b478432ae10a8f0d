import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Session, UnfinishedSession } from '../../../domain/identity/index.ts'
import { listFactors, passkeyProof, stepUp, stepUpWithPasskey, takesPasskeys } from '../../../domain/identity/index.ts'
import type { Refusal } from '../../../platform/refusal.ts'
import { refusalOf, sendStep } from './entry-steps.ts'
import { proveForm } from './login-forms.ts'
import { readPasskey } from './passkey-form.ts'
import type { SiteDeps } from './site.ts'

/** The proof is part of the form that asks for it; no form has fields of these names. */
const [PASSWORD, PASSKEY] = ['proof-password', 'proof-passkey']

/** Options for the passkeys of a login; null if it has none, or this host takes none. */
export async function offeredPasskeys(app: SiteDeps, session: Session | UnfinishedSession) {
  if (!takesPasskeys(app) || (await listFactors(app, session)).passkeys.length === 0) return null
  return passkeyProof(app, session)
}

/** Whether the form has a proof; a wrong one is refused. Takes it out of the fields. */
async function useProof(app: SiteDeps, session: Session, fields: URLSearchParams): Promise<boolean> {
  const [password, passkey] = [fields.get(PASSWORD) ?? '', fields.get(PASSKEY) ?? '']
  for (const name of [PASSWORD, PASSKEY]) fields.delete(name)
  if (passkey !== '') await stepUpWithPasskey(app, session, readPasskey(passkey))
  else if (password !== '') await stepUp(app, session, { password })
  else return false
  return true
}

/** True if the form proves who is there; else sends a page that asks for it, with all that was typed, for `path`. */
export async function proves(
  app: SiteDeps,
  session: Session,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  path: string,
  fields: URLSearchParams,
): Promise<boolean> {
  const ask = async (refused: Refusal | null) => {
    const passkey = await offeredPasskeys(app, session)
    const names = { password: PASSWORD, passkey: PASSKEY }
    await sendStep(app, request, reply, refused, async (entry) => proveForm(entry, { path, fields, passkey, names }))
    return false
  }
  try {
    return (await useProof(app, session, fields)) || (await ask(null))
  } catch (error) {
    return ask(refusalOf(error))
  }
}
