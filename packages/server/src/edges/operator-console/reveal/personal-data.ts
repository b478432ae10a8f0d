import { revealedTo } from '../../../domain/people/index.ts'
import { groupedIban } from '../../../kernel/iban.ts'
import { plainName } from '../../web/html.ts'
import { maskedIban, maskedName, maskedText } from '../../web/console/masked.ts'
import type { Asked, OperatorDeps } from '../kind.ts'
import type { Viewer } from '../page.ts'

/** What a person sees of names, IBANs and texts of banks. */
export type PersonalData = {
  /** Until when it is shown in full; null: it is masked. */
  until: Date | null
  name: (text: string) => string
  iban: (text: string) => string
  /** The text of a bank line; `names`: who it is known to name; `numbers`: those of our lines. */
  text: (text: string, names: readonly string[], numbers?: ReadonlySet<string>) => string
}

/** Who decides about lines reads their texts, without the people that are known; to others only words of banks are shown. */
export function masked(viewer: Viewer): PersonalData {
  const decides = viewer.may('line.match')
  return {
    until: null,
    name: (text) => maskedName(plainName(text)),
    iban: maskedIban,
    text: (text, names, numbers) => maskedText(plainName(text), decides ? names : null, numbers),
  }
}

/** Where the person answers for what is approved and must compare it. */
export const IN_FULL: PersonalData = { until: null, name: plainName, iban: groupedIban, text: plainName }

/** By subject: in full what this person gave a reason for in the last minutes. */
export type DataOf = (subject: string) => PersonalData

export async function personalData(app: OperatorDeps, { viewer, session }: Asked): Promise<DataOf> {
  const hidden = masked(viewer)
  if (!viewer.may('data.reveal')) return () => hidden
  const revealed = await revealedTo({ db: app.db.pages, clock: app.clock }, session.name)
  return (subject) => {
    const until = revealed.get(subject)
    return until ? { ...IN_FULL, until } : hidden
  }
}
