import type { ForgedKind } from '../../kernel/refusals/checks.ts'
import { note } from '../../kernel/refusals/note.ts'
import { forgedAccounts } from '../banks/index.ts'
import { forgedRules } from '../books/index.ts'
import { forgedBalances } from '../ledger/index.ts'
import { forgedProposals } from '../proposals/index.ts'
import { forgedLogins, forgedSessions } from '../identity/index.ts'
import { listWithoutDebit } from '../matching/index.ts'
import { forgedNetworks, forgedSettings, forgedSettlementAccounts } from '../merchants/index.ts'
import type { Payout } from '../withdrawals/index.ts'
import { forgedOpinions, forgedPayouts, listPayouts, forgedWithdrawals } from '../withdrawals/index.ts'
import { forgedOperators } from '../people/index.ts'
import { forgedFiles, forgedLines } from '../statements/index.ts'
import type { Check } from './check.ts'
import { judge } from './check.ts'
import type { DoctorApp } from './doctor-deps.ts'

/** More than ever wait at once. */
const LIMIT = 1000
/** Of each kind. */
const SHOWN = 10

type Forged = { what: ForgedKind; id: string }

const ids = (what: ForgedKind, find: (app: DoctorApp) => Promise<string[]>) => async (app: DoctorApp) =>
  (await find(app)).map((id): Forged => ({ what, id }))

/** Every kind of row that counts only with its mark. Those that someone else has written count for nothing. */
const MARKED: ((app: DoctorApp) => Promise<Forged[]>)[] = [
  ids('operator', forgedOperators),
  forgedLogins,
  forgedSessions,
  ids('proposal', (app) => forgedProposals(app, LIMIT)),
  ids('statement_file', (app) => forgedFiles(app, LIMIT)),
  ids('withdrawal', (app) => forgedWithdrawals(app, LIMIT)),
  ids('payout', (app) => forgedPayouts(app, LIMIT)),
  ids('finding', async (app) => forgedOpinions(app, await withoutEnd(app))),
  ids('private_network', forgedNetworks),
  ids('account', forgedAccounts),
  ids('settlement_account', forgedSettlementAccounts),
  ids('merchant_setting', forgedSettings),
  ids('line_rule', forgedRules),
  ids('balance', forgedBalances),
  ids('bank_line', (app) => forgedLines(app, LIMIT)),
]

export async function examineMarks(app: DoctorApp): Promise<Check> {
  const found: Forged[] = []
  for (const find of MARKED) found.push(...(await find(app)).slice(0, SHOWN))
  const rows = found.map((one) => note('check_row_forged', one))
  return judge(
    'marks',
    rows.length === 0,
    rows.length === 0 ? note('check_rows_genuine') : note('check_rows_forged', { rows }),
    note('todo_rows_forged'),
  )
}

/** Payouts about which people may still say something. */
async function withoutEnd(app: DoctorApp): Promise<Payout[]> {
  return [...(await listPayouts(app.db, 'asking', LIMIT)), ...(await listWithoutDebit(app, LIMIT))]
}
