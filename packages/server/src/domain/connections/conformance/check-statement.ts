import type { Said } from '../../../platform/refusal.ts'
import type { BankApiCaller } from '../bank-api.ts'
import { note } from '../../../kernel/refusals/note.ts'
import type { ConnectionCheck } from '../connection.ts'
import { readPage } from '../read-page.ts'
import { ask, judged, shownAnswer } from './ask-bank.ts'

/** What is wrong with a page. */
type Wrong = string | Said
type Page = { lines: unknown[]; cursor: string; more: boolean }

const PAGE = 500
/** Of a small page, so that a short statement has several. */
const SMALL = 2
/** Pages that are read at most: a statement may have years. */
const MAX_PAGES = 10

const isWrong = (page: Page | Wrong): page is Wrong => typeof page === 'string' || 'why' in page
const sameLine = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Rules of `GET /api/statement`. Reads only. */
export async function checkStatement(call: BankApiCaller): Promise<ConnectionCheck[]> {
  const first = await readRaw(call, '0', PAGE)
  const shape = judged(
    'statement page',
    'HTTP 200 and a JSON object with a list `lines`, a text `cursor` and `more`, true or false',
    isWrong(first) ? first : null,
    isWrong(first) ? '' : `${first.lines.length} line(s), more: ${first.more}`,
  )
  if (isWrong(first)) return [shape]
  return [
    shape,
    checkFields(first),
    await checkLimit(call, first),
    await checkSameAgain(call, first),
    ...(await checkPaging(call, first)),
    await checkEnd(call, first),
  ]
}

async function readRaw(call: BankApiCaller, cursor: string, limit: number): Promise<Page | Wrong> {
  const said = await ask(call, `statement?since=${encodeURIComponent(cursor)}&limit=${limit}`)
  if (said.status !== 200) return shownAnswer(said)
  const read = readPage(said.body)
  if (read.outcome === 'unreachable') return read.why
  const page = said.body as Page
  return typeof page.more === 'boolean' ? page : '`more` is neither true nor false'
}

function checkFields(page: Page): ConnectionCheck {
  const read = readPage(page)
  const unread = read.outcome === 'read' ? read.unread.filter(({ why }) => why.why !== 'unread_amount_zero') : []
  const named = unread.slice(0, 3).map(({ raw, why }) => note('check_line_unreadable', { why, raw: raw.slice(0, 120) }))
  return judged(
    'statement fields',
    'every line with account, reference, amount in kuruş, direction, valueDate and bookedAt of the right type',
    named.length > 0 ? note('check_lines_unreadable', { count: unread.length, lines: named }) : null,
    page.lines.length > 0 ? `${page.lines.length} line(s) read` : 'no lines yet, so nothing was checked',
  )
}

async function checkLimit(call: BankApiCaller, first: Page): Promise<ConnectionCheck> {
  const page = await readRaw(call, '0', 1)
  const wrongOf = ({ lines, more }: Page) => {
    if (lines.length > 1) return `${lines.length} lines with limit=1`
    return first.lines.length > 1 && !more ? '`more` is false, but more lines follow' : null
  }
  const expected = 'at most `limit` lines, and `more` true if others follow'
  return judged('statement limit', expected, isWrong(page) ? page : wrongOf(page))
}

/** New lines may be added at the end meanwhile, and nowhere else. */
async function checkSameAgain(call: BankApiCaller, first: Page): Promise<ConnectionCheck> {
  const again = await readRaw(call, '0', PAGE)
  const wrongOf = ({ lines }: Page) => {
    const at = first.lines.findIndex((line, index) => !sameLine(line, lines[index]))
    return at < 0
      ? null
      : `line ${at + 1} differs the second time: ${JSON.stringify(lines[at])?.slice(0, 120) ?? 'none'}`
  }
  const expected = 'the same cursor gives the same lines in the same order, each time'
  return judged('statement is stable', expected, isWrong(again) ? again : wrongOf(again))
}

async function checkPaging(call: BankApiCaller, first: Page): Promise<ConnectionCheck[]> {
  const lines: unknown[] = []
  const cursors = new Set(['0'])
  let cursor = '0'
  let stuck: Wrong | null = null
  for (let count = 0; count < MAX_PAGES && stuck === null; count++) {
    const page = await readRaw(call, cursor, SMALL)
    if (isWrong(page)) stuck = page
    else {
      lines.push(...page.lines)
      if (!page.more) break
      if (cursors.has(page.cursor)) stuck = `the cursor ${page.cursor} came twice while \`more\` was true`
      cursors.add((cursor = page.cursor))
    }
  }
  const compared = Math.min(lines.length, first.lines.length)
  const at = lines.slice(0, compared).findIndex((line, index) => !sameLine(line, first.lines[index]))
  const differs = at < 0 ? null : `line ${at + 1} of the small pages is not line ${at + 1} of the large page`
  return [
    judged('statement cursor progresses', 'each page that has `more` gives a cursor that was not given before', stuck),
    judged('statement pages fit', 'small pages give the same lines as a large one: each once, in order', differs),
  ]
}

/** Reads to the end, then once more from there. */
async function checkEnd(call: BankApiCaller, first: Page): Promise<ConnectionCheck> {
  const expected = 'after the last cursor come only new lines, none that was given before'
  let page = first
  for (let count = 0; page.more && count < MAX_PAGES; count++) {
    const next = await readRaw(call, page.cursor, PAGE)
    if (isWrong(next)) return judged('statement end', expected, next)
    page = next
  }
  if (page.more) return judged('statement end', expected, null, `not reached in ${MAX_PAGES} pages`)
  const after = await readRaw(call, page.cursor, PAGE)
  if (isWrong(after)) return judged('statement end', expected, after)
  const repeated = after.lines.find((line) => page.lines.some((before) => sameLine(line, before)))
  const wrong = repeated === undefined ? null : `given again: ${JSON.stringify(repeated).slice(0, 120)}`
  return judged('statement end', expected, wrong)
}
