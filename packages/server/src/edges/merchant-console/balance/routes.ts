import { COLUMNS, exportTable, merchantMonth, merchantStatement } from '../../../domain/books/index.ts'
import { balanceOf } from '../../../domain/ledger/index.ts'
import { addDays } from '../../../kernel/istanbul.ts'
import type { Shown } from '../../web/console/routes.ts'
import { formatFrom } from '../../web/console/table-download.ts'
import { statementPage } from '../../web/merchant-statement-page.ts'
import { downloads } from '../downloads.ts'
import type { Asked, MerchantDeps, Section } from '../kind.ts'
import { own } from '../kind.ts'
import { monthWanted } from '../../web/console/merchant-month/month.ts'
import { balancePage, EXPORTED } from './balance.ts'

export const BALANCE: Section = {
  views: [
    { path: '/balance', show: balance },
    { path: '/balance/export', show: download },
    { path: '/balance/statement', show: statement },
  ],
  forms: [],
  said: { tr: {}, en: {} },
}

async function balance(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const merchantId = own(asked)
  const { month, day, ...wanted } = monthWanted(asked)
  const facts = {
    ...{ month, day, found: await merchantMonth(app, merchantId, { month, day, ...wanted }) },
    balances: await Promise.all(
      app.currencies.map(async (currency) => ({ currency, ...(await balanceOf(app.db.pages, merchantId, currency)) })),
    ),
  }
  return { page: balancePage(asked.viewer, facts) }
}

/** A page to print, without any address in it. */
async function statement(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const { month } = monthWanted(asked)
  const found = await merchantStatement(app, own(asked), month)
  const body = Buffer.from(statementPage(found, asked.viewer.language, found.operatorTitle))
  return { download: { name: `statement-${month}.html`, type: 'text/html; charset=utf-8', body } }
}

function download({ db, log }: MerchantDeps, asked: Asked): Promise<Shown> {
  const { query, viewer } = asked
  const kind = EXPORTED.find((one) => one === query['kind']) ?? 'transactions'
  const format = formatFrom(query) ?? 'csv'
  const from = `${monthWanted(asked).month}-01`
  const to = addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1)
  const table = { name: `${kind}-${from.slice(0, 7)}`, title: kind, format, columns: COLUMNS[kind] }
  return downloads({ log, words: viewer.words }, table, (write) =>
    exportTable({ db }, kind, { from, to, merchantId: own(asked) }, write),
  )
}
