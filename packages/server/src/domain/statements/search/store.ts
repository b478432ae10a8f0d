import type { Found, Search } from '../../../kernel/search.ts'
import type { Queryable } from '../../../platform/postgres/db.ts'
import type { Wanted } from '../../../platform/postgres/newest-words.ts'
import { entries, newestWithWords } from '../../../platform/postgres/newest-words.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { everyAccount } from '../../banks/index.ts'
import { ENTERED_BY_HAND } from '../bank-line.ts'
import { linesForPayout, merchantOfLine } from '../parts/store.ts'
import { linesOf, namesSql } from '../store.ts'

/** The bank's line of one that people had entered is not called dismissed: its money is in the books. */
const statusOfFound = sql`case l.reason when ${ENTERED_BY_HAND} then l.reason else l.state end`

const stored = (rest: Sql) => linesOf(sql`l.*`, rest)

/** Spelled like the index. */
const ofSender = (wanted: Pick<Wanted, 'text' | 'amounts'>, limit: number) =>
  newestWithWords(
    { ...wanted, merchantId: null },
    {
      ...{ row: sql`l`, limit },
      oldest: sql`(${linesOf(sql`min(l.id)`, sql``)})`,
      newest: sql`(${linesOf(sql`max(l.id)`, sql``)})`,
      found: (query) => stored(sql`where ${entries(sql`l`, sql`l.sender_name`)} @@ ${query}`),
    },
  )

/** Lines have no customer: searches the counterparty's name and IBAN, the amount, the bank's number, and the payout that they belong to or name. */
export function searchLines(
  db: Queryable,
  { text, words, id, amounts, iban, named }: Search,
  limit: number,
): Promise<Found[]> {
  const some = (rest: Sql) => sql`(${stored(sql`where ${rest}`)}) as l`
  const byIban = sql`l.sender_iban is not null and (reverse(l.sender_iban) collate "C") between ${iban?.from} and ${iban?.to}
    order by reverse(l.sender_iban) collate "C" desc, l.id desc limit ${limit}`
  const sender = sql`case l.direction when 'debit' then 'recipient ' else 'sender ' end || l.sender_name`
  const byNameAndAmount = named
    ? sql` union all (select l.*, ${sender} || ', amount' from ${ofSender({ text: named.words, amounts: named.amounts }, limit)} limit ${limit})`
    : sql``
  return db.query<Found>(sql`
    select 'line' as kind, l.id, ${merchantOfLine()} as "merchantId", l.amount, l.currency, ${statusOfFound} as status,
      l.direction, l.created_at as "createdAt", l.matched
    from (
      (select l.*, 'line id' as matched from ${some(sql`l.id = ${id}`)})
      union all (select l.*, 'of the withdrawal' from ${some(sql`l.id in (${linesForPayout(id)})`)})
      union all (select l.*, 'names the withdrawal' from ${some(
        sql`l.candidate_withdrawal_id = ${id} and l.id not in (${linesForPayout(id)})`,
      )})
      union all (select l.*, 'names the withdrawal' from ${some(
        sql`l.candidate_withdrawal_id is distinct from ${id} and ${namesSql(sql`${id}::text`)}`,
      )})
      union all (select l.*, 'amount' from unnest(${amounts}::bigint[]) as a (wanted) cross join lateral ${some(
        sql`l.amount = a.wanted order by l.id desc limit ${limit}`,
      )})
      union all (select l.*, 'IBAN ' || l.sender_iban from ${some(byIban)})
      union all (select l.*, 'number ' || l.bank_reference from (${everyAccount}) as a cross join lateral ${some(
        sql`l.collecting_account_id = a.id and l.bank_reference = ${text} limit ${limit}`,
      )})
      union all (select l.*, ${sender} from ${ofSender({ text: words }, limit)} limit ${limit})${byNameAndAmount}
    ) as l order by l.id desc limit ${limit}`)
}
