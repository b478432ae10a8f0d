import type { Proposal, Difference, KindName, ShownProposal } from '../../../domain/proposals/index.ts'
import { approvalRight, KINDS } from '../../../domain/proposals/index.ts'
import type { Action } from '../../../domain/people/index.ts'
import { say } from '../../../acts/refusals/say.ts'
import type { Html } from '../../web/html.ts'
import { html, plainName } from '../../web/html.ts'
import { aboutOf, differences } from '../../web/console/proposals/differences.ts'
import { worded } from '../../web/console/codes/codes.ts'
import { PROPOSAL_WORDS } from '../../web/console/proposals/words.ts'
import { decisionForm } from '../../web/console/decision-form.ts'
import { age, minute } from '../../web/console/parts.ts'
import type { UnconfirmedLine } from '../../../domain/statements/index.ts'
import { unconfirmedMarks } from '../entered/origin.ts'
import type { MerchantNames } from '../names.ts'
import type { Viewer } from '../page.ts'
import { tryLink } from '../rules/page.ts'
import type { Lapsed } from './lapsed.ts'
import { lapsedMark } from './lapsed.ts'
import { WORDS } from './words.ts'

/** The oldest proposals that wait. `entries`: what journal entries would book. */
export function proposalCards(
  viewer: Viewer,
  { proposals, proposalsCount }: { proposals: ShownProposal[]; proposalsCount: number },
  merchants: MerchantNames,
  lapsed: Lapsed,
  unconfirmed: UnconfirmedLine[],
  entries: ReadonlyMap<string, Html>,
): Html {
  const words = WORDS[viewer.language]
  return html`<h2>${words.proposals}</h2>
    ${
      proposals.length === 0
        ? html`<p class="empty">${words.noProposals}</p>`
        : html`<div class="cards">
            ${proposals.map((one) => proposalCard(viewer, one, merchants, lapsed, unconfirmed, entries.get(one.id)))}
          </div>`
    }
    ${proposalsCount > proposals.length && html`<p class="say">${words.oldestOf(proposals.length, proposalsCount)}</p>`}`
}

export function proposalCard(
  viewer: Viewer,
  proposal: ShownProposal,
  merchants: MerchantNames,
  lapsed: Lapsed = new Map(),
  unconfirmed: UnconfirmedLine[] = [],
  entry?: Html,
): Html {
  const { language, now, root, words } = viewer
  const { id, kind, target, merchantId, proposedAt, rows } = proposal
  const whose = merchantId === null ? aboutOf(proposal) : (merchants.get(merchantId) ?? merchantId)
  const lineId = lineOf(proposal)
  const [, person] = /^operator:(.+)$/.exec(target) ?? []
  const ofPerson = person && kind !== 'operator.add' && `${root}/people/${person}`
  const ofStaff = placeOf(root, target) ?? ofPerson
  const href = merchantId === null ? ofStaff : `${root}/merchants/${merchantId}`
  const about = href ? html`<a href="${href}">${plainName(whose)}</a>` : html`${plainName(whose)}`
  return html`<article class="card" data-item="${id}">
    <div class="head">
      <b>${titleOf(viewer, proposal)} · ${about}</b>
      <span class="mild">${minute(proposedAt)} · ${age(proposedAt, now, words.age)}</span>
    </div>
    ${entry ?? differences(language, mayDecide(viewer, proposal) ? rows : rows.map(hidden))}
    ${
      !entry &&
      unconfirmedMarks(
        viewer,
        unconfirmed.filter((one) => one.id === lineId),
      )
    }
    ${proposerNote(viewer, proposal, whose, lapsed)}
    ${kind === 'statement.import' && viewer.may(kind) && html`<p class="more"><a href="${root}/statements/proposed/${id}">${WORDS[language].lookAtFile}</a></p>`}
    ${kind === 'rule.set' && tryLink(viewer, rows)} ${proposalForms(viewer, proposal, !lapsed.has(id))}
  </article>`
}

/** Of a journal entry with what it says of its lines. */
function titleOf({ language, words: { codes } }: Viewer, { kind, rows }: ShownProposal): string {
  const name = PROPOSAL_WORDS[language].kinds[kind as KindName] ?? kind
  const entry = rows.find(({ field }) => field === 'entry')?.after
  return typeof entry === 'string' ? `${name}: ${worded(codes.journal, entry)}` : name
}

