import assert from 'node:assert/strict'
import type { App } from '../../packages/server/src/compose.ts'
import { bookDebits } from '../../packages/server/src/domain/books/index.ts'
import { findLine } from '../../packages/server/src/domain/statements/index.ts'
import { candidatesInWords } from './candidates.ts'
import { matchAll } from './payments.ts'

type Run = (args: string[]) => Promise<{ code: number; output: string; errors: string }>

/** Two people who do exactly what the first candidate of a line says, command by command. */
export function openAdvice(app: App, run: Run) {
  async function candidatesOf(lineId: string) {
    return candidatesInWords(app, (await findLine(app.db, lineId)) ?? assert.fail('no line'))
  }

  /** Runs the command; one that only proposes is approved. Returns the entry's id. */
  async function take(command: string): Promise<string> {
    const [group, act, ...rest] = command.replace(/^.*?vezne /, '').split(' ')
    const isProposal = group === 'journal'
    const why = isProposal || act === 'dismiss' ? ['--why', 'as the bank says'] : []
    const args = [group ?? '', act ?? '', ...rest, ...why]
    const first = await run([...args, '--as', 'ayse.yilmaz', '--json'])
    assert.equal(first.code, 0, `${command}: ${first.errors}`)
    const { id: entry = '', state } = isProposal ? (JSON.parse(first.output) as { id: string; state?: string }) : {}
    const isOfTwo = state === 'open' || act === 'dismiss' || act === 'resolve'
    const { code, errors } = isOfTwo ? await run([...args, '--as', 'mehmet.kaya']) : first
    assert.equal(code, 0, `${args.join(' ')}: ${errors}`)
    await matchAll(app)
    while ((await bookDebits(app)) > 0);
    return entry
  }

  /** The best advice about the line, to its end. `ENTRY` is what the first command booked. Returns the commands. */
  async function follow(lineId: string, replaced: Record<string, string> = {}): Promise<string[]> {
    const [best] = await candidatesOf(lineId)
    const commands = (best?.next ?? assert.fail('no advice')).split(', then ')
    let entry: string | undefined
    for (const command of commands) {
      const words = Object.entries({ ENTRY: entry ?? 'ENTRY', ...replaced })
      const booked = await take(words.reduce((text, [word, value]) => text.replace(word, value), command))
      entry ??= booked
    }
    return commands
  }

  return { candidatesOf, take, follow }
}
