import type { Decision } from './store.ts'

/**
 * The proposal that a person agrees with, of the open ones of a day, newest first: the newest whose proposer may still decide, or one
 * with the same figures of another person. Without any, the newest, which can only be rejected or replaced.
 */
export function meantProposal<P extends Pick<Decision, 'operator' | 'figuresHash'>>(
  open: P[],
  may: (name: string) => boolean,
  name: string,
): P | undefined {
  const standing = open.filter(({ operator }) => may(operator))
  const [newest] = standing
  return (
    standing.find(({ operator, figuresHash }) => operator !== name && figuresHash === newest?.figuresHash) ??
    newest ??
    open[0]
  )
}