const mayDecide = (viewer: Viewer, { kind }: ShownProposal) => viewer.may(rightOf(kind) ?? 'proposal.approve')

function rightOf(kind: string): Action | null {
  const known = KINDS[kind as KindName]
  return known ? approvalRight(known) : null
}

/** Who approves it compares personal data in full; two IBANs look alike when they are masked. */
const hidden = (row: Difference): Difference =>
  row.as === 'personal' && row.after !== null ? { ...row, after: '••••' } : row

/** Who decided about a proposal, and why: the script shows it on the card that is still on the screen. */
export function endedNotes({ language }: Viewer, proposals: EndedProposal[]): Html {
  const { ended } = WORDS[language]
  return html`<ul hidden>
    ${proposals.map(({ id, state, decidedBy, note }) => {
      const what = state === 'open' || state === 'expired' ? '' : ended[state](decidedBy ?? '')
      return html`<li data-ended="${id}">${what}${note === null ? '.' : `: ${plainName(note)}`}</li>`
    })}
  </ul>`
}

export type EndedProposal = Pick<Proposal, 'id' | 'state' | 'decidedBy' | 'note'>

/** The page of what it is about. */
function placeOf(root: string, target: string): string | undefined {
  const [, kind = '', id = ''] = /^(line|day|deposit|withdrawal):(.+)$/.exec(target) ?? []
  const pages: Record<string, string> = {
    line: 'matching',
    day: 'books',
    deposit: 'transactions',
    withdrawal: 'transactions',
  }
  return pages[kind] && `${root}/${pages[kind]}/${id}`
}

/** The bank line that it is about. */
export const lineOf = ({ target }: Pick<ShownProposal, 'target'>) => /^line:([0-9a-f]{24})$/.exec(target)?.[1]

/** Who proposed it, and why. */
export function proposerNote(viewer: Viewer, proposal: ShownProposal, whose: string, lapsed: Lapsed): Html {
  return html`<p>
    <span class="mild">${viewer.words.proposedBy}</span>
    ${proposer(viewer, proposal, whose)}${lapsedMark(viewer, proposal.isForged ? 'noMark' : lapsed.get(proposal.id))}:
    ${plainName(proposal.reason ?? WORDS[viewer.language].noReason)}
  </p>`
}

/** A user of the merchant is stored by the id of the login. */
function proposer({ language }: Viewer, { proposedBy }: ShownProposal, merchant: string): string {
  return proposedBy.startsWith('merchant:') ? WORDS[language].userOf(plainName(merchant)) : proposedBy
}

/** Bound to what is shown. Own proposals cannot be approved, only withdrawn. `mayApprove`: nothing else is against it. */
export function proposalForms(
  viewer: Viewer,
  { id, kind, seenSha256, proposedBy, isStale, refused, isForged }: ShownProposal,
  mayApprove = true,
): Html {
  const { words, name, language } = viewer
  const isOwn = proposedBy === name
  const seen = html`<input type="hidden" name="seen" value="${seenSha256}" />`
  const why = html`<label class="field">${words.why}<input name="why" required minlength="5" maxlength="200" /></label>`
  const right = rightOf(kind)
  const decider = {
    ...viewer,
    may: (one: Action) => viewer.may(one) && viewer.may(right ?? one),
    needs: (one: Action) => viewer.needs(one, right ?? one),
  }
  const label = isOwn ? WORDS[language].withdraw : words.reject
  return html`${isOwn && html`<p class="mild">${words.ownProposal}</p>`}
    ${isStale && html`<p class="say bad">${WORDS[language].stale} ${refused && plainName(say(language, refused))}</p>`}
    <div class="acts">
      ${!isOwn && !isStale && !isForged && mayApprove && decisionForm(decider, 'proposal.approve', `/proposals/${id}/approve`, seen, words.approve)}
      ${decisionForm(isOwn ? viewer : decider, 'proposal.reject', `/proposals/${id}/reject`, why, label, 'danger')}
    </div>`
}
