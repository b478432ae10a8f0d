import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInformation } from './mt-information.ts'
import { readMt940 } from './mt940.ts'
import { narrativeOf } from './narrative.ts'
import { readAll } from '../test/bytes-of.ts'

const read = (...lines: string[]) => {
  const { texts, ...rest } = readInformation(lines)
  return { ...rest, narrative: narrativeOf(texts) }
}
const NOTHING = { endToEndReference: null, counterpartyName: null, counterpartyIban: null, returned: null }

test('subfields: text, name, IBAN; a subfield of 27 characters goes on in the next', () => {
  assert.deepEqual(
    read(
      '166?00GUTSCHRIFT?100399?20EREF+EndToEndIdTFNR20004000?2101?22SVWZ+Siparis VZ-1 kargo ile?23 gelecek?24MTLG:x?30BANKTRIS?31TR330006100519786457841326?32Ayse Is?33ik?34000',
    ),
    {
      endToEndReference: 'EndToEndIdTFNR2000400001',
      counterpartyName: 'Ayse Isik',
      counterpartyIban: 'TR330006100519786457841326',
      returned: null,
      narrative: 'Siparis VZ-1 kargo ile gelecek MTLG:x GUTSCHRIFT',
    },
  )
})

test('subfields without references are all text; an account that is no IBAN is not taken', () => {
  assert.deepEqual(read('051?00HAVALE?20VZ-1 SIPARIS?21NO 5?310175526300?32ALI'), {
    ...NOTHING,
    counterpartyName: 'ALI',
    narrative: 'VZ-1 SIPARIS NO 5 HAVALE',
  })
})

test('subfields cut anywhere by line breaks, even inside of their number', () => {
  const text = '166?00GUTSCHRIFT?20SVWZ+VZ-1?31TR330006100519786457841326?32ALI VELI?34000'
  const expected = read(text)
  for (let at = 8; at < text.length; at++)
    assert.deepEqual(read(text.slice(0, at), text.slice(at)), expected, String(at))
})

test('EREF of NOTPROVIDED is none; KREF is the reference where there is no EREF', () => {
  assert.equal(read('166?20EREF+NOTPROVIDED?21SVWZ+x').endToEndReference, null)
  assert.equal(read('191?20KREF+OURS-1?21SVWZ+x').endToEndReference, 'OURS-1')
  assert.equal(read('EREF+E-1 KREF+K-1 SVWZ+rent of May').endToEndReference, 'E-1')
  assert.equal(read('EREF+E-1 KREF+K-1 SVWZ+rent of May').narrative, 'rent of May')
})

test('returns: the business code, with the reason in ?34; RTRN in the other forms', () => {
  assert.equal(read('159?00RETOURE?20EREF+X?34914').returned, '914')
  assert.equal(read('159?00RETOURE?20EREF+X').returned, '')
  assert.equal(read('166?00GUTSCHRIFT?34000').returned, null)
  assert.equal(read('/RTRN/AC04/NAME/Ali/REMI/iade').returned, 'AC04')
})

test('slashes: name, IBAN, reference and text', () => {
  assert.deepEqual(
    read('/TRTP/FAST/IBAN/TR330006100519786457841326/BIC/BANKTRIS/NAME/Ayse Isik/REMI/VZ-1 a/b/EREF/E-1'),
    {
      endToEndReference: 'E-1',
      counterpartyName: 'Ayse Isik',
      counterpartyIban: 'TR330006100519786457841326',
      returned: null,
      narrative: 'FAST VZ-1 a/b',
    },
  )
  assert.deepEqual(read('/EREF/NOTPROVIDED//CNTP/TR330006100519786457841326/BANKTRIS/Ali Veli///REMI/USTD//VZ-2/'), {
    ...NOTHING,
    counterpartyName: 'Ali Veli',
    counterpartyIban: 'TR330006100519786457841326',
    narrative: 'VZ-2',
  })
  assert.equal(read('/ORDP//NAME/Ali Veli/REMI/x').counterpartyName, 'Ali Veli')
  assert.equal(read('/ORDP/Ali Veli/REMI/x').counterpartyName, 'Ali Veli')
  assert.deepEqual(read('/PT/FT/PY/SOMETHING'), { ...NOTHING, narrative: '/PT/FT/PY/SOMETHING' })
})

test('plain text: a full line goes on in the next, a shorter one ends a word', () => {
  const full = `GÖNDEREN: AYŞE IŞIK ${'X'.repeat(45)}`
  assert.equal(full.length, 65)
  assert.equal(read(full, 'YZ VZ-1', 'SON').narrative, `${full}YZ VZ-1 SON`)
  assert.deepEqual(read('1234 nolu siparis?'), { ...NOTHING, narrative: '1234 nolu siparis?' })
  assert.deepEqual(read(), { ...NOTHING, narrative: '' })
})

const FULL = `:20:REF
:25:123456
:28C:7/1
:60F:C260130TRY1000,
:61:260131C100,50NTRFNONREF
:86:AYSE SIPARIS VZ-1
:62F:C260131TRY1100,50`

test('a line - ends a message only where a message may end', async () => {
  const narratives = async (file: string) =>
    (await readAll(readMt940, file)).map(({ entries }) => entries.map(({ narrative }) => narrative))
  const dashed = FULL.replace('VZ-1', 'VZ-1\n-\nKIRA\n- \n-')
  assert.deepEqual(await narratives(dashed), [['AYSE SIPARIS VZ-1 - KIRA - -']])
  assert.deepEqual(await narratives(`${dashed}\n-\nBANKTRIS\n940\n${FULL}\n-`), [
    ['AYSE SIPARIS VZ-1 - KIRA - -'],
    ['AYSE SIPARIS VZ-1'],
  ])
  // An MT942 may end with a text: what follows it decides.
  const interim = [':20:REF', ':25:123456', ':34F:TRY0,', ':61:260131D5,NTRFNONREF', ':86:GELEN'].join('\n')
  for (const end of ['', '\n-', '\n-\n\nBANKTRIS\n942\n'])
    assert.deepEqual(await narratives(`${interim}\n-\n${interim}${end}`), [['GELEN'], ['GELEN']])
  await assert.rejects(
    narratives(dashed.replace('KIRA', `${'x'.repeat(80)}\n`.repeat(200))),
    /too_long {"what":"field","most":8192}/,
  )
  await assert.rejects(
    narratives(`${dashed.replace(/\n:62F:.*/, '')}\n-\n${FULL}`),
    /message_unfinished {"end":\[":62F:"/,
  )
})
