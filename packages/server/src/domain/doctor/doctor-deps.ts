import type { Marks } from '../../platform/crypto/marks.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import type { SeenNumbers } from '../../platform/files/seen-numbers.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { BusinessClock } from '../../platform/time/business-clock.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { BankDirectory } from '../banks/index.ts'
import type { Connection } from '../connections/index.ts'

/** Parts of the service that its checks use. The clock follows the database, and connections are loaded. */
export type DoctorApp = {
  db: Db
  clock: BusinessClock
  realClock: Clock
  vault: Vault
  marks: Marks
  seen: Pick<SeenNumbers, 'all'>
  banks: BankDirectory
  connections: Connection[]
  sandbox: boolean
}

export type DoctorConfig = {
  mode: 'sandbox' | 'live'
  dataFolder: string
  databaseUrl: string | null
  /** Where the API is called; null if it is not known. */
  baseUrl: string | null
  /** Whether the folders of file exchanges are on this machine. */
  isWorker: boolean
  ops: { host: string; port: number } | null
  auditHeads: string | null
}
