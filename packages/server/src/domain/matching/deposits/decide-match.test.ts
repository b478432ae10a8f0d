import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findReferenceCodes } from '../../../kernel/reference-code.ts'
import type { Decision } from './decide-match.ts'
import { decideMatch } from './decide-match.ts'
import type { Candidate, LineFacts } from './score-match.ts'
import type { MatchingPolicy } from '../../merchants/index.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const CREATED = Date.parse('2026-03-16T09:00:00Z')
const EXPIRES = CREATED + 30 * MINUTE
const at = (ms: number) => new Date(ms)
const WALLET = 'PAPARA ELEKTRONİK PARA A.Ş.'

const LINE: LineFacts = {
  collectingAccountId: 'acc',
  amount: 10_000n,
  direction: 'credit',
  bookedAt: at(CREATED + 10 * MINUTE),
  senderName: 'AYŞE YILMAZ',
  fromOwnAccount: false,
  narrative: 'K7QV4TD5',
}

/** A deposit of 100 TL with the code K7QV4TD5; `p` overrides the policy. */
type Named = Candidate & { referenceCode: string }
type Differs = Partial<Named> & { p?: Partial<MatchingPolicy> }

function deposit({ p, ...differs }: Differs): Named {
  return {
    merchantId: 'm',
    id: 'd1',
    referenceCode: 'K7QV4TD5',
    how: 'word',
    status: 'pending',
    amount: 10_000n,
    receivedAmount: 0n,
    flags: [],
    customerName: 'Ayşe Yılmaz',
    accounts: ['acc'],
    createdAt: at(CREATED),
    expiresAt: at(EXPIRES),
    policy: { amount: 'exact', tolerance: 0n, late: 'complete', nameCheck: 'off', ...p },
    ...differs,
  }
}

/** Like the caller: codes from the text, and deposits by code. */
function decide(line: Partial<LineFacts>, deposits: Differs[]): Decision {
  const facts = { ...LINE, ...line }
  const codes = findReferenceCodes(facts.narrative)
  const named = deposits
    .map(deposit)
    .flatMap((one) => codes.filter(({ code }) => code === one.referenceCode).map(({ how }) => ({ ...one, how })))
  return decideMatch(facts, named, codes.length)
}

/** The bank gives the day of the deposit, or one `later`, and no time. */
function onDay(narrative: string, later: number): Partial<LineFacts> {
  return { narrative, wholeDay: true, bookedAt: at(Date.parse('2026-03-16T00:00:00+03:00') + later) }
}

/** `complete exact 10000 late` or `suspense duplicate of d1`. */
function inWords(decision: Decision): string {
  const { verdict, why } = decision
  if (decision.verdict === 'needs_review') return `${verdict} ${why}`
  if (decision.verdict !== 'suspense') return [verdict, why, decision.receivedAmount, ...decision.flags].join(' ')
  const of = decision.duplicateOf ? ` of ${decision.duplicateOf.id}` : ''
  return `${verdict} ${why}${of}`
}

const EXACT = 'complete exact 10000'
const second = { id: 'd2', referenceCode: 'EFGH567S' }
const expired = { status: 'expired' } as const
const part = { status: 'processing', receivedAmount: 6_000n, flags: ['underpaid'] } as const satisfies Differs
const full = { status: 'processing', receivedAmount: 10_000n } as const
const tolerant: Differs = { p: { amount: 'tolerance', tolerance: 100n } }
const taking: Differs = { p: { amount: 'accept_received' } }
const warn: Differs = { p: { nameCheck: 'warn' } }
const require: Differs = { p: { nameCheck: 'require' } }
const review: Differs = { ...expired, p: { late: 'review' } }
const pastBy = (ms: number) => ({ bookedAt: at(EXPIRES + ms) })
const text = (narrative: string) => ({ narrative })
const from = (senderName: string, narrative = 'K7QV4TD5') => ({ senderName, narrative })
const pays = (amount: bigint) => ({ amount })

type Row = [name: string, line: Partial<LineFacts>, deposits: Differs[], expected: string]

