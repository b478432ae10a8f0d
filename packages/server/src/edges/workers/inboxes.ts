import { join } from 'node:path'
import { BankFileError } from '@vezne/bank-formats'
import { listFileExchanges } from '../../domain/connections/index.ts'
import type { PayoutDeps } from '../../domain/withdrawals/index.ts'
import { importOrderReport, MAX_REPORT_BYTES } from '../../domain/withdrawals/index.ts'
import type { Authority } from '../../domain/people/index.ts'
import type { FileContent } from '../../domain/statements/index.ts'
import { importInbox } from '../../domain/statements/index.ts'
import type { Poller, Schedule } from '../../platform/concurrency/poller.ts'
import type { Vault } from '../../platform/crypto/vault.ts'
import { fileNote } from '../../kernel/refusals/files.ts'
import { say } from '../../acts/refusals/say.ts'
import { Refusal } from '../../platform/refusal.ts'
import { INBOX_WORDS } from './inbox-words.ts'

type Deps = PayoutDeps & Authority & { vault: Vault }

/** Every other look at a file tells whether it has fully arrived. A folder that fails does not hold up the others. */
export function startInboxes(app: Deps, poll: (schedule: Schedule) => Poller): Poller {
  const looks = new Map<string, Map<string, string>>()
  const work = async () => {
    for (const { name, folder } of await listFileExchanges(app)) {
      const seen = looks.get(name) ?? new Map<string, string>()
      looks.set(name, seen)
      const onOrderReport = ({ content }: { content: FileContent }) => takeInReport(app, { name, folder }, content)
      try {
        await importInbox(app, { connection: name, folder, looks: seen, onOrderReport, words: INBOX_WORDS })
      } catch (error) {
        app.log.error({ err: error, connection: name }, 'the inbox could not be read; it is tried again')
      }
    }
    // Never at once again: the pause between two looks shows that a file is complete.
    return 0
  }
  return poll({ name: 'import-inboxes', everyMs: 2000, work })
}

type Exchange = { name: string; folder: string }

/** Returns what the report beside the file says. */
async function takeInReport(app: Deps, { name: connection, folder }: Exchange, content: FileContent) {
  const { name, open } = content
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of open()) {
    pieces.push(piece)
    size += piece.length
    // Longer ones are refused by their length.
    if (size > MAX_REPORT_BYTES) break
  }
  try {
    const { report, known, outcomes } = await importOrderReport(app, { connection, name, bytes: Buffer.concat(pieces) })
    const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`)
    if (report.batchId === null)
      return [
        `It is about no order batch of connection ${connection} (message ${report.messageId ?? 'without id'}). Nothing was changed.`,
        `Look at ${join(folder, 'done', name)} and compare its message id with: npx vezne batch list. If it is of none of them, ask the bank.`,
      ]
    return [
      `About order batch ${report.batchId}${known ? ', applied before' : ''}: ${counts.join(', ') || 'no orders'}.`,
      `See: npx vezne batch show ${report.batchId}`,
    ]
  } catch (error) {
    if (!(error instanceof BankFileError)) throw error
    const next = `Nothing of it was applied, and its payouts stay as they are: npx vezne batch list. Look at ${join(folder, 'refused', name)} and ask the bank for a correct report.`
    throw new Refusal('VALIDATION_ERROR', `${name}: ${say('en', fileNote(error.problem))}\n${next}`)
  }
}
