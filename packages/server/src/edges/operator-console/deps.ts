import type { BankDirectory } from '../../domain/banks/index.ts'
import type { Connection } from '../../domain/connections/index.ts'
import type { AccountPool } from '../../domain/deposits/index.ts'
import type { IdentityDeps } from '../../domain/identity/index.ts'
import type { WithdrawalViews } from '../../domain/withdrawals/index.ts'
import type { FastifyRequest } from 'fastify'
import type { Address, Network } from '../../platform/http/ip.ts'
import { callerAddress } from '../../platform/http/ip.ts'
import type { Log } from '../../platform/log.ts'

export type ConsoleDeps = IdentityDeps & {
  banks: BankDirectory
  pool: AccountPool
  views: WithdrawalViews
  connections: Connection[]
  log: Log
  trustedProxies: readonly Network[]
  publicUrl: () => string
}

/** Path of the console, including the prefix of a proxy that serves it under its own path. */
export function rootPath({ publicUrl }: Pick<ConsoleDeps, 'publicUrl'>): string {
  return `${new URL(publicUrl()).pathname.replace(/\/+$/, '')}/operator`
}

export function addressOf(
  { trustedProxies }: Pick<ConsoleDeps, 'trustedProxies'>,
  { raw, headers }: FastifyRequest,
): Address | null {
  return callerAddress(raw.socket.remoteAddress, headers['x-forwarded-for']?.toString(), trustedProxies) ?? null
}
