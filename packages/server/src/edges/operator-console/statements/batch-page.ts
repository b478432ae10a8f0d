import type { Previewed, ShownFile } from '../../../domain/statements/index.ts'
import { hasNothingNew, takesTwo } from '../../../domain/statements/index.ts'
import type { Upload } from '../../../domain/uploads/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { dataTable } from '../../web/console/parts.ts'
import { refusalText } from '../../../acts/refusals/say.ts'
import type { AccountName } from '../names.ts'
import type { Page, Viewer } from '../page.ts'
import type { ShownFinding } from './parts.ts'
import { findingName, findingsList, periodText } from './parts.ts'
import { seenHash } from './preview-page.ts'
import { WORDS } from './words.ts'

/** `proposal`: its id, if the viewer has proposed to import it. `isTable`: another layout may read it. */
export type BatchFile = Previewed<{ upload: Upload; name: string }> & { proposal: string | null; isTable: boolean }

export const batchAddress = (uploads: { id: string }[]) =>
  `/statements/uploads?of=${uploads.map(({ id }) => id).join(',')}`

export const seenOf = (one: BatchFile) =>
  'preview' in one ? seenHash(one.preview, { account: null, profile: null }) : null

/** What becomes of a file: `problem` needs a reason, `refused` another file, `twoPeople` and `proposed` a second person, the others nothing. */
type State = 'clean' | 'twoPeople' | 'proposed' | 'problem' | 'refused' | 'busy' | 'imported' | 'nothingNew' | 'same'

function stateOf(one: BatchFile, { sandbox }: Viewer): State {
  if ('refused' in one) return 'refused'
  const { preview, sameAs, isClean } = one
  const { already } = preview
  if (already?.state === 'importing') return 'busy'
  if (sameAs !== null) return 'same'
  if (already?.importedAt && already.importedAt >= one.content.upload.createdAt) return 'imported'
  if (hasNothingNew(preview)) return 'nothingNew'
  if (one.proposal !== null) return 'proposed'
  if (!sandbox && isClean && takesTwo(preview)) return 'twoPeople'
  if (isClean) return 'clean'
  return preview.findings.some(({ severity }) => severity === 'refused') ? 'refused' : 'problem'
}

/** Whether the one button of the page is for it. */
export const isReady = (one: BatchFile, viewer: Viewer) => ['clean', 'twoPeople'].includes(stateOf(one, viewer))

/** What is stored of imported files, by id: their preview has none of it. */
export type Imported = { files: ReadonlyMap<string, ShownFile>; accountName: AccountName }

/** Several files in one preview: one click imports, or in live proposes, those without a problem. */
export function batchPage(viewer: Viewer, files: BatchFile[], imported: Imported): Page {
  const words = WORDS[viewer.language]
  const withState = files.map((one) => ({ one, state: stateOf(one, viewer) }))
  const ready = files.filter((one) => isReady(one, viewer))
  const open = withState.filter(({ state }) => ['problem', 'refused'].includes(state))
  const path = `/statements/uploads/import?of=${files.map(({ content }) => content.upload.id).join(',')}`
  const title = words.filesTitle(files.length)
  const main = html`<p class="mild"><a href="${viewer.root}/statements">${words.title}</a></p>
    <h1>${title}</h1>
    <p class="lead">${words.batchLead}</p>
    ${table(viewer, withState, imported)}
    ${ready.length > 0 ? importForm(viewer, path, ready) : done(viewer, open.length)}
    ${open.length > 0 && html`<h2>${words.openFiles}</h2>`}
    <div class="cards">${open.map(({ one }) => openCard(viewer, path, one))}</div>`
  return { title, section: 'statements', main }
}

const LOOKS: Record<State, string> = {
  ...{
    clean: 'good',
    twoPeople: 'good',
    proposed: 'busy',
    problem: 'bad',
    refused: 'bad',
    busy: 'busy',
    imported: 'good',
    nothingNew: '',
    same: '',
  },
}

function table(viewer: Viewer, files: { one: BatchFile; state: State }[], imported: Imported): Html {
  const words = WORDS[viewer.language]
  const { root } = viewer
  const { lines, new: fresh, known } = words.counts
  const figures = [lines, fresh, known].map((label) => ({ label, isMoney: true }))
  return dataTable(
    words.file,
    [
      { label: words.file },
      { label: words.account },
      { label: words.period },
      ...figures,
      { label: words.checksTitle },
    ],
    files.map(({ one, state }) => {
      const { upload } = one.content
      const preview = 'preview' in one ? one.preview : null
      const already = preview?.already
      const href = already ? `${root}/statements/${already.id}` : `${root}/statements/uploads/${upload.id}`
      const stored = imported.files.get(already?.id ?? '')
      const counts = preview && state !== 'imported' && already?.state !== 'imported' ? preview.counts : stored?.counts
      const all = already?.lines ?? '–'
      return {
        href,
        cells: [
          html`<a href="${href}">${plainName(upload.name)}</a>`,
          html`${(stored ? accountsIn(stored, imported.accountName) : accountsOf(one, words.notOurs)) || '–'}`,
          html`${stored ? periodIn(stored.statements) : periodOf(one)}`,
          html`${preview && !stored ? preview.counts.lines : all}`,
          html`${state === 'nothingNew' ? 0 : (counts?.new ?? '–')}`,
          html`${state === 'nothingNew' ? all : (counts?.known ?? '–')}`,
          html`<span class="state ${LOOKS[state]}">${stateLink(viewer, one, state)}</span>`,
        ],
      }
    }),
  )
}

