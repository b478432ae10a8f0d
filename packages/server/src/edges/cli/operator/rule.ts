import type { Command } from 'commander'
import { Argument } from 'commander'
import type { Rule, RuleChange, Trial } from '../../../domain/books/index.ts'
import { checkChange, listRules, RULE_KINDS, stopRule, tryRule, USUAL_TEXTS } from '../../../domain/books/index.ts'
import { formatMoney } from '../../../kernel/money.ts'
import { readAccountNames } from '../core/account-names.ts'
import { askProposal, printAsked } from '../core/ask-proposal.ts'
import type { CliApp, CliContext } from '../core/context.ts'
import { wholeKurus, withApp } from '../core/context.ts'
import { AS, decider } from '../core/decider.ts'
import { print, printToStderr, table } from '../core/output.ts'

const WHY = ['--why <text>', 'why, without personal data'] as const
const EXAMPLE = 'bank_charge --words "FAST MASRAFI" --max 1000'

type Options = { words: string; max: string; account?: string; credit?: true; suggest?: true; replaces?: string }
type Who = { as: string; why: string }

export function addRuleCommands(program: Command, context: CliContext): void {
  const rule = program
    .command('rule')
    .description('Line rules: what bank lines with a certain text are. Two people say it once, then Vezne books them.')
  rule
    .command('list')
    .description('All line rules, the newest first, with what each has booked.')
    .addHelpText('after', '\nExample:\n  $ npx vezne rule list')
    .action(async (_options: object, command: Command) => {
      const { rules, nameOf } = await withApp(context, async (app) => ({
        rules: await listRules(app),
        nameOf: await readAccountNames(app),
      }))
      const rows = rules.map((one) => [...rowOf(one, nameOf), String(one.booked)])
      const titles = ['rule', 'state', 'is', 'direction', 'account', 'text has', 'at most', '', 'booked']
      print(command, { rules }, rows.length > 0 ? table(titles, rows) : 'There is no line rule.')
    })
  rule
    .command('usual')
    .description('Usual texts of Turkish banks, with the lines of the last 90 days that have them. None is a rule.')
    .addHelpText('after', '\nExample:\n  $ npx vezne rule usual')
    .action((_options: object, command: Command) => showUsual(context, command))
  withTerms(rule.command('try'))
    .description('What a line rule would have done to the lines of the last 90 days. Changes nothing.')
    .addHelpText('after', `\nExample:\n  $ npx vezne rule try ${EXAMPLE}`)
    .action(async (kind: RuleChange['kind'], options: Options, command: Command) => {
      const trial = await withApp(context, async (app) => tryRule(app, await termsOf(app, kind, options)))
      print(command, trial, wordsOf(trial))
    })
  addDecisions(rule, context)
}

function addDecisions(rule: Command, context: CliContext): void {
  withTerms(rule.command('propose'))
    .description('Propose a line rule. Another person approves it once; then Vezne books such lines by itself.')
    .option('--suggest', 'it only suggests, and books nothing')
    .option('--replaces <rule>', 'the rule that ends with it, e.g. one that is paused')
    .requiredOption(...WHY)
    .option(...AS)
    .addHelpText(
      'after',
      `\nExample:\n  $ npx vezne rule propose ${EXAMPLE} --why "price list of the bank" --as ayse.yilmaz`,
    )
    .action(async (kind: RuleChange['kind'], options: Options & Who, command: Command) => {
      const { asked, trial } = await withApp(context, async (app) => {
        const terms = await termsOf(app, kind, options)
        return { trial: await tryRule(app, terms), asked: await askProposal(app, options, 'rule.set', terms) }
      })
      if (asked.state === 'open') printToStderr(wordsOf(trial))
      printAsked(command, asked, (set) =>
        print(command, set, `Line rule ${set.id} ${set.books ? 'books' : 'suggests'} from now on.`),
      )
    })
  for (const [word, state, about] of [
    ['pause', 'paused', 'It books nothing until two people propose it again with --replaces.'],
    ['end', 'ended', 'It books nothing more. What it has booked stays.'],
  ] as const)
    rule
      .command(`${word} <rule>`)
      .description(about)
      .requiredOption(...WHY)
      .option(...AS)
      .addHelpText(
        'after',
        `\nExample:\n  $ npx vezne rule ${word} 6920f1c2a4b8d0e6f1a2b3c4 --why "the bank changed its texts" --as ayse.yilmaz`,
      )
      .action(async (id: string, { as, why }: Who, command: Command) => {
        const after = await withApp(context, (app) => stopRule(app, decider(app, as), id, state, why))
        print(command, after, `Line rule ${id} is ${after.state}.`)
      })
  addUndo(rule, context)
}

