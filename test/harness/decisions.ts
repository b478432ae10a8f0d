import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DOMAIN = join(import.meta.dirname, '../../packages/server/src/domain')

type TopFunction = { file: string; name: string; lines: number; parameters: string; body: string }

/** Formatted code: a top-level function begins in the first column and ends with a lone brace there. */
export function functionsOf(file: string, text: string): TopFunction[] {
  return [...text.matchAll(/^(?:export )?(?:async )?function (\w+)([\s\S]*?)^}$/gm)].map(
    ([whole, name = '', rest = '']) => {
      const end = endOfParameters(rest)
      return { file, name, lines: whole.split('\n').length, parameters: rest.slice(0, end), body: rest.slice(end) }
    },
  )
}

function endOfParameters(text: string): number {
  let depth = 0
  for (let at = text.indexOf('('); at < text.length; at++) {
    depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
    if (depth === 0) return at
  }
  throw new Error(`No end of the parameters: ${text.slice(0, 80)}`)
}

/** Functions that write and take no `Actor`, because no one decides in them. */
export const NO_ACTOR: Record<string, string[]> = {
  'automatic work': [
    ...[
      'fetchLines',
      'matchLines',
      'matchPayoutLines',
      'expireDeposits',
      ...['openExpiry', 'runBatch', 'isNewest'],
      'leaveBlockedAccounts',
    ],
    ...[
      'dispatchWithdrawals',
      'submitPayouts',
      'queryPayoutStatus',
      'checkLedger',
      'openDispatcher',
      'distributeEvents',
    ],
    ...[
      'pruneEvents',
      'pruneStream',
      'pruneSpentRequests',
      'pruneLogins',
      'spendRequest',
      'recordRefusals',
      'oldestUndelivered',
      'tryLargeWrite',
      'openCallLog',
      'expireProposals',
      'pruneCalls',
    ],
    ...[
      'fillSourceOfRecord',
      'resumeImports',
      'importInbox',
      'importKept',
      'settleDue',
      'checkBooks',
      'applyRules',
      'bookSaid',
      'bookDebits',
      'returnRefunds',
    ],
    ...['cutBatches', 'releaseBatches', 'importOrderReport', 'sendOrderFiles', 'pruneUploads'],
    ...['checkChain', 'openHeadWriter', 'openRunRecorder'],
  ],
  'compares and stores nothing': [
    'previewEntry',
    'previewFile',
    'previewTogether',
    'proposedImport',
    'previewUndo',
    'examine',
    'listQueues',
  ],
  'a file to look at, about which no one has decided': ['keepPart', 'keepProposed', 'keepUpload'],
  'the actor is in each request': ['createDeposits', 'createWithdrawals'],
  'the customer, who has the checkout token': [
    ...[
      'chooseBank',
      'forgetBank',
      'claimPayment',
      'takeBackClaim',
      'acknowledgeAccount',
      'makeHandover',
      'useHandover',
    ],
  ],
  'set-up at the start': [
    'seedBanks',
    'seedSandboxAccounts',
    'openMissingAccounts',
    'prepareCheckoutKeys',
    'prepareMarkKey',
    'prepareDemoLogins',
  ],
  'a person, who proves who it is': [
    ...['logIn', 'passSecondFactor', 'findSession', 'findUnfinishedSession', 'logOut', 'stepUp', 'changePassword'],
    ...['setUpTotp', 'confirmTotp', 'newRecoveryCodes', 'acceptInvitation'],
    ...['passkeyRegistration', 'registerPasskey', 'removePasskey', 'renamePasskey', 'passkeyLogin', 'passkeyProof'],
    ...['logInWithPasskey', 'passSecondFactorWithPasskey', 'stepUpWithPasskey'],
  ],
  'the first admin, while no one has a login': ['createAdmin'],
  'a filter that a person keeps, about which no one else learns': ['saveView', 'deleteView'],
  'play money of a sandbox': ['fundMerchant'],
}

/** Functions that a folder of the domain exports, that write, and that take no `Actor`. */
export function writingWithoutActor(): string[] {
  const all = domainFunctions()
  // Who opens no transaction cannot write: a writer takes a `Tx`.
  const writing = exportedOf([...reaching(/\.(?:transaction|oneStatement)\(/, all)])
  return writing.filter(({ parameters }) => !/\b(?:Merchant)?Actor\b/.test(parameters)).map(({ name }) => name)
}

/** Functions that a folder of the domain exports, and that take whatever `Actor` comes. */
export function takingAnActor(): string[] {
  const checks = new Set(['authorize', 'authorized', 'authorizedByName', 'openAudit'])
  const taking = exportedOf(domainFunctions()).filter(({ parameters }) => /\bactor: Actor\b/.test(parameters))
  return taking.map(({ name }) => name).filter((name) => !checks.has(name))
}

/** Functions that take an `Actor` and from which no call of `audit` is reached. */
export function notAudited(): string[] {
  const audited = new Set([...reaching(/\baudit(?:\?\.)?\(/, domainFunctions())].map(({ name }) => name))
  return takingAnActor().filter((name) => !audited.has(name))
}

/** Functions that check an actor and throw away what `authorize` returns, with which the decision is recorded. */
export function checkingOnly(): string[] {
  return domainFunctions()
    .filter(({ file, body }) => !file.startsWith('people/') && /(?<!(?:=|:) await )\bauthorize\(/.test(body))
    .map(({ name }) => name)
}

const read = (file: string) => readFileSync(join(DOMAIN, file), 'utf8')
const files = globSync('**/*.ts', { cwd: DOMAIN }).filter((file) => !/(?:\.test|\/store)\.ts$/.test(file))

function domainFunctions(): TopFunction[] {
  return files.flatMap((file) => functionsOf(file, read(file)))
}

function exportedOf(functions: TopFunction[]): TopFunction[] {
  const faces = files.filter((file) => file.endsWith('/index.ts')).map(read)
  return functions.filter(({ name }) =>
    faces.some((text) => new RegExp(`^export\\b[^']*\\b${name}\\b`, 'm').test(text)),
  )
}

/** Functions with such code, in themselves or through another one. */
function reaching(code: RegExp, all: TopFunction[]): Set<TopFunction> {
  const found = new Set(all.filter(({ body }) => code.test(body)))
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const one of all) if (calledBy(one, all).some((called) => found.has(called))) found.add(one)
  }
  return found
}

/** A name that the file declares is its own; any other was imported. */
function calledBy({ file, body }: TopFunction, all: TopFunction[]): TopFunction[] {
  const names = new Set([...body.matchAll(/(?<![.\w])(\w+)(?:<[\w, ]+>)?\(/g)].map(([, name]) => name))
  const own = new Set(all.filter((one) => one.file === file).map(({ name }) => name))
  return all.filter((one) => names.has(one.name) && (one.file === file || !own.has(one.name)))
}
