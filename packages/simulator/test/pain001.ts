type TestPayment = {
  endToEnd: string
  to: string
  amount: string
  currency?: string
  name?: string
  text?: string
}

export type TestOrder = {
  messageId?: string
  version?: '03' | '09'
  from: string
  payments: TestPayment[]
  count?: number
  sum?: string
  batch?: boolean
}

/** A pain.001 as a client writes it. */
export function pain001({ messageId = 'M1', version = '03', from, payments, count, sum, batch }: TestOrder): string {
  const cents = payments.reduce((before, { amount }) => before + Math.round(Number(amount) * 100), 0)
  const totals = `<NbOfTxs>${count ?? payments.length}</NbOfTxs><CtrlSum>${sum ?? (cents / 100).toFixed(2)}</CtrlSum>`
  const day = version === '09' ? '<Dt>2026-11-15</Dt>' : '2026-11-15'
  const transfers = payments.map(
    ({ endToEnd, to, amount, currency = 'TRY', name = 'Zeynep Şahin', text = 'Çekim &amp; ödeme' }) =>
      `<CdtTrfTxInf><PmtId><EndToEndId>${endToEnd}</EndToEndId></PmtId><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt>` +
      `<Cdtr><Nm>${name}</Nm></Cdtr><CdtrAcct><Id><IBAN>${to}</IBAN></Id></CdtrAcct><RmtInf><Ustrd>${text}</Ustrd></RmtInf></CdtTrfTxInf>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}"><CstmrCdtTrfInitn>`,
    `<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>2026-11-15T01:30:00+03:00</CreDtTm>${totals}<InitgPty><Nm>ÖRNEK A.Ş.</Nm></InitgPty></GrpHdr>`,
    `<PmtInf><PmtInfId>${messageId}-1</PmtInfId><PmtMtd>TRF</PmtMtd>${batch === undefined ? '' : `<BtchBookg>${batch}</BtchBookg>`}`,
    `<ReqdExctnDt>${day}</ReqdExctnDt><Dbtr><Nm>ÖRNEK A.Ş.</Nm></Dbtr><DbtrAcct><Id><IBAN>${from}</IBAN></Id></DbtrAcct>`,
    `<DbtrAgt><FinInstnId><Nm>Banka</Nm></FinInstnId></DbtrAgt>`,
    ...transfers,
    '</PmtInf></CstmrCdtTrfInitn></Document>',
  ].join('\n')
}
