import { makeIban } from '../../packages/server/src/kernel/iban.ts'
import type { Bytes, StatementReader } from '../../packages/bank-formats/src/index.ts'
import { BANK_PROFILES, readCamt, readCsv, readMt940 } from '../../packages/bank-formats/src/index.ts'

/** A statement that is written while it is read: of `lines` lines, only some are in memory. */
export type StatementFile = { name: string; read: StatementReader; write: (lines: number) => Bytes }

/** As a file is read from a disk. */
const PIECE_CHARACTERS = 64 * 1024

type Parts = { before: (lines: number) => string; line: (index: number) => string; after: (lines: number) => string }

/** Each line is a credit of 1,00; all sums follow from their number. */
function written({ before, line, after }: Parts): StatementFile['write'] {
  return async function* (lines) {
    let piece = before(lines)
    for (let index = 0; index < lines; index++) {
      piece += line(index)
      if (piece.length < PIECE_CHARACTERS) continue
      yield Buffer.from(piece)
      piece = ''
    }
    yield Buffer.from(piece + after(lines))
  }
}

export const IBAN = makeIban('0046', '8810000')
/** A thousand bookings a day, from 2020 on. */
const dayOf = (index: number) => new Date(Date.UTC(2020, 0, 1 + Math.floor(index / 1000))).toISOString().slice(0, 10)
const swiftDay = (day: string) => day.slice(2).replaceAll('-', '')
const nameOf = (index: number) => `AYŞE YILMAZ ${index % 977}`
const textOf = (index: number) => `GELEN FAST DP${index.toString(36).toUpperCase().padStart(6, '0')}`

function camtBalance(type: string, amount: number): string {
  const day = dayOf(0)
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="TRY">${amount}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>\n`
}

const CAMT: Parts = {
  before: (lines) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-31T08:00:00+03:00</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><CreDtTm>2026-01-31T08:00:00+03:00</CreDtTm><Acct><Id><IBAN>${IBAN}</IBAN></Id><Ccy>TRY</Ccy></Acct>
${camtBalance('OPBD', 0)}${camtBalance('CLBD', lines)}`,
  line: (index) => `<Ntry><Amt Ccy="TRY">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><DtTm>${dayOf(index)}T10:15:30+03:00</DtTm></BookgDt><ValDt><Dt>${dayOf(index)}</Dt></ValDt><AcctSvcrRef>${index}</AcctSvcrRef>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls><Refs><AcctSvcrRef>${index}</AcctSvcrRef><EndToEndId>NOTPROVIDED</EndToEndId></Refs><RltdPties><Dbtr><Nm>${nameOf(index)}</Nm></Dbtr><DbtrAcct><Id><IBAN>TR520001009999000000000003</IBAN></Id></DbtrAcct></RltdPties><RmtInf><Ustrd>${textOf(index)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
`,
  after: () => '</Stmt></BkToCstmrStmt></Document>\n',
}

const MT940: Parts = {
  before: () => `:20:REF\r\n:25:${IBAN}\r\n:28C:1/1\r\n:60F:C${swiftDay(dayOf(0))}TRY0,\r\n`,
  line: (index) =>
    `:61:${swiftDay(dayOf(index))}${swiftDay(dayOf(index)).slice(2)}C1,00NTRFNONREF//${index}\r\n:86:166?00GELEN?20SVWZ+${textOf(index)}?32${nameOf(index)}\r\n`,
  after: (lines) => `:62F:C${swiftDay(dayOf(lines))}TRY${lines},\r\n-\r\n`,
}

const CSV: Parts = {
  before: () => `IBAN;${IBAN}\r\nTarih;Açıklama;Borç;Alacak;Bakiye;Dekont No\r\n`,
  line: (index) => `${dayOf(index)};"${textOf(index)}-${nameOf(index)}";;1,00;${index + 1},00;${index}\r\n`,
  after: () => '',
}

export const STATEMENT_FILES: StatementFile[] = [
  { name: 'camt.053', read: readCamt, write: written(CAMT) },
  { name: 'MT940', read: readMt940, write: written(MT940) },
  { name: 'CSV', read: readCsv(BANK_PROFILES.ziraat), write: written(CSV) },
]
