import { Refusal } from '../../platform/refusal.ts'
import { minuteText } from '../web/console/parts.ts'
import type { Viewer } from './page.ts'

export type DecidedBefore = {
  who: string
  what: 'approved' | 'rejected' | 'withdrawn' | 'stopped' | 'closed'
  at: Date
}

/** Decides, and tells a person who comes second who decided what, and when. `before`: asked only after a refusal; null: no one has. */
export async function orTellWho<Outcome>(
  { words, name }: Viewer,
  before: () => Promise<DecidedBefore | null>,
  decide: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await decide()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'INVALID_STATE') throw error
    const decided = await before()
    if (!decided) throw error
    const { who, what, at } = decided
    const [said, when] = [words.decidedWhat[what], minuteText(at)]
    const told = who === name ? words.decidedYourself(said, when) : words.decidedBefore(who, said, when)
    throw new Refusal('INVALID_STATE', told)
  }
}