const REFERENCE: Row[] = [
  ['code alone', {}, [{}], EXACT],
  ['code, from our own account', { fromOwnAccount: true }, [{}], 'suspense own_transfer'],
  [
    'two codes, from our own account',
    { fromOwnAccount: true, ...text('K7QV4TD5 EFGH567S') },
    [{}, second],
    'suspense own_transfer',
  ],
  ['no code, from our own account', { fromOwnAccount: true, ...text('VIRMAN') }, [{}], 'suspense own_transfer'],
  ['code among words', text('FAST GELEN K7QV4TD5 AYSE YILMAZ'), [{}], EXACT],
  ['lower case', text('k7qv4td5 için ödeme'), [{}], EXACT],
  ['written in two groups', text('K7QV-4TD5'), [{}], EXACT],
  ['Turkish letters in the code', text('şçğ4zken'), [{ referenceCode: 'SCG4ZKEN' }], EXACT],
  ['decomposed Turkish letters', text('S\u0327C\u0327G\u03064ZKEN'), [{ referenceCode: 'SCG4ZKEN' }], EXACT],
  ['other deposits are no matter', {}, [second, {}, { id: 'd3', referenceCode: 'SCG4ZKEN' }], EXACT],
  ['the code twice', text('K7QV4TD5 K7QV4TD5'), [{}], EXACT],
  ['a second code of nobody', text('K7QV4TD5 EFGH567S'), [{}], EXACT],
  ['two codes of two deposits', text('K7QV4TD5 EFGH567S'), [{}, second], 'suspense ambiguous'],
  ['two, one closed', text('EFGH567S K7QV4TD5'), [{}, { ...second, status: 'completed' }], 'suspense ambiguous'],
  ['two, one elsewhere', text('EFGH567S K7QV4TD5'), [{}, { ...second, accounts: [] }], 'suspense ambiguous'],
  ['two of two merchants', {}, [{}, { id: 'd2', merchantId: 'n' }], 'suspense ambiguous'],
  ['glued, amount right', text('FASTK7QV4TD5REF'), [{}], EXACT],
  ['glued, rest right', { ...text('xxK7QV4TD5xx'), amount: 4_000n }, [part], 'complete rest_arrived 10000'],
  ['glued, short', { ...text('xxK7QV4TD5xx'), amount: 9_999n }, [{}], 'suspense uncertain_reference'],
  ['glued, within tolerance', { ...text('xxK7QV4TD5xx'), amount: 9_999n }, [tolerant], 'suspense uncertain_reference'],
  ['glued, any amount taken', { ...text('xxK7QV4TD5xx'), amount: 9_999n }, [taking], 'suspense uncertain_reference'],
  ['glued, wrong account', text('xxK7QV4TD5xx'), [{ accounts: ['b'] }], 'suspense uncertain_reference'],
  ['glued, already paid', text('xxK7QV4TD5xx'), [{ status: 'completed' }], 'suspense duplicate of d1'],
  [
    'glued, other amount, already paid',
    { ...text('xK7QV4TD5x'), amount: 1n },
    [{ status: 'completed' }],
    'suspense uncertain_reference',
  ],
  ['look-alike, amount right', text('K70V4TD5'), [{}], EXACT],
  ['look-alike, short', { ...text('K7QU4TD5'), amount: 1n }, [{}], 'suspense uncertain_reference'],
  ['code cut by the bank', from('FATMA KAYA', 'EFT K7QV4TD'), [{}], 'suspense no_reference'],
  ['code with a wrong character', from('FATMA KAYA', 'K7QV4TD6'), [{}], 'suspense no_reference'],
]

const NO_CODE: Row[] = [
  ['nothing known', text('kira'), [], 'suspense no_reference'],
  ['by code, on the day that the bank gives: not late', onDay('K7QV4TD5', 0), [{}], 'complete exact 10000'],
  ['by code, on the next day: late', onDay('K7QV4TD5', DAY), [{}], 'complete exact 10000 late'],
  ['all but the code fits', text('kira'), [{}], 'suspense no_reference'],
  ['the code of nobody, all else fits', text('EFGH567S'), [{}], 'suspense unknown_reference'],
]

