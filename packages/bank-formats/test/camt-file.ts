const MESSAGES = {
  '052': ['BkToCstmrAcctRpt', 'Rpt'],
  '053': ['BkToCstmrStmt', 'Stmt'],
  '054': ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
} as const

export const ACCOUNT = 'TR330006100519786457841326'
const ACCT = `<Acct><Id><IBAN>${ACCOUNT}</IBAN></Id><Ccy>TRY</Ccy></Acct>`

type Options = { format?: keyof typeof MESSAGES; version?: string; head?: string; encoding?: string }

/** A camt file; `statements` is the content of each. */
export function camtFile(
  statements: string[],
  { format = '053', version = '02', head = '', encoding = 'UTF-8' }: Options = {},
) {
  const [message, statement] = MESSAGES[format]
  return [
    `<?xml version="1.0" encoding="${encoding}"?>`,
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${format}.001.${version}"><${message}>`,
    `<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-31T08:00:00+03:00</CreDtTm>${head}</GrpHdr>`,
    ...statements.map((content) => `<${statement}>\n${content}\n</${statement}>`),
    `</${message}></Document>`,
  ].join('\n')
}

/** The same file with a prefix at every element. */
export function prefixed(file: string): string {
  return file.replaceAll(/<(\/?)(?=\w)/g, '<$1ns2:').replace('xmlns=', 'xmlns:ns2=')
}

export function statement(content: string, acct = ACCT): string {
  return `<Id>S1</Id><CreDtTm>2026-01-31T08:00:00</CreDtTm>${acct}${content}`
}

export function balance(
  type: string,
  amount: string,
  on = '<Dt>2026-01-30</Dt>',
  mark = 'CRDT',
  currency = 'TRY',
): string {
  const tp = `<Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>`
  return `<Bal>${tp}<Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Dt>${on}</Dt></Bal>`
}

type EntryParts = { amount?: string; mark?: string; status?: string; dates?: string; more?: string; currency?: string }

export function entry({
  amount = '100.00',
  mark = 'CRDT',
  status = 'BOOK',
  dates,
  more = '',
  currency = 'TRY',
}: EntryParts = {}) {
  const days = dates ?? '<BookgDt><Dt>2026-01-30</Dt></BookgDt><ValDt><Dt>2026-01-31</Dt></ValDt>'
  const head = `<Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd>`
  return `<Ntry>${head}<Sts>${status}</Sts>${days}${more}</Ntry>`
}

export function details(...transactions: string[]): string {
  return `<NtryDtls>${transactions.map((content) => `<TxDtls>${content}</TxDtls>`).join('')}</NtryDtls>`
}
