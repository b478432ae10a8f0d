import { join } from 'node:path'

export type Language = 'en' | 'tr'
export const LANGUAGES: readonly Language[] = ['en', 'tr']

/** The folder of the documents, in the repository and in the image. */
export const DOCS = join(import.meta.dirname, '../../../../../docs')

/** In both languages, in the order in which they are read. */
export const GUIDES = [
  'quickstart',
  'signing',
  'deposits',
  'withdrawals',
  'refunds',
  'callbacks',
  'errors',
  'testing',
  'going-live',
  'operating',
  'connections',
  'glossary',
] as const

/** In detail, in English. */
export const DOCUMENTS = [
  'api',
  'sdk',
  'callbacks',
  'checkout',
  'payouts',
  'matching',
  'cli',
  'merchant-console',
  'operator-console',
  'connections',
  'statements',
  'bank-formats',
  'orders',
  'books',
  'ledger',
  'operations',
  'deploy',
  'backup',
  'glossary',
] as const

/** Where a file of the repository is on the site, by its path from the root; null: it is not there. */
export function siteAddress(file: string): string | null {
  const [, language, guide] = /^docs\/guides\/(en|tr)\/([\w-]+)\.md$/.exec(file) ?? []
  if (guide && (GUIDES as readonly string[]).includes(guide)) return `/docs/${language}/${guide}`
  const [, document = ''] = /^docs\/([\w-]+)\.md$/.exec(file) ?? []
  if ((DOCUMENTS as readonly string[]).includes(document)) return `/docs/${document}`
  if (file === 'CHANGELOG.md') return '/docs/changelog'
  return /^docs\/examples\/[\w.-]+$/.test(file) ? `/${file}` : null
}