const STATE: Row[] = [
  ['debit', { direction: 'debit' }, [{}], 'needs_review outgoing'],
  ['debit without code', { direction: 'debit', narrative: 'IADE' }, [], 'needs_review outgoing'],
  ['reversal written as a negative credit', pays(-10_000n), [{}], 'needs_review outgoing'],
  ['credit of nothing', pays(0n), [taking], 'needs_review outgoing'],
  ['wrong account', {}, [{ accounts: ['b'] }], 'suspense wrong_account'],
  ['no account assigned yet', {}, [{ accounts: [] }], 'suspense wrong_account'],
  ['an earlier account', {}, [{ accounts: ['b', 'acc'] }], EXACT],
  ['already completed', {}, [{ status: 'completed' }], 'suspense duplicate of d1'],
  ['already completed, other amount', pays(1n), [{ status: 'completed' }], 'suspense duplicate of d1'],
  ['cancelled', {}, [{ status: 'cancelled' }], 'suspense deposit_cancelled'],
  ['failed', {}, [{ status: 'failed' }], 'suspense deposit_failed'],
  ['late', pastBy(DAY), [expired], `${EXACT} late`],
  ['late, flag already there', pastBy(DAY), [{ ...expired, flags: ['late'] }], `${EXACT} late`],
  ['late at the last moment', pastBy(30 * DAY), [expired], `${EXACT} late`],
  ['too late', pastBy(30 * DAY + 1), [expired], 'suspense too_late'],
  ['late, to be reviewed', pastBy(DAY), [review], 'hold late_review 10000 late'],
  ['late and short', { ...pastBy(DAY), amount: 9_000n }, [expired], 'hold short 9000 underpaid late'],
  ['late and short, to be reviewed', { ...pastBy(DAY), amount: 1n }, [review], 'hold late_review 1 underpaid late'],
  [
    'rest of what is in review',
    pays(4_000n),
    [{ ...part, flags: ['underpaid', 'late'], p: { late: 'review' } }],
    'hold late_review 10000 late',
  ],
]

const AMOUNT: Row[] = [
  ['short', pays(9_999n), [{}], 'hold short 9999 underpaid'],
  ['over', pays(10_001n), [{}], 'hold over 10001 overpaid'],
  ['rest arrives', pays(4_000n), [part], 'complete rest_arrived 10000'],
  ['rest arrives late', pays(4_000n), [{ ...part, flags: ['late', 'underpaid'] }], 'complete rest_arrived 10000 late'],
  ['still short', pays(3_999n), [part], 'hold short 9999 underpaid'],
  ['rest and more', pays(4_001n), [part], 'hold over 10001 overpaid'],
  ['tolerance, lower edge', pays(9_900n), [tolerant], 'complete within_tolerance 9900 underpaid'],
  ['tolerance, below', pays(9_899n), [tolerant], 'hold short 9899 underpaid'],
  ['tolerance, upper edge', pays(10_100n), [tolerant], 'complete within_tolerance 10100 overpaid'],
  ['tolerance, above', pays(10_101n), [tolerant], 'hold over 10101 overpaid'],
  ['tolerance, exact', {}, [tolerant], EXACT],
  ['tolerance of nothing', pays(9_999n), [{ p: { amount: 'tolerance' } }], 'hold short 9999 underpaid'],
  ['tolerance on the total', pays(3_950n), [{ ...part, ...tolerant }], 'complete within_tolerance 9950 underpaid'],
  ['tolerance set, policy exact', pays(9_999n), [{ p: { tolerance: 100n } }], 'hold short 9999 underpaid'],
  ['less is taken', pays(1n), [taking], 'complete received_accepted 1 underpaid'],
  ['more is taken', pays(99_999n), [taking], 'complete received_accepted 99999 overpaid'],
  ['exact where all is taken', {}, [taking], EXACT],
  ['the full amount again while in review', {}, [full], 'hold over 20000 overpaid'],
  ['the same, where all is taken', {}, [{ ...full, ...taking }], 'hold over 20000 overpaid'],
  ['the same, within tolerance', pays(50n), [{ ...full, ...tolerant }], 'hold over 10050 overpaid'],
]

const THIRD = 'hold third_party_sender 10000 name_mismatch'

