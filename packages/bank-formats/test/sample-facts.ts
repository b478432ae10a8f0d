// What public sample files hold, counted by other tools than our readers: an XML parser with sums of <Ntry> for camt, patterns over
// :61: for MT940, by eye for tables. An entry that is a batch has one line for each of its details, where these sum to it.

export type SampleFacts = {
  file: string
  statements: number
  entries: number
  lines: number
  /** By currency, ordered by its code. */
  credits: string
  debits: string
  problems: number
}

// file | statements | entries | lines | credits | debits | problems
const READ = `
  camt/genkgo_camt__camt052.v1.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt052.v2.other-account.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt052.v2.with-account-name.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt052.v2.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt052.v4.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt052.v6.Amt-zero.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt052.v6.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt052.v8.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt053.v2.all-balance-types.xml | 1 | 1 | 1 | 8.85 EUR | 0 | 1
  camt/genkgo_camt__camt053.v2.five.decimals.xml | 1 | 1 | 1 | 8.85 EUR | 0 | 1
  camt/genkgo_camt__camt053.v2.minimal.ultimate.xml | 1 | 1 | 1 | 8.85 EUR | 0 | 0
  camt/genkgo_camt__camt053.v2.minimal.xml | 1 | 1 | 1 | 8.85 EUR | 0 | 0
  camt/genkgo_camt__camt053.v2.multi.statement.xml | 2 | 2 | 2 | 8.85 EUR | 7.00 EUR | 0
  camt/genkgo_camt__camt053.v2.with-account-name.xml | 1 | 1 | 1 | 8.85 EUR | 0 | 0
  camt/genkgo_camt__camt053.v2.with-party-ids.xml | 1 | 1 | 1 | 8.85 EUR | 0 | 0
  camt/genkgo_camt__camt053.v3.xml | 1 | 1 | 1 | 8.85 EUR | 0 | 0
  camt/genkgo_camt__camt053.v4.xml | 1 | 1 | 1 | 8.85 EUR | 0 | 0
  camt/genkgo_camt__camt053.v8.xml | 1 | 1 | 1 | 8.85 EUR | 0 | 0
  camt/genkgo_camt__camt054.v2.with-account-name.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt054.v2.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt054.v4.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt054.v8-with-UETR.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt054.v8-with-financial-institution.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt054.v8.xml | 1 | 1 | 1 | 0 | 200000.00 SEK | 0
  camt/genkgo_camt__camt53.only-Dt-with-DtTm.xml | 1 | 0 | 0 | 0 | 0 | 0
  camt/svapnil_iso20022.js__abn_amro_example_camt.xml | 1 | 13 | 29 | 28.00 EUR | 928.00 EUR | 0
  camt/svapnil_iso20022.js__goldman_sachs_camt_053_uk_v2_1.xml | 2 | 6 | 6 | 200.00 GBP | 400.00 GBP | 1
  camt/svapnil_iso20022.js__goldman_sachs_camt_053_uk_v2_2.xml | 2 | 6 | 6 | 200.00 GBP | 400.00 GBP | 1
  camt/svapnil_iso20022.js__goldman_sachs_camt_053_uk_v2_virtual_accounts.xml | 2 | 6 | 6 | 200.00 GBP | 400.00 GBP | 1
  camt/svapnil_iso20022.js__goldman_sachs_camt_053_us_v2_sample.xml | 1 | 15 | 15 | 100.00 USD | 29.06 EUR 40.00 USD | 7
  camt/svapnil_iso20022.js__ing_example_camt.xml | 1 | 9 | 9 | 990.00 EUR | 385.00 EUR | 0
  camt/svapnil_iso20022.js__nordea_example_camt.xml | 1 | 6 | 6 | 10100.50 EUR | 1500.50 EUR | 0
  mt940/wolph_mt940__ASNB_mt940.txt | 31 | 8 | 8 | 2828.90 EUR | 2771.96 EUR | 0
  mt940/wolph_mt940__ASNB_mt940_with_spaces_for_entry_date.txt | 31 | 8 | 8 | 2828.90 EUR | 2771.96 EUR | 0
  mt940/wolph_mt940__betterplace_sepa_mt9401.sta | 26 | 97 | 97 | 5188474.94 EUR | 14457610.84 EUR | 0
  mt940/wolph_mt940__betterplace_sepa_snippet.sta | 2 | 11 | 11 | 1430745.72 EUR | 3574069.11 EUR | 1
  mt940/wolph_mt940__betterplace_with_binary_character.sta | 2 | 4 | 4 | 14215.30 EUR | 193282.05 EUR | 0
  mt940/wolph_mt940__citi_mt940.txt | 1 | 5 | 5 | 0.00 USD | 1142.75 USD | 0
  mt940/wolph_mt940__cmxl_mt940.sta | 3 | 16 | 16 | 49396.74 DEM 3000.00 EUR 20040.00 PLN | 49309.44 DEM 800.00 EUR 10000.00 PLN | 0
  tr-statements/garanti.csv | 1 | 2 | 2 | 1000.00 TRY | 50.00 TRY | 0
  tr-statements/teb_6col.csv | 1 | 2 | 2 | 300.00 TRY | 12.00 TRY | 0
  tr-statements/vakifbank.csv | 1 | 2 | 2 | 1500.00 TRY | 200.00 TRY | 0
  tr-statements/ziraat_layout_a.csv | 1 | 2 | 2 | 1250.00 TRY | 100.00 TRY | 0
`

