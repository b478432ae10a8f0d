import { ibanOf } from './account-number.ts'
import { codeAt, currencyOf, directionOf } from './camt-values.ts'
import { toMinorUnits } from './minor-units.ts'
import { narrativeOf } from './narrative.ts'
import { referenceOf } from './reference.ts'
import { childrenOf, nodeAt, textAt } from './xml-tree.ts'
import type { XmlNode } from './xml-tree.ts'

type Party = { name: string | null; iban: string | null }

/** One transaction of an entry (TxDtls), without the XML. */
export type Detail = {
  amounts: XmlNode[]
  direction: 'credit' | 'debit' | null
  bankReference: string | null
  /** Known to both banks; used where the bank gives no number of its own. */
  transactionReference: string | null
  endToEndReference: string | null
  debtor: Party
  creditor: Party
  returned: string | null
  text: string
}

/** Sub-families of bank transaction codes that are returns: credit transfer, ACH, direct debit, after a recall. */
const RETURNS = new Set(['RRTN', 'ARET', 'UPDD', 'RPCR'])

export function detailIn(node: XmlNode): Detail {
  const refs = nodeAt(node, 'Refs')
  const parties = nodeAt(node, 'RltdPties')
  return {
    amounts: [['Amt'], ['AmtDtls', 'TxAmt', 'Amt'], ['AmtDtls', 'CntrValAmt', 'Amt'], ['AmtDtls', 'InstdAmt', 'Amt']]
      .map((path) => nodeAt(node, ...path))
      .filter((amount) => amount !== undefined),
    direction: directionOf(node),
    bankReference: referenceOf(textAt(refs, 'AcctSvcrRef')),
    transactionReference: referenceOf(textAt(refs, 'UETR')) ?? referenceOf(textAt(refs, 'TxId')),
    endToEndReference: referenceOf(textAt(refs, 'EndToEndId')),
    debtor: partyIn(parties, 'Dbtr'),
    creditor: partyIn(parties, 'Cdtr'),
    returned: returnIn(node),
    text: narrativeOf(textsIn(node)),
  }
}

/** How much text a detail holds, roughly. */
export function charactersOf({ amounts, debtor, creditor, text, ...rest }: Detail): number {
  const texts = [text, debtor.name, debtor.iban, creditor.name, creditor.iban, ...amounts.map((amount) => amount.text)]
  return [...texts, ...Object.values(rest)].reduce((sum, each) => sum + (each?.length ?? 0), 0)
}

/** The detail's amount in the entry's currency, if it has one. */
export function detailAmount({ amounts }: Detail, currency: string): bigint | null {
  const own = amounts.find((amount) => currencyOf(amount) === currency)
  return own ? toMinorUnits(own.text.trim(), currency, 'point', own.position) : null
}

/** The reason for which the payment came back, '' if only the bank transaction code says that it did. */
export function returnIn(node: XmlNode): string | null {
  const info = nodeAt(node, 'RtrInf')
  if (info) return codeAt(info, 'Rsn') ?? codeAt(info, 'RtrRsn') ?? ''
  return RETURNS.has(textAt(node, 'BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd') ?? '') ? '' : null
}

/** Version 8 nests the party in Pty or, for a bank, in Agt. */
function partyIn(parties: XmlNode | undefined, role: 'Dbtr' | 'Cdtr'): Party {
  const party = nodeAt(parties, role)
  const account = nodeAt(parties, `${role}Acct`)
  const name = textAt(party, 'Nm') ?? textAt(party, 'Pty', 'Nm') ?? textAt(party, 'Agt', 'FinInstnId', 'Nm')
  const iban = textAt(account, 'Id', 'IBAN')?.replaceAll(/\s/g, '') ?? ibanOf(textAt(account, 'Id', 'Othr', 'Id'))
  return { name: name ?? textAt(account, 'Nm'), iban }
}

function textsIn(node: XmlNode): string[] {
  const remittance = nodeAt(node, 'RmtInf')
  const structured = childrenOf(remittance, 'Strd').flatMap((strd) => [
    textAt(strd, 'CdtrRefInf', 'Ref') ?? textAt(strd, 'CdtrRefInf', 'CdtrRef') ?? '',
    ...childrenOf(strd, 'AddtlRmtInf').map(({ text }) => text),
  ])
  return [...childrenOf(remittance, 'Ustrd').map(({ text }) => text), ...structured, textAt(node, 'AddtlTxInf') ?? '']
}