const NAME: Row[] = [
  ['not asked', from('FATMA KAYA'), [{}], EXACT],
  ['warn', from('FATMA KAYA'), [warn], `${EXACT} name_mismatch`],
  ['warn, flag already there', from('FATMA KAYA'), [{ ...warn, flags: ['name_mismatch'] }], `${EXACT} name_mismatch`],
  ['required', from('FATMA KAYA'), [require], THIRD],
  ['same surname', from('FATMA YILMAZ'), [require], THIRD],
  ['same first name', from('AYŞE KAYA'), [require], THIRD],
  [
    'required and short',
    { senderName: 'X Y', amount: 1n },
    [require],
    'hold third_party_sender 1 underpaid name_mismatch',
  ],
  ['required and late', from('X Y'), [{ ...expired, ...require }], 'hold third_party_sender 10000 late name_mismatch'],
  [
    'required wins over review',
    from('X Y'),
    [{ ...expired, p: { nameCheck: 'require', late: 'review' } }],
    'hold third_party_sender 10000 late name_mismatch',
  ],
  [
    'required, all is taken',
    { senderName: 'X Y', amount: 1n },
    [{ p: { nameCheck: 'require', amount: 'accept_received' } }],
    'hold third_party_sender 1 underpaid name_mismatch',
  ],
  ['first part of a stranger', pays(4_000n), [{ ...part, ...require, flags: ['name_mismatch'] }], THIRD],
  ['capitals without Turkish letters', from('AYSE YILMAZ'), [require], EXACT],
  ['lower case', from('ayşe yılmaz'), [require], EXACT],
  ['surname first', from('YILMAZ AYŞE'), [require], EXACT],
  ['second name', from('AYŞE NUR YILMAZ'), [require], EXACT],
  ['initial', from('A. YILMAZ'), [require], EXACT],
  ['cut by the bank', from('AYŞE YILM'), [require], EXACT],
  ['1254 read as latin1', from('ÝBRAHÝM IÞIK'), [{ ...require, customerName: 'İbrahim Işık' }], EXACT],
  ['wallet, name in the text', from(WALLET, 'Gönderen: AYŞE YILMAZ, K7QV4TD5'), [require], EXACT],
  ['wallet, no punctuation', from(WALLET, 'GONDEREN AYSE YILMAZ ACIKLAMA K7QV4TD5'), [require], EXACT],
  ['wallet, label and 1254', from(WALLET, 'Gönderen Adý: AYÞE YILMAZ / K7QV4TD5'), [require], EXACT],
  ['wallet, bank named first', from(WALLET, 'Gönderen Banka: X; Gönderen: Ayşe Yılmaz; K7QV4TD5'), [require], EXACT],
  ['wallet as one word', from('PAPARA', 'K7QV4TD5 gönderen ayşe yılmaz'), [require], EXACT],
  ['wallet, another name', from(WALLET, 'Gönderen: FATMA KAYA K7QV4TD5'), [require], THIRD],
  [
    'wallet, customer named after the sender',
    from(WALLET, 'Gönderen: FATMA KAYA - AYŞE YILMAZ K7QV4TD5'),
    [require],
    THIRD,
  ],
  ['the same without punctuation', from(WALLET, 'GONDEREN FATMA KAYA AYSE YILMAZ K7QV4TD5'), [require], THIRD],
  ['wallet, no name', from(WALLET), [require], THIRD],
  ["a stranger writes the customer's name", from('FATMA KAYA', 'Gönderen: AYŞE YILMAZ K7QV4TD5'), [require], THIRD],
  ['no sender, name in the text', from('', 'GÖNDEREN:AYŞE YILMAZ REF:K7QV4TD5'), [require], EXACT],
  ['no name at all, warn', from(''), [warn], EXACT],
  ['no name at all, required', from(''), [require], THIRD],
]

for (const [subject, rows] of Object.entries({ REFERENCE, NO_CODE, STATE, AMOUNT, NAME })) {
  for (const [name, line, deposits, expected] of rows) {
    test(`${subject.toLowerCase().replace('_', ' ')}: ${name}`, () => {
      assert.equal(inWords(decide(line, deposits)), expected)
    })
  }
}