function addUndo(rule: Command, context: CliContext): void {
  rule
    .command('undo <rule>')
    .description('End a wrong line rule and take back what it has booked. Another person approves it.')
    .requiredOption(...WHY)
    .option(...AS)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx vezne rule undo 6920f1c2a4b8d0e6f1a2b3c4 --why "these were loan payments" --as ayse.yilmaz',
    )
    .action(async (ruleId: string, options: Who, command: Command) => {
      const asked = await withApp(context, (app) => askProposal(app, options, 'rule.undo', { ruleId }))
      printAsked(command, asked, (rule) =>
        print(command, rule, 'Ended. What it has booked is taken back within seconds.'),
      )
    })
}

const withTerms = (command: Command) =>
  command
    .addArgument(new Argument('<kind>', 'what such lines are').choices([...RULE_KINDS]))
    .requiredOption('--words <text>', 'words that the text of the line has, one after the other')
    .requiredOption('--max <kurus>', 'the largest amount')
    .option('--account <account>', 'only on this collecting account, by id or IBAN')
    .option('--credit', 'incoming lines; without it, outgoing ones')

function termsOf(app: CliApp, kind: RuleChange['kind'], options: Options): Promise<RuleChange> {
  const { words, max, account: accountId = null, credit, suggest, replaces = null } = options
  const terms = { kind, direction: credit ? ('credit' as const) : ('debit' as const), accountId, words }
  return checkChange(app, { ...terms, maxAmount: BigInt(wholeKurus(max, '--max')), books: !suggest, replaces })
}

function rowOf(rule: Rule, nameOf: (id: string) => string): string[] {
  const { id, state, kind, direction, accountId, words, maxAmount, books } = rule
  const account = accountId === null ? 'all' : nameOf(accountId)
  return [id, state, kind, direction, account, words, formatMoney(maxAmount), books ? 'books' : 'suggests']
}

function wordsOf(trial: Trial): string[] {
  const line = (groups: Trial['waiting'], is: string) =>
    groups.map(({ lines, amount, currency }) => `  ${lines} lines, ${formatMoney(amount, currency)}: ${is}`)
  const all = [
    ...line(trial.waiting, 'wait, and would be booked now'),
    ...line(trial.same, 'are explained as the same'),
    ...line(trial.other, 'are explained as something else'),
    ...line(trial.named, 'name a deposit or a payout: never by a rule'),
    ...trial.others.map(({ id, valueDate, amount, currency, reason, narrative }) => {
      return `  ${valueDate}  ${formatMoney(amount, currency)}  ${reason}  ${narrative}  ${id}`
    }),
  ]
  const head = `Lines of the last ${trial.days} days${trial.isCut ? ' (the newest 50,000)' : ''}:`
  return all.length === 0 ? [`${head} none fits.`] : [head, ...all]
}

async function showUsual(context: CliContext, command: Command): Promise<void> {
  const found = await withApp(context, async (app) => {
    const trials = []
    for (const text of USUAL_TEXTS) {
      const terms = { ...text, accountId: null, maxAmount: BigInt(Number.MAX_SAFE_INTEGER), books: true }
      trials.push({ ...text, trial: await tryRule(app, terms) })
    }
    return trials
  })
  const count = (groups: Trial['waiting']) => String(groups.reduce((sum, { lines }) => sum + lines, 0))
  const rows = found.map(({ kind, direction, words, trial: { waiting, same, other, named } }) => {
    return [words, kind, direction, count(waiting), count(same), count(other), count(named)]
  })
  const titles = ['text', 'is', 'direction', 'wait', 'the same', 'something else', 'named']
  print(command, { usual: found }, [
    ...table(titles, rows),
    '',
    'Try one: vezne rule try KIND --words TEXT --max KURUS',
  ])
}
