import { exportTable, merchantMonth, merchantStatement } from '../../../domain/books/index.ts'
import { wholeBalances } from '../../../domain/ledger/index.ts'
import { previewSettlement, requestSettlement } from '../../../domain/withdrawals/index.ts'
import { daysOfMonth } from '../../../kernel/istanbul.ts'
import { fileName, tableInWords } from '../../web/console/exported-table.ts'
import type { Shown } from '../../web/console/routes.ts'
import { seenIn } from '../../web/console/settlement/settlement-parts.ts'
import { SETTLEMENT_WORDS } from '../../web/console/settlement/words.ts'
import { formatFrom } from '../../web/console/table-download.ts'
import { STATEMENT_POLICY, statementPage } from '../../web/merchant-statement-page.ts'
import { downloads } from '../downloads.ts'
import type { Asked, MerchantDeps, Section } from '../kind.ts'
import { own } from '../kind.ts'
import { peopleOf } from '../people.ts'
import { monthWanted } from '../../web/console/merchant-month/month.ts'
import { balancePage, EXPORTED } from './balance.ts'

export const BALANCE: Section = {
  views: [
    { path: '/balance', show: balance },
    { path: '/balance/export', show: download },
    { path: '/balance/statement', show: statement },
  ],
  forms: [{ path: '/balance/settle', action: 'settlement.request', back: '/balance', decide: settle }],
  said: { tr: SETTLEMENT_WORDS.tr.said, en: SETTLEMENT_WORDS.en.said },
}

async function balance(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const merchantId = own(asked)
  const { month, day, ...wanted } = monthWanted(asked)
  const facts = {
    ...{ month, day, found: await merchantMonth(app, merchantId, { month, day, ...wanted }) },
    balances: await wholeBalances(app.db.pages, merchantId, app.currencies),
    settlement: await previewSettlement({ ...app, db: app.db.pages }, merchantId),
    people: await peopleOf(app.db.pages, merchantId),
  }
  return { page: balancePage(asked.viewer, facts) }
}

async function settle(app: MerchantDeps, asked: Asked): Promise<string> {
  await requestSettlement(app, asked.actor, own(asked), seenIn(asked.fields))
  return 'settlementSent'
}

/** A page to print, without any address in it. */
async function statement(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const { month } = monthWanted(asked)
  const found = await merchantStatement(app, own(asked), month)
  const body = Buffer.from(
    statementPage(found, asked.viewer.language, { operator: found.operatorTitle, at: asked.viewer.now }),
  )
  return {
    download: {
      name: `${fileName(asked.viewer.words, 'statement', month)}.html`,
      type: 'text/html; charset=utf-8',
      body,
      policy: STATEMENT_POLICY,
    },
  }
}

function download({ db, log }: MerchantDeps, asked: Asked): Promise<Shown> {
  const { query, viewer } = asked
  const kind = EXPORTED.find((one) => one === query['kind']) ?? 'transactions'
  const format = formatFrom(query) ?? 'csv'
  const { month } = monthWanted(asked)
  const { words } = viewer
  const { rows, ...table } = tableInWords(words, kind, (id) => id)
  return downloads({ log, words }, { name: fileName(words, kind, month), format, ...table }, (write) =>
    exportTable({ db }, kind, { ...daysOfMonth(month), merchantId: own(asked) }, (found) => write(rows(found))),
  )
}
