import { listAccounts } from '../../../domain/banks/index.ts'
import type { RuleChange } from '../../../domain/books/index.ts'
import { checkChange, listRules, RULE_KINDS, stopRule, tryRule } from '../../../domain/books/index.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, OperatorDeps, Section } from '../kind.ts'
import { ask } from '../proposals/routes.ts'
import { moneyOf } from '../setting-form.ts'
import { RULES_PATH, rulesPage } from './page.ts'
import { RULE_WORDS } from './words.ts'

const back = RULES_PATH

export const RULES: Section = {
  views: [{ path: RULES_PATH, show: (app, asked) => shown(app, asked, valuesOf(asked), false) }],
  forms: [
    {
      ...{ path: `${RULES_PATH}/try`, action: 'rule.propose', back },
      ...{ decide: (app, asked) => shown(app, asked, asked.fields, true), needsProof: false },
    },
    { path: RULES_PATH, action: 'rule.propose', back, decide: propose },
    { path: `${RULES_PATH}/:id/pause`, action: 'rule.stop', back, decide: (app, asked) => stop(app, asked, 'paused') },
    { path: `${RULES_PATH}/:id/end`, action: 'rule.stop', back, decide: (app, asked) => stop(app, asked, 'ended') },
    { path: `${RULES_PATH}/:id/undo`, action: 'rule.propose', back, decide: undo },
  ],
  said: {
    tr: { ruleStopped: RULE_WORDS.tr.ruleStopped },
    en: { ruleStopped: RULE_WORDS.en.ruleStopped },
  },
}

const FIELDS = ['kind', 'direction', 'account', 'words', 'max'] as const

/** As a line fills the form in. */
function valuesOf({ query }: Asked): URLSearchParams {
  const given = FIELDS.map((name): [string, string] => [name, typeof query[name] === 'string' ? query[name] : ''])
  return new URLSearchParams(given)
}

async function shown(app: OperatorDeps, { viewer }: Asked, values: URLSearchParams, isTried: boolean): Promise<Shown> {
  const { pages } = app.db
  const trial = isTried ? await tryRule(app, await termsOf(app, values)) : null
  const accounts = await listAccounts(pages)
  const rules = await listRules({ db: pages, marks: app.marks })
  return { page: rulesPage(viewer, { values, trial, rules, accounts }) }
}

/** Refused as the proposal would be. */
function termsOf(app: OperatorDeps, fields: URLSearchParams): Promise<RuleChange> {
  const given = (name: string) => fields.get(name) ?? ''
  return checkChange(app, {
    kind: RULE_KINDS.find((one) => one === given('kind')) ?? 'bank_charge',
    direction: given('direction') === 'credit' ? 'credit' : 'debit',
    accountId: given('account') || null,
    words: given('words'),
    maxAmount: moneyOf(fields, 'max') ?? 0n,
    books: given('books') !== 'no',
    replaces: given('replaces') || null,
  })
}

async function propose(app: OperatorDeps, asked: Asked): Promise<string> {
  return ask(app, asked, 'rule.set', await termsOf(app, asked.fields))
}

async function stop(app: OperatorDeps, { actor, id, fields }: Asked, to: 'paused' | 'ended'): Promise<string> {
  await stopRule(app, actor, id, to, fields.get('why') ?? '')
  return 'ruleStopped'
}

function undo(app: OperatorDeps, asked: Asked): Promise<string> {
  return ask(app, asked, 'rule.undo', { ruleId: asked.id })
}
