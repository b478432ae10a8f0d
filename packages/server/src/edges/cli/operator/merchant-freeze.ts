import type { Command } from 'commander'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import { AS } from '../core/decider.ts'
import type { CliContext } from '../core/context.ts'
import { merchantId, withApp } from '../core/context.ts'
import { print } from '../core/output.ts'

const COMMANDS = [
  {
    word: 'freeze',
    about:
      'Refuse new deposits and withdrawals of a merchant, and let its payouts wait. Money that arrives is still matched.',
    why: 'suspected fraud',
    done: 'Frozen. Within a second nothing new is created, and payouts wait. What the bank already has goes on.',
  },
  {
    word: 'unfreeze',
    about: 'End a freeze, by two people. What waited goes on by itself.',
    why: 'documents checked',
    done: 'Not frozen any more. What waited goes on by itself.',
  },
] as const

export function addMerchantFreeze(merchant: Command, context: CliContext): void {
  for (const { word, about, why, done } of COMMANDS) {
    merchant
      .command(`${word} <merchant>`)
      .description(about)
      .option(...AS)
      .requiredOption('--why <text>', 'why; it is kept')
      .addHelpText(
        'after',
        `\nExample:\n  $ npx vezne merchant ${word} 6920f1c2a4b8d0e6f1a2b3c4 --as ayse.yilmaz --why "${why}"`,
      )
      .action(async (given: string, options: { as?: string; why: string }, command: Command) => {
        const id = merchantId(context, given)
        const terms = { merchantId: id, frozen: word === 'freeze' }
        const asked = await withApp(context, (app) => askProposal(app, options, 'merchant.freeze', terms))
        printAsked(command, asked, () => print(command, terms, done))
      })
  }
}
