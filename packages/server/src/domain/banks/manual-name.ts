/** Payouts have only the name of their connection; the constraint `connections_manual_by_name` makes it enough. */
export function isManual(name: string): boolean {
  return name === 'manual' || name.startsWith('manual-')
}
