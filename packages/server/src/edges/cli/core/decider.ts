import { mustBeOperator } from '../../../domain/people/index.ts'
import type { CliApp, Doors } from './context.ts'
import { WrongUsage } from './context.ts'

/** Under decisions in a sandbox, which may be made without a staff. */
export const OPERATOR = 'operator'

export const AS = ['--as <name>', 'who decides; a sandbox may go without'] as const

/** Whose name stands under the decision. */
export async function decider({ db }: CliApp, doors: Doors, name: string | undefined): Promise<string> {
  if (name === undefined) {
    if (doors.readConfig().mode === 'live') throw new WrongUsage('Say who decides: --as NAME. See: vezne operator list')
    return OPERATOR
  }
  await mustBeOperator(db, name)
  return name
}
