import { entriesBefore, openReceivables, openRests, refundOf, showEntry } from '../../../domain/books/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { html } from '../../web/html.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, OperatorDeps } from '../kind.ts'
import { accountNames, merchantNames } from '../names.ts'
import { entryPage, journalPage } from './journal-page.ts'
import { JOURNAL_WORDS } from './journal-words.ts'

const ENTRIES_PER_PAGE = 50

export async function journal(app: OperatorDeps, { viewer, query }: Asked): Promise<Shown> {
  const { pages } = app.db
  const given = String(query['before'])
  const before = /^[0-9a-f]{24}$/.test(given) ? given : null
  const found = await entriesBefore(pages, before, ENTRIES_PER_PAGE + 1)
  const entries = found.slice(0, ENTRIES_PER_PAGE)
  return {
    page: journalPage(viewer, {
      entries,
      older: found.length > ENTRIES_PER_PAGE ? (entries.at(-1)?.id ?? null) : null,
      receivables: before === null ? await openReceivables(pages) : [],
      rests: before === null ? await openRests(pages) : [],
      accountName: await accountNames(app),
    }),
  }
}

export async function journalEntry(app: OperatorDeps, { viewer, id }: Asked): Promise<Shown> {
  const { pages } = app.db
  const words = JOURNAL_WORDS[viewer.language]
  try {
    const shown = await showEntry(pages, id)
    const refund = shown.entry.kind === 'refund_unexplained' ? ((await refundOf(pages, id))?.id ?? null) : null
    const names = { merchants: await merchantNames(app), accountName: await accountNames(app) }
    return { page: entryPage(viewer, shown, { ...names, refund }) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error
    const main = html`<h1>${words.title}</h1>
      <p class="empty">${words.noEntry}</p>
      <p class="more"><a href="${viewer.root}/books/journal">${words.title}</a></p>`
    return { page: { title: words.title, section: 'books', main }, status: 404 }
  }
}
