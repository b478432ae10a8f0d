import { noticeForTerminal, refusalForTerminal } from '../../acts/refusals/say.ts'
import type { FileResult } from '../../domain/statements/index.ts'
import type { Refusal, Said } from '../../platform/refusal.ts'

/** What stands in the report beside a file. Who runs the machines reads it. */
export const INBOX_WORDS = {
  refused: (refusal: Refusal, next: Said[]) => [...refusalForTerminal(refusal), ...next.flatMap(noticeForTerminal)],
  imported,
}

function imported({ file, before, ...counts }: FileResult): string[] {
  const when = `${file.importedAt?.toISOString()} by ${file.createdBy}`
  return [
    before
      ? `Imported before, on ${when}, as file ${file.id}. Nothing was booked now; these are the counts of the first import:`
      : `Imported on ${when} as file ${file.id}.`,
    `${counts.new} new, ${counts.known} known, ${counts.suspected} suspected corrections, ${counts.unread} unread, ${counts.pending} pending`,
    ...file.checks.flatMap(({ severity, what }) => {
      const [text = '', ...commands] = noticeForTerminal(what)
      return [`${severity}: ${text}`, ...commands]
    }),
    `See: vezne statement show ${file.id}`,
  ]
}
