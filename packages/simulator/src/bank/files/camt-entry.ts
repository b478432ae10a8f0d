import { localTime, UTC_OFFSET } from '../../time.ts'
import type { Booking } from '../bookings.ts'
import type { FileEntry } from './account-statement.ts'
import { pointAmount } from './amounts.ts'
import type { CamtVersion } from './camt.ts'
import { wrap } from './wrap.ts'
import { element, leaf } from './xml.ts'

/** Characters of one Ustrd. */
const TEXT_WIDTH = 140

/** Family and sub-family of payments (PMNT) or account management (ACMT). */
const CODES: Record<Booking['nature'], Record<Booking['direction'], [string, string, string]>> = {
  transfer: { credit: ['PMNT', 'RCDT', 'DMCT'], debit: ['PMNT', 'ICDT', 'DMCT'] },
  own_transfer: { credit: ['PMNT', 'RCDT', 'BOOK'], debit: ['PMNT', 'ICDT', 'BOOK'] },
  charge: { credit: ['ACMT', 'MCOP', 'CHRG'], debit: ['ACMT', 'MDOP', 'CHRG'] },
  tax: { credit: ['ACMT', 'MCOP', 'TAXE'], debit: ['ACMT', 'MDOP', 'TAXE'] },
  interest: { credit: ['ACMT', 'MCOP', 'INTR'], debit: ['ACMT', 'MDOP', 'INTR'] },
  return: { credit: ['PMNT', 'ICDT', 'RRTN'], debit: ['PMNT', 'RCDT', 'RRTN'] },
  storno: { credit: ['PMNT', 'ICDT', 'DMCT'], debit: ['PMNT', 'RCDT', 'DMCT'] },
}

type Options = { version: CamtVersion; withTimes: boolean }

export function camtEntry(entry: FileEntry, { version, withTimes }: Options): string {
  const { amount, currency, direction, reversal, bookedAt, number, details } = entry
  const local = localTime(bookedAt)
  const day = local.slice(0, 10)
  const booked = withTimes ? leaf('DtTm', `${local}${UTC_OFFSET}`) : leaf('Dt', day)
  const isBatch = details.length > 1
  return element('Ntry', [
    leaf(`Amt Ccy="${currency}"`, pointAmount(amount)),
    leaf('CdtDbtInd', markOf(direction)),
    reversal ? leaf('RvslInd', 'true') : '',
    version === '02' ? leaf('Sts', 'BOOK') : element('Sts', leaf('Cd', 'BOOK')),
    element('BookgDt', booked),
    element('ValDt', leaf('Dt', day)),
    leaf('AcctSvcrRef', number),
    transactionCode(entry),
    element('NtryDtls', [
      isBatch ? batch(entry) : '',
      ...details.map((detail) => `${isBatch ? '\n  ' : ''}${transaction(detail, version)}`),
    ]),
    isBatch ? leaf('AddtlNtryInf', entry.text) : '',
  ])
}

const markOf = (direction: Booking['direction']) => (direction === 'credit' ? 'CRDT' : 'DBIT')

function transactionCode({ nature, direction }: Booking): string {
  const [domain, family, subFamily] = CODES[nature][direction]
  const familyOf = element('Fmly', [leaf('Cd', family), leaf('SubFmlyCd', subFamily)])
  return element('BkTxCd', element('Domn', [leaf('Cd', domain), familyOf]))
}

function batch({ amount, currency, direction, details }: FileEntry): string {
  return element('Btch', [
    leaf('NbOfTxs', String(details.length)),
    leaf(`TtlAmt Ccy="${currency}"`, pointAmount(amount)),
    leaf('CdtDbtInd', markOf(direction)),
  ])
}

function transaction(booking: Booking, version: CamtVersion): string {
  const { number, endToEnd, amount, currency, direction, foreign, returned, text } = booking
  const money = leaf(`Amt Ccy="${currency}"`, pointAmount(amount))
  const instructed = foreign && element('InstdAmt', leaf(`Amt Ccy="${foreign.currency}"`, pointAmount(foreign.amount)))
  const amounts = [instructed ?? '', element('TxAmt', money)]
  return element('TxDtls', [
    element('Refs', [leaf('AcctSvcrRef', number), leaf('EndToEndId', endToEnd ?? 'NOTPROVIDED')]),
    // Version 2 has the amount only in its details.
    version === '02' ? '' : money + leaf('CdtDbtInd', markOf(direction)),
    version === '02' || foreign ? element('AmtDtls', amounts) : '',
    parties(booking, version),
    text === ''
      ? ''
      : element(
          'RmtInf',
          wrap(text, TEXT_WIDTH).map((part) => leaf('Ustrd', part)),
        ),
    returned === null ? '' : element('RtrInf', element('Rsn', leaf('Cd', returned))),
  ])
}

/** The other side only, which is what banks give. A storno names it as the payment did: a debtor. */
function parties({ direction, name, iban, reversal }: Booking, version: CamtVersion): string {
  if (name === '' && iban === '') return ''
  const role = (direction === 'credit') !== reversal ? 'Dbtr' : 'Cdtr'
  const party = leaf('Nm', name)
  return element('RltdPties', [
    name === '' ? '' : element(role, version === '02' ? party : element('Pty', party)),
    iban === '' ? '' : element(`${role}Acct`, element('Id', leaf('IBAN', iban))),
  ])
}
