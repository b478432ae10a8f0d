import { BANK_PROFILES } from '@vezne/bank-formats'
import { createHash } from 'node:crypto'
import type { CollectingAccount } from '../../../domain/banks/index.ts'
import type { FilePreview } from '../../../domain/statements/index.ts'
import { hasNothingNew, takesTwo } from '../../../domain/statements/index.ts'
import type { Upload } from '../../../domain/uploads/index.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { option } from '../../web/console/transaction-list.ts'
import type { Page, Viewer } from '../page.ts'
import { newLines } from './new-lines.ts'
import { previewFigures, sizeText } from './parts.ts'
import { unreadLines } from './unread-lines.ts'
import { WORDS } from './words.ts'

/** How the person wants the file read; null: as it says itself. */
export type ReadOptions = { account: string | null; profile: string | null }

/** What an import would do, so that only what a person saw is imported. */
export function seenHash({ sha256, findings, counts, statements }: FilePreview, { account, profile }: ReadOptions) {
  const figures = statements.map(({ account: of, lines, credits, debits, opening, closing, fromDay, toDay }) =>
    [of?.iban, lines, credits, debits, opening, closing, fromDay, toDay].map(String),
  )
  const seen = [sha256, account, profile, findings.map(({ severity, what }) => [severity, what]), counts, figures]
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 16)
}

type Previewed = { upload: Upload; options: ReadOptions; accounts: CollectingAccount[] }

export function previewPage(viewer: Viewer, { upload, options, accounts }: Previewed, preview: FilePreview): Page {
  const words = WORDS[viewer.language]
  const { counts, already } = preview
  const isDone = already?.state === 'imported'
  const isKnown = !isDone && hasNothingNew(preview)
  const main = html`${head(viewer, upload, !isDone)}
  ${isDone && html`<p class="say">${words.already} <a href="${viewer.root}/statements/${already.id}">${words.openFile}</a></p>`}
  ${isKnown && html`<p class="say">${words.nothingNew}</p>`} ${!isDone && body(viewer, upload, options, preview)}
  ${!isDone && optionsForm(viewer, options, accounts, counts.lines === 0 || preview.connection === null)}`
  return { title: plainName(upload.name), section: 'statements', main }
}

/** The file cannot be read: which line, and what was expected. */
export function refusedPage(
  viewer: Viewer,
  { upload, options, accounts, isTable }: Previewed & { isTable: boolean },
  why: string,
): Page {
  const words = WORDS[viewer.language]
  const main = html`${head(viewer, upload)}
    <div class="say bad" role="alert">
      <b>${words.refusedTitle}</b>
      <p lang="en">${plainName(why)}</p>
      <p>${isTable ? words.refusedLead : `${words.nothingImported} ${words.batchNoTable}`}</p>
    </div>
    ${isTable && optionsForm(viewer, options, accounts, true)}
    <p class="more"><a href="${viewer.root}/statements">${words.cancel}</a></p>`
  return { title: plainName(upload.name), section: 'statements', main }
}

function head({ language }: Viewer, { name }: Upload, isOpen = true): Html {
  const words = WORDS[language]
  return html`<p class="mild">${words.previewTitle}</p>
    <h1>${plainName(name)}</h1>
    ${isOpen && html`<p class="lead">${words.previewLead}</p>`}`
}

function body(viewer: Viewer, upload: Upload, options: ReadOptions, preview: FilePreview): Html {
  return html`${previewFigures(viewer, preview)} ${confirmForm(viewer, upload, options, preview)}
  ${preview.counts.new > 0 && newLines(viewer, preview)} ${unreadLines(viewer, preview)} ${fileFacts(viewer, preview)}`
}

function fileFacts({ language }: Viewer, { format, profile, connection, size, sha256 }: FilePreview): Html {
  const words = WORDS[language]
  return html`<h2>${words.file}</h2>
    <dl class="facts">
      <dt>${words.format}</dt>
      <dd>${format ?? '–'}</dd>
      <dt>${words.bank}</dt>
      <dd>${plainName(profile?.name ?? words.noProfile)}</dd>
      <dt>${words.connection}</dt>
      <dd>${connection ?? '–'}</dd>
      <dt>${words.size}</dt>
      <dd>${sizeText(size)}</dd>
      <dt>${words.fingerprint}</dt>
      <dd class="id">${sha256}</dd>
    </dl>`
}

function confirmForm(viewer: Viewer, { id }: Upload, options: ReadOptions, preview: FilePreview): Html {
  const words = WORDS[viewer.language]
  const isOfSource = preview.findings.some(({ severity, check }) => severity === 'refused' && check === 'source')
  const has = (severity: string) => preview.findings.some((one) => one.severity === severity)
  const cancel = html`<a class="button small plain" href="${viewer.root}/statements">${words.cancel}</a>`
  if (hasNothingNew(preview)) return html`<p class="more"><a href="${viewer.root}/statements">${words.toFiles}</a></p>`
  if (has('refused'))
    return html`<div class="say bad below" role="alert">
        <b>${words.refusedTitle}</b>
        <p>
          ${isOfSource ? html`${words.refusedSource} <a href="${viewer.root}/banks">${viewer.words.banks}</a>` : words.refusedLead}
        </p>
      </div>
      <div class="acts">${cancel}</div>`
  const fields = html`<input type="hidden" name="seen" value="${seenHash(preview, options)}" /> ${
      has('problem') &&
      html`<label class="field wide-field"
        >${words.acceptWhy}<input name="why" required minlength="5" maxlength="500"
      /></label>`
    }`
  const { new: fresh } = preview.counts
  const isForTwo = takesTwo(preview)
  const isProposal = isForTwo && !viewer.sandbox
  const label = isProposal
    ? words.proposeImport(fresh)
    : has('problem')
      ? words.importAnyway
      : fresh === 0
        ? words.importNothing
        : words.importNow(fresh)
  const chosen = new URLSearchParams(Object.entries(options).filter((one): one is [string, string] => one[1] !== null))
  const query = chosen.size > 0 ? `?${chosen.toString()}` : ''
  return html`${isForTwo && html`<p class="say">${isProposal ? words.twoPeople : words.twoPeopleInLive}</p>`}
    <div class="acts">
      ${decisionForm(viewer, 'statement.import', `/statements/uploads/${id}/import${query}`, fields, label)} ${cancel}
    </div>`
}

function optionsForm(
  { language }: Viewer,
  { account, profile }: ReadOptions,
  accounts: CollectingAccount[],
  isOpen: boolean,
): Html {
  const words = WORDS[language]
  return html`<details class="options" ${(isOpen || account !== null || profile !== null) && html`open`}>
    <summary>${words.options}</summary>
    <p class="hint">${words.optionsLead}</p>
    <form class="filters">
      <label class="field"
        >${words.account}
        <select name="account">
          ${option('', words.fromFile, account === null)}
          ${accounts.map(({ iban, bankName }) => option(iban, `${bankName} …${iban.slice(-4)}`, iban === account))}
        </select>
      </label>
      <label class="field"
        >${words.bank}
        <select name="profile">
          ${option('', words.automatic, profile === null)}
          ${Object.values(BANK_PROFILES).map(({ id, name }) => option(id, name, id === profile))}
        </select>
      </label>
      <button class="button small plain">${words.apply}</button>
    </form>
  </details>`
}
