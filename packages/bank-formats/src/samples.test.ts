import assert from 'node:assert/strict'
import { createReadStream, existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { BankFileError, readCamt, readMt940 } from './index.ts'
import type { StatementEvent, StatementLine, StatementReader } from './index.ts'

// Public files that are not part of the project, compared with what simple patterns find in their text.

const FOLDER = process.env['VEZNE_SAMPLES'] ?? join(import.meta.dirname, '../../../../shared/samples')
const skip = existsSync(FOLDER)
  ? false
  : `skipped: there is no folder of public samples (${FOLDER}, or set VEZNE_SAMPLES)`
const samples = (pattern: string) =>
  globSync(pattern, { cwd: FOLDER })
    .toSorted()
    .map((file) => join(FOLDER, file))

type Read = { events: StatementEvent[]; error: BankFileError | null }

async function read(reader: StatementReader, file: string): Promise<Read> {
  const events: StatementEvent[] = []
  try {
    for await (const event of reader(createReadStream(file))) events.push(event)
  } catch (error) {
    if (error instanceof BankFileError) return { events, error }
    throw error
  }
  return { events, error: null }
}

const cents = (text: string) => Math.round(Number(text.replace(',', '.')) * 100)

/** Sums of the lines of each statement, by statement. */
function sums(events: StatementEvent[]): number[] {
  const nets: number[] = []
  for (const event of events) {
    if (event.kind === 'head') nets.push(0)
    if (event.kind === 'line') nets.push((nets.pop() as number) + signed(event.line))
  }
  return nets
}

const signed = ({ direction, amount }: StatementLine) => Number(direction === 'credit' ? amount : -amount)

/** What a pattern finds in a camt statement. */
function camtFacts(statement: string) {
  const all = [...statement.matchAll(/<Ntry>.*?<Amt Ccy=["']([A-Z]+)["']>([\d.]+)<.*?<CdtDbtInd>(\w+)<.*?<\/Ntry>/gs)]
  const entries = all.map(([text, currency, amount, mark]) => ({
    currency,
    value: cents(amount as string) * (mark === 'CRDT' ? 1 : -1),
    details: [...text.matchAll(/<TxDtls>/g)].length,
  }))
  const balance = (type: string) => {
    const [, currency, amount, mark] =
      new RegExp(`<Cd>${type}</Cd>.*?<Amt Ccy="([A-Z]+)">([\\d.]+)<.*?<CdtDbtInd>(\\w+)<`, 's').exec(statement) ?? []
    return amount === undefined ? null : { currency, value: cents(amount) * (mark === 'CRDT' ? 1 : -1) }
  }
  const [opening, closing] = [balance('OPBD') ?? balance('PRCD'), balance('CLBD')]
  const net = entries.reduce((sum, { value }) => sum + value, 0)
  const isWrong =
    new Set(entries.map(({ currency }) => currency)).size > 1 ||
    (!/<LastPgInd>false|<PgNb>[^1]/.test(statement) &&
      opening &&
      closing &&
      closing.currency === opening.currency &&
      opening.value + net !== closing.value)
  return { entries, net, isWrong: Boolean(isWrong) }
}

test('camt samples: every entry with its amount; files that contradict themselves are refused', { skip }, async (t) => {
  for (const file of samples('camt/*.xml')) {
    const { events, error } = await read(readCamt, file)
    const statements = readFileSync(file, 'utf8').match(/<(Stmt|Rpt|Ntfctn)>.*?<\/\1>/gs) ?? []
    const facts = statements.map(camtFacts)
    const firstWrong = facts.findIndex(({ isWrong }) => isWrong)
    await t.test(basename(file), () => {
      if (statements.length === 0) return assert.match(error?.message ?? '', /the message has no statement/)
      if (firstWrong >= 0) return assert.match(error?.message ?? '', /lines are missing or wrong|found an entry in/)
      assert.equal(error, null)
      assert.deepEqual(
        sums(events),
        facts.map(({ net }) => net),
      )
      const opened = events.filter((event) => event.kind === 'line' && event.line.batch !== null).length
      const single = events.filter((event) => event.kind === 'line').length - opened
      const entries = facts.flatMap((fact) => fact.entries)
      const lines = (count: number) =>
        entries.reduce((sum, { details }) => sum + (details > 1 ? details : 1), 0) === count
      assert.ok(single + opened === entries.length || lines(single + opened), `${single} entries, ${opened} of batches`)
    })
  }
})

test('MT940 samples: every line with its amount; parts of messages are refused', { skip }, async (t) => {
  for (const file of samples('mt940/*')) {
    const { events, error } = await read(readMt940, file)
    const messages = readFileSync(file, 'utf8')
      .split(/^(?=:20:)/m)
      .filter((text) => text.includes(':20:'))
    const facts = messages.map((text) => {
      const lines = [...text.matchAll(/^:61:\d{6}(?:\d{4}| {4})?(R?)([CD])[A-Z]?([\d,]+)/gm)]
      const net = lines.reduce(
        (sum, [, back, mark, amount]) => sum + cents(amount as string) * ((mark === 'C') === (back === '') ? 1 : -1),
        0,
      )
      const [opening, closing] = ['60', '62'].map((tag) => {
        const [, mark, amount] = new RegExp(`^:${tag}[FM]:([CD])\\d{6}[A-Z]{3}([\\d,]+)`, 'm').exec(text) ?? []
        return amount === undefined ? Number.NaN : cents(amount) * (mark === 'C' ? 1 : -1)
      }) as [number, number]
      return { net, lines: lines.length, fits: opening + net === closing }
    })
    await t.test(basename(file), () => {
      if (messages.length === 0 || facts.some(({ fits }) => !fits))
        return assert.match(error?.message ?? '', /^line \d+: (?:the message has no|found :|the opening balance)/)
      assert.equal(error, null)
      assert.deepEqual(
        sums(events),
        facts.map(({ net }) => net),
      )
      assert.equal(
        events.filter(({ kind }) => kind === 'line').length,
        facts.reduce((sum, { lines }) => sum + lines, 0),
      )
    })
  }
})

test('fields of MT940 samples that are parts of messages are read inside of a message', { skip }, async () => {
  const field = (name: string) =>
    readFileSync(join(FOLDER, `mt940/wolph_mt940__${name}.sta`), 'utf8')
      .trim()
      .split('\n-')[0] as string
  const message = (account: string, opening: string, line: string, closing: string) =>
    [':20:X', account, ':28C:1', opening, line, closing].join('\n')
  const one = async (text: string) => {
    async function* bytes() {
      yield Buffer.from(text)
    }
    return Array.fromAsync(readMt940(bytes()))
  }
  for (const opening of field('betterplace_amount_formats').split('\n'))
    assert.equal(
      (await one(message(field('betterplace_currency_in_25'), opening, '', opening.replace('60F', '62F')))).length,
      2,
      opening,
    )
  for (const [line, closing] of [
    [field('betterplace_empty_entry_date'), '50,00'],
    [`${field('betterplace_empty_entry_date')}\n${field('betterplace_empty_86')}`, '50,00'],
  ] as const)
    assert.equal((await one(message(':25:1', ':60F:C110701EUR0,', line, `:62F:C110701EUR${closing}`))).length, 3)
  const [, details] = await one(
    message(
      field('cmxl_account_identification_iban'),
      ':60F:C140901EUR1,62',
      field('cmxl_statement_details'),
      ':62F:C140901EUR0,',
    ),
  )
  assert.ok(details?.kind === 'line')
  assert.equal(details.line.endToEndReference, 'TRX-0A4A47C3-F846-4729-8A1B-5DF620F')
  assert.equal(details.line.bankReference, '025498557/000001')
})
