import { connectionSecrets } from '../connections/index.ts'
import { deploymentSecrets } from '../deposits/index.ts'
import { totpSecrets } from '../identity/index.ts'
import { apiSecrets, callbackSecrets } from '../merchants/index.ts'

/** Everything that is encrypted. The token key comes first: losing it would affect everyone. */
export const SEALED_TABLES = [deploymentSecrets, apiSecrets, callbackSecrets, connectionSecrets, totpSecrets]
