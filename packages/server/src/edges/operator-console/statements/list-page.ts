import type { StatementFile } from '../../../domain/statements/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { livePart } from '../../web/console/live-part.ts'
import { dataTable, minute } from '../../web/console/parts.ts'
import { uploadForm } from '../../web/console/upload-form.ts'
import { enterLink } from '../entered/link.ts'
import type { Page, Viewer } from '../page.ts'
import { MAX_FILES, MAX_MEGABYTES } from './uploads.ts'
import { WORDS } from './words.ts'

export const PAGE_SIZE = 50

/** `files` has one too many if others follow. `forged`: ids of those that someone has written in SQL. */
export function statementsPage(
  viewer: Viewer,
  files: StatementFile[],
  forged: ReadonlySet<string>,
  before?: string,
): Page {
  const words = WORDS[viewer.language]
  const shown = files.slice(0, PAGE_SIZE)
  const last = files.length > PAGE_SIZE ? shown.at(-1)?.id : undefined
  const main = html`<h1>${words.title}</h1>
    <p class="lead">${words.lead}</p>
    ${upload(viewer)}
    <p class="more">${enterLink(viewer)}</p>
    <h2>${words.files}</h2>
    ${livePart('files', shown.length === 0 ? html`<p class="empty">${words.noFiles}</p>` : table(viewer, shown, forged))}
    ${last !== undefined && html`<p class="more"><a href="?before=${last}">${viewer.words.older}</a></p>`}`
  return {
    title: words.title,
    section: 'statements',
    main,
    at: `/statements${before === undefined ? '' : `?before=${before}`}`,
  }
}

function upload(viewer: Viewer): Html {
  const words = WORDS[viewer.language]
  const texts = {
    label: words.fileLabel,
    hint: words.fileHint(MAX_FILES, MAX_MEGABYTES),
    button: words.upload,
    sending: words.sending,
    several: true,
  }
  return uploadForm(viewer, 'statement.import', '/statements/upload', texts)
}

/** Instead of a preview: its file is not kept any more. */
export function gonePage(viewer: Viewer): Page {
  const words = WORDS[viewer.language]
  const main = html`<h1>${words.title}</h1>
    <p class="say bad">${words.gone}</p>
    ${upload(viewer)}`
  return { title: words.title, section: 'statements', main }
}

const LOOKS = { storing: 'busy', importing: 'busy', imported: 'good', undone: '' } as const

export const isStopped = ({ state, stoppedWhy }: StatementFile) => state === 'importing' && stoppedWhy !== null

export function stateOf({ language }: Viewer, file: StatementFile): Html {
  const words = WORDS[language]
  if (isStopped(file)) return html`<span class="state bad">${words.stoppedState}</span>`
  return html`<span class="state ${LOOKS[file.state]}">${words.states[file.state]}</span>`
}

function table(viewer: Viewer, files: StatementFile[], forged: ReadonlySet<string>): Html {
  const words = WORDS[viewer.language]
  return dataTable(
    words.files,
    [
      { label: words.file },
      { label: words.lineCount, isMoney: true },
      ...[words.state, words.format, words.connection, words.importedAt, words.by].map((label) => ({ label })),
    ],
    files.map((file) => ({
      href: `${viewer.root}/statements/${file.id}`,
      cells: [
        html`<a href="${viewer.root}/statements/${file.id}">${plainName(file.name)}</a>`,
        html`${file.lines ?? '–'}`,
        stateOf(viewer, file),
        html`${file.format}`,
        html`${file.connection}`,
        minute(file.importedAt ?? file.createdAt),
        forged.has(file.id) ? html`<span class="state bad">${words.unmarked}</span>` : html`${file.createdBy}`,
      ],
    })),
  )
}
