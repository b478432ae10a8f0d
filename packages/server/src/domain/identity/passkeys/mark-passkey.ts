import type { Marks } from '../../../platform/crypto/marks.ts'
import type { Passkey } from './store.ts'

/** Covers whose key it is. */
export function passkeyMark(marks: Marks, one: Pick<Passkey, 'id' | 'loginId' | 'publicKey'>): Promise<string> {
  const { id, loginId, publicKey } = one
  return marks.of(`passkeys/${id}`, { loginId, publicKey })
}