export const SAMPLES: SampleFacts[] = READ.trim()
  .split('\n')
  .map((row) => {
    const [file, statements, entries, lines, credits, debits, problems] = row
      .split('|')
      .map((cell) => cell.trim()) as Row
    const counts = { statements: Number(statements), entries: Number(entries), lines: Number(lines) }
    return { file, ...counts, credits, debits, problems: Number(problems) }
  })

type Row = [string, string, string, string, string, string, string]

/** Without a statement, or fields without the message around them. */
export const REFUSED: { file: string; message: RegExp }[] = [
  { file: 'camt/genkgo_camt__camt053.v2.wrong.xml', message: /^field_missing {"fields":\["<Stmt>"/ },
  { file: 'mt940/wolph_mt940__betterplace_amount_formats.sta', message: /^line 2: field_twice {"field":":60F:"}/ },
  { file: 'mt940/wolph_mt940__betterplace_currency_in_25.sta', message: /field_missing {"fields":\[":60F:",":60M:"\]/ },
  { file: 'mt940/wolph_mt940__betterplace_empty_86.sta', message: /field_missing {"fields":\[":25:"\]/ },
  { file: 'mt940/wolph_mt940__betterplace_empty_entry_date.sta', message: /field_missing {"fields":\[":25:"\]/ },
  { file: 'mt940/wolph_mt940__betterplace_empty_line.sta', message: /field_missing {"fields":\[":25:"\]/ },
  { file: 'mt940/wolph_mt940__betterplace_missing_crlf_at_end.sta', message: /field_missing {"fields":\[":25:"\]/ },
  {
    file: 'mt940/wolph_mt940__betterplace_sepa_snippet_broken.sta',
    message: /^line 6: field_misplaced {"field":":25:"/,
  },
  { file: 'mt940/wolph_mt940__cmxl_account_balance_credit.sta', message: /field_missing {"fields":\[":25:"\]/ },
  { file: 'mt940/wolph_mt940__cmxl_account_balance_debit.sta', message: /field_missing {"fields":\[":25:"\]/ },
  {
    file: 'mt940/wolph_mt940__cmxl_account_identification_iban.sta',
    message: /field_missing {"fields":\[":60F:",":60M:"\]/,
  },
  {
    file: 'mt940/wolph_mt940__cmxl_account_identification_legacy.sta',
    message: /field_missing {"fields":\[":60F:",":60M:"\]/,
  },
  { file: 'mt940/wolph_mt940__cmxl_available_balance.sta', message: /field_missing {"fields":\[":25:"\]/ },
  { file: 'mt940/wolph_mt940__cmxl_closing_balance.sta', message: /field_missing {"fields":\[":25:"\]/ },
  { file: 'mt940/wolph_mt940__cmxl_reference.sta', message: /field_missing {"fields":\[":25:"\]/ },
  { file: 'mt940/wolph_mt940__cmxl_statement_details.sta', message: /field_missing {"fields":\[":25:"\]/ },
  { file: 'mt940/wolph_mt940__cmxl_statement_line.sta', message: /field_missing {"fields":\[":25:"\]/ },
  { file: 'mt940/wolph_mt940__cmxl_statement_number.sta', message: /field_missing {"fields":\[":25:"\]/ },
]
