import type { Batch } from '../../packages/server/src/domain/withdrawals/index.ts'

type Tx = { id: string; status: string; code?: string; more?: string }
/** What the bank says: about the file, about its one payment information, about transactions. */
export type Said = {
  messageId?: string
  group?: string
  code?: string
  payment?: string
  transactions?: Tx[]
  head?: string
}
const reasonOf = (code?: string) => (code === undefined ? '' : `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn></StsRsnInf>`)
/** So that no two reports are the same bytes. */
let reports = 0

/** A pain.002 file. */
export function reportOf(
  { id }: Pick<Batch, 'id'>,
  { messageId = id, group, code, payment, transactions = [], head = '' }: Said,
): Uint8Array {
  const status = (tag: string, value?: string) => (value === undefined ? '' : `<${tag}>${value}</${tag}>`)
  const each = transactions.map(
    (one) =>
      `<TxInfAndSts><OrgnlEndToEndId>${one.id}</OrgnlEndToEndId><TxSts>${one.status}</TxSts>${reasonOf(one.code)}${one.more ?? ''}</TxInfAndSts>`,
  )
  return Buffer.from(
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><GrpHdr><MsgId>R${++reports}</MsgId></GrpHdr>` +
      `<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId>${head}${status('GrpSts', group)}${group && reasonOf(code)}</OrgnlGrpInfAndSts>` +
      `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${id}</OrgnlPmtInfId>${status('PmtInfSts', payment)}${each.join('')}</OrgnlPmtInfAndSts>` +
      `</CstmrPmtStsRpt></Document>`.replaceAll('undefined', ''),
  )
}
