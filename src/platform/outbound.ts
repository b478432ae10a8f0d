export type OutboundRules = 'public' | 'loopback-too'
export type Outcome = 'accepted' | '4xx' | '5xx' | 'redirect' | 'timeout' | 'tls' | 'dns' | 'refused'
export type Answer = {
  outcome: Outcome
  status: number | null
  problem: string | null
  body: string
  retryAfterSeconds: number | null
  connectMs: number
  waitMs: number
  readMs: number
}
export type Outbound = {
  post: (url: string, headers: Record<string, string>, body: string | Buffer) => Promise<Answer>
  close: () => Promise<void>
}
export declare function addressProblem(url: string, rules: OutboundRules): string | null
export declare function openOutbound(options: { rules: OutboundRules }): Outbound
