import type { ApiAccess } from '../configured.ts'
import { bankApiCaller } from '../bank-api.ts'
import type { ConnectionCheck, PayoutOrder } from '../connection.ts'
import { checkStatement } from './check-statement.ts'
import { checkSending, checkWithoutSending } from './check-transfers.ts'

/** `sending`: also a real transfer, after a statement read up to `cursor`. */
export type Conformance = {
  unusedReference: string
  sending?: { order: PayoutOrder; cursor: string; waitSeconds: number } | undefined
}

/** Whether a bank API, or an adapter to one, keeps the rules of docs/connections.md. Only `sending` changes anything. */
export async function checkConformance(
  { url, key }: ApiAccess,
  { unusedReference, sending }: Conformance,
): Promise<ConnectionCheck[]> {
  const call = bankApiCaller({ baseUrl: url, key })
  const withWrongKey = bankApiCaller({ baseUrl: url, key: `${key}-wrong` })
  return [
    ...(await checkStatement(call)),
    ...(await checkWithoutSending({ call, withWrongKey }, unusedReference)),
    ...(sending ? await checkSending(call, sending) : []),
  ]
}