function stateLink(viewer: Viewer, one: BatchFile, state: State): Html {
  const text = stateText(viewer, one, state)
  if (state !== 'proposed') return html`${text}`
  return html`<a href="${viewer.root}/statements/proposed/${one.proposal}">${text}</a>`
}

function stateText({ language }: Viewer, one: BatchFile, state: State): string {
  const { batchStates, checks } = WORDS[language]
  if (state === 'problem' && 'preview' in one)
    return batchStates.problem(one.preview.findings.filter(({ severity }) => severity === 'problem').length)
  if (state === 'same' && 'preview' in one) return batchStates.same(plainName(one.sameAs ?? ''))
  if (state === 'problem' || state === 'same') return ''
  const notes = 'preview' in one ? one.preview.findings.filter(({ severity }) => severity === 'note') : []
  if (notes.length === 0 || (state !== 'clean' && state !== 'twoPeople')) return batchStates[state]
  const names = [...new Set(notes.map((note) => checks[findingName(note)]))].join(', ')
  return `${batchStates[state]} · ${batchStates.notes(notes.length)}: ${names}`
}

function accountsOf(one: BatchFile, notOurs: string): string {
  if ('refused' in one) return ''
  const names = one.preview.statements.map(({ account }) =>
    account ? `${account.bankName} …${account.iban.slice(-4)}` : notOurs,
  )
  return [...new Set(names)].join(', ')
}

function periodOf(one: BatchFile): string {
  if ('refused' in one) return '–'
  return periodIn(one.preview.statements)
}

function periodIn(statements: { fromDay: string | null; toDay: string | null }[]): string {
  const days = statements.flatMap(({ fromDay, toDay }) => [fromDay ?? [], toDay ?? []].flat()).toSorted()
  return periodText({ fromDay: days[0] ?? null, toDay: days.at(-1) ?? null })
}

const accountsIn = ({ statements }: ShownFile, accountName: AccountName) =>
  [...new Set(statements.map(({ collectingAccountId }) => accountName(collectingAccountId) ?? ''))].join(', ')

const seenField = (one: BatchFile) =>
  html`<input type="hidden" name="seen-${one.content.upload.id}" value="${seenOf(one)}" />`

function importForm(viewer: Viewer, path: string, ready: BatchFile[]): Html {
  const words = WORDS[viewer.language]
  const lines = ready.reduce((sum, one) => sum + ('preview' in one ? one.preview.counts.new : 0), 0)
  const isProposal = ready.some((one) => stateOf(one, viewer) === 'twoPeople')
  const label = (isProposal ? words.proposeFiles : words.importFiles)(ready.length, lines)
  return html`${isProposal && html`<p class="say">${words.twoPeopleFiles}</p>`}
    <div class="acts">
      ${decisionForm(viewer, 'statement.import', path, html`${ready.map(seenField)}`, label)}
      <a class="button small plain" href="${viewer.root}/statements">${words.cancel}</a>
    </div>`
}

function done(viewer: Viewer, open: number): Html {
  const words = WORDS[viewer.language]
  return html`<p class="more">
    ${open === 0 && words.nothingLeft} <a href="${viewer.root}/statements">${words.toFiles}</a>
  </p>`
}

/** A file that is not imported with the others: what was found, and what to do about it. */
function openCard(viewer: Viewer, path: string, one: BatchFile): Html {
  const words = WORDS[viewer.language]
  const { upload } = one.content
  const alone = html`<a href="${viewer.root}/statements/uploads/${upload.id}">${words.openAlone}</a>`
  const isProposal = !viewer.sandbox && 'preview' in one && takesTwo(one.preview)
  const findings: ShownFinding[] =
    'refused' in one
      ? [{ severity: 'refused', what: refusalText(viewer.language, one.refused) }]
      : one.preview.findings.filter(({ severity, check }) => severity !== 'note' || check === 'proof')
  const isRefused = findings.some(({ severity }) => severity === 'refused')
  const advice = 'refused' in one && !one.isTable ? words.batchNoTable : words.batchRefused
  const fields = html`<input type="hidden" name="only" value="${upload.id}" />${seenField(one)}
    <label class="field wide-field"
      >${words.acceptWhy}<input name="why" required minlength="5" maxlength="500"
    /></label>`
  return html`<article class="card">
    <div class="head"><h3>${plainName(upload.name)}</h3></div>
    ${findingsList(viewer, findings)}
    <p class="hint spaced">${isRefused ? advice : words.batchProblem} ${alone}</p>
    ${!isRefused && html`<div class="acts">${decisionForm(viewer, 'statement.import', path, fields, isProposal ? words.proposeAnyway : words.importAnyway)}</div>`}
  </article>`
}
