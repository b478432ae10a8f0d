import { amountIn, dayAt } from '../src/camt-values.ts'
import { toMinorUnits } from '../src/minor-units.ts'
import type { OrderBatch } from '../src/orders.ts'
import type { XmlNode } from '../src/xml-tree.ts'
import { childrenOf, requiredNode, textAt, treeBuilder } from '../src/xml-tree.ts'
import { readXml } from '../src/xml-tokens.ts'

async function treeOf(file: Uint8Array): Promise<XmlNode> {
  async function* bytes() {
    yield file
  }
  const builder = treeBuilder(new Set())
  for await (const tokens of readXml(bytes()))
    for (const token of tokens) {
      const done = builder.add(token)
      if (done) return done.node
    }
  throw new Error('the document does not end')
}

/** The inverse of `writeOrders` for pain.001. A rail is not written. */
export async function readPain001(file: Uint8Array): Promise<OrderBatch & { count: number; sum: bigint }> {
  const message = requiredNode(await treeOf(file), 'CstmrCdtTrfInitn')
  const [group, payment] = [requiredNode(message, 'GrpHdr'), requiredNode(message, 'PmtInf')]
  const text = (node: XmlNode, ...path: string[]) => textAt(node, ...path) ?? ''
  return {
    id: text(group, 'MsgId'),
    createdAt: text(group, 'CreDtTm'),
    executeOn: dayAt(payment, 'ReqdExctnDt') ?? '',
    debtor: { name: text(payment, 'Dbtr', 'Nm'), iban: text(payment, 'DbtrAcct', 'Id', 'IBAN') },
    count: Number(text(group, 'NbOfTxs')),
    sum: toMinorUnits(text(group, 'CtrlSum'), text(payment, 'DbtrAcct', 'Ccy'), 'point', group.position),
    orders: childrenOf(payment, 'CdtTrfTxInf').map((node) => {
      const amt = requiredNode(node, 'Amt', 'InstdAmt')
      return {
        endToEndId: text(node, 'PmtId', 'EndToEndId'),
        ...amountIn({ ...node, children: [{ ...amt, name: 'Amt' }] }),
        iban: text(node, 'CdtrAcct', 'Id', 'IBAN'),
        name: text(node, 'Cdtr', 'Nm'),
        text: text(node, 'RmtInf', 'Ustrd'),
        purpose: text(node, 'Purp', 'Prtry') || text(node, 'Purp', 'Cd'),
        rail: '',
      }
    }),
  }
}
