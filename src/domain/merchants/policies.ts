/** How arriving money is judged when it is not exactly what was asked for. */
export type MatchingPolicy = {
  amount: 'exact' | 'tolerance' | 'accept_received'
  tolerance: bigint
  late: 'complete' | 'review'
  nameCheck: 'off' | 'warn' | 'require'
}

/** How the merchant looks on the checkout page. */
export type Brand = { displayName: string; accent: string | null; hasLogo: boolean }
