import type { ShownProposal, TermsOf } from '../../../domain/proposals/index.ts'
import { approveProposal, proposalsOfMerchant, rejectProposal, makeProposal } from '../../../domain/proposals/index.ts'
import {
  listKeys,
  newestSecret,
  rejectedAddresses,
  revokeKey,
  revokeOldSecret,
  rotateKey,
  rotateSecret,
  showMerchant,
} from '../../../domain/merchants/index.ts'
import type { EndpointHealth } from '../../../domain/webhooks/index.ts'
import {
  disableEndpoint,
  enableEndpoint,
  listEndpoints,
  listEvents,
  recordTestEvent,
} from '../../../domain/webhooks/index.ts'
import { actorName } from '../../../kernel/actor.ts'
import { invalidField } from '../../../platform/refusal.ts'
import { html } from '../../web/html.ts'
import type { Shown } from '../../web/console/routes.ts'
import type { Asked, MerchantDeps, Section } from '../kind.ts'
import { field, own } from '../kind.ts'
import { noSuchPage } from '../pages/transaction.ts'
import { peopleOf } from '../people.ts'
import { addressesCard } from './addresses.ts'
import type { OwnKind } from './proposals.ts'
import { changesCard, isOwnKind } from './proposals.ts'
import { endpointPage, endpointsCard, EVENTS_SHOWN } from './endpoints.ts'
import { keysCard, OVERLAPS, secretPage } from './keys.ts'
import { DEVELOPER_WORDS } from './words.ts'

const ONE = '/developer/endpoints/:id'
const BACK = '/developer'
const MOST_PROPOSALS = 50

export const DEVELOPER: Section = {
  views: [
    { path: BACK, show: developer },
    { path: ONE, show: endpoint },
  ],
  forms: [
    { path: '/developer/keys/rotate', action: 'key.rotate', back: BACK, decide: rotate },
    { path: '/developer/keys/revoke-old', action: 'key.revoke', back: BACK, decide: revokeOld },
    { path: '/developer/keys/revoke', action: 'key.revoke', back: BACK, decide: revoke },
    { path: '/developer/endpoints', action: 'endpoint.add', back: BACK, decide: add },
    { path: `${ONE}/test`, action: 'endpoint.test', back: ONE, decide: of(sendTest) },
    { path: `${ONE}/rotate`, action: 'endpoint.rotate', back: ONE, decide: of(rotateCallbackSecret) },
    { path: `${ONE}/disable`, action: 'endpoint.switch', back: ONE, decide: of(disable) },
    { path: `${ONE}/enable`, action: 'endpoint.switch', back: ONE, decide: of(enable) },
    { path: `${ONE}/url`, action: 'endpoint.change', back: ONE, decide: of(changeUrl) },
    // Every kind that this page shows is for the same roles.
    { path: '/developer/proposals/:id/approve', action: 'merchant.networks', back: BACK, decide: approve },
    { path: '/developer/proposals/:id/reject', action: 'merchant.networks', back: BACK, decide: reject },
    { path: '/developer/addresses/allow', action: 'merchant.networks', back: BACK, decide: allow },
    { path: '/developer/addresses/remove', action: 'merchant.networks', back: BACK, decide: remove },
  ],
  said: { tr: DEVELOPER_WORDS.tr.said, en: DEVELOPER_WORDS.en.said },
}

async function developer(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const { viewer } = asked
  const merchantId = own(asked)
  const words = DEVELOPER_WORDS[viewer.language]
  const [changes, people, keys, endpoints, { networks }, rejected] = await Promise.all([
    openProposals(app, own(asked)),
    peopleOf(app.db.pages, merchantId),
    listKeys({ ...app, db: app.db.pages }, merchantId),
    listEndpoints(app.db.pages, merchantId),
    showMerchant({ ...app, db: app.db.pages }, merchantId),
    rejectedAddresses(app.db.pages, merchantId),
  ])
  const main = html`<h1>${viewer.words.developer}</h1>
    <p class="lead">${words.lead}</p>
    <div class="cards">
      ${changesCard(viewer, changes, people, actorName(asked.actor))} ${keysCard(viewer, keys)}
      ${endpointsCard(viewer, endpoints)} ${addressesCard(viewer, networks, rejected)}
    </div>`
  return { page: { title: viewer.words.developer, section: 'developer', main } }
}

async function endpoint(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const { viewer, id } = asked
  const merchantId = own(asked)
  const found = await findOwn(app, asked)
  if (!found) return { page: noSuchPage(viewer), status: 404 }
  const secret = await newestSecret(app, app.db.pages, merchantId, id)
  const events = await listEvents(app.db.pages, merchantId, { limit: EVENTS_SHOWN })
  return { page: endpointPage(viewer, { endpoint: found, secret, events }) }
}

async function findOwn(app: MerchantDeps, asked: Asked): Promise<EndpointHealth | undefined> {
  return (await listEndpoints(app.db.pages, own(asked))).find(({ id }) => id === asked.id)
}

type Decide = (app: MerchantDeps, asked: Asked) => Promise<string | Shown>

/** Only for an endpoint of the session's merchant. */
function of(decide: Decide) {
  return async (app: MerchantDeps, asked: Asked) => ((await findOwn(app, asked)) ? decide(app, asked) : null)
}

async function rotate(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const words = DEVELOPER_WORDS[asked.viewer.language]
  const overlapHours = OVERLAPS.find((hours) => String(hours) === field(asked, 'overlap')) ?? 24
  const { apiKey, apiSecret, previousEndsAt } = await rotateKey(app, asked.actor, own(asked), {
    overlapHours,
    newest: field(asked, 'newest'),
  })
  return {
    page: secretPage(asked.viewer, [
      [words.apiKey, apiKey],
      [words.apiSecret, apiSecret],
      ...(previousEndsAt ? [[words.oldWorksUntil, previousEndsAt] satisfies [string, Date]] : []),
    ]),
  }
}

async function revokeOld(app: MerchantDeps, asked: Asked): Promise<string> {
  await revokeOldSecret(app, asked.actor, own(asked))
  return 'old_revoked'
}

async function revoke(app: MerchantDeps, asked: Asked): Promise<string> {
  if (field(asked, 'sure') !== 'yes') throw invalidField('sure', 'must be ticked')
  await revokeKey(app, asked.actor, own(asked))
  return 'key_revoked'
}

/** Done if another person has asked for the same, else a request that another person approves. */
async function ask<Name extends OwnKind>(
  app: MerchantDeps,
  { actor }: Asked,
  name: Name,
  terms: TermsOf<Name>,
): Promise<string> {
  const { state } = await makeProposal(app, actor, name, terms)
  return { open: 'change_asked', applied: 'change_applied', unchanged: 'change_unchanged' }[state]
}

function add(app: MerchantDeps, asked: Asked): Promise<string> {
  return ask(app, asked, 'endpoint.add', {
    ...{ merchantId: own(asked), url: field(asked, 'url'), description: field(asked, 'description') },
  })
}

function callbackSecretPage({ viewer }: Asked, url: string | null, secret: string, oldEndsAt?: Date): Shown {
  const words = DEVELOPER_WORDS[viewer.language]
  return {
    page: secretPage(viewer, [
      [words.address, url ?? viewer.words.noUrl],
      [words.callbackSecret, secret],
      ...(oldEndsAt ? [[words.oldWorksUntil, oldEndsAt] satisfies [string, Date]] : []),
    ]),
  }
}

async function sendTest(app: MerchantDeps, asked: Asked): Promise<string> {
  await recordTestEvent(app, asked.actor, own(asked), asked.id)
  return 'tested'
}

async function rotateCallbackSecret(app: MerchantDeps, asked: Asked): Promise<Shown> {
  const rotated = await rotateSecret(app, asked.actor, own(asked), asked.id, field(asked, 'newest'))
  return callbackSecretPage(asked, (await findOwn(app, asked))?.url ?? null, rotated.secret, rotated.oldSecretEndsAt)
}

async function disable(app: MerchantDeps, asked: Asked): Promise<string> {
  const reason = field(asked, 'reason')
  if (reason === '' || reason.length > 200) throw invalidField('reason', 'must have 1 to 200 characters')
  await disableEndpoint(app, asked.actor, own(asked), asked.id, reason)
  return 'endpoint_disabled'
}

async function enable(app: MerchantDeps, asked: Asked): Promise<string> {
  await enableEndpoint(app, asked.actor, own(asked), asked.id)
  return 'endpoint_enabled'
}

function changeUrl(app: MerchantDeps, asked: Asked): Promise<string> {
  return ask(app, asked, 'endpoint.change', { merchantId: own(asked), endpointId: asked.id, url: field(asked, 'url') })
}

function allow(app: MerchantDeps, asked: Asked): Promise<string> {
  return ask(app, asked, 'merchant.networks', { merchantId: own(asked), add: [field(asked, 'network')] })
}

function remove(app: MerchantDeps, asked: Asked): Promise<string> {
  return ask(app, asked, 'merchant.networks', { merchantId: own(asked), remove: [field(asked, 'network')] })
}

/** Those that wait for a second person. */
export async function openProposals(app: MerchantDeps, merchantId: string): Promise<ShownProposal[]> {
  const all = await proposalsOfMerchant(app, app.db.pages, merchantId, MOST_PROPOSALS)
  return all.filter(({ kind, state }) => isOwnKind(kind) && state === 'open')
}

const findChange = async (app: MerchantDeps, asked: Asked) =>
  (await openProposals(app, own(asked))).find(({ id }) => id === asked.id)

async function approve(app: MerchantDeps, asked: Asked): Promise<string | null> {
  if (!(await findChange(app, asked))) return null
  await approveProposal(app, asked.actor, asked.id, field(asked, 'seen'))
  return 'change_applied'
}

async function reject(app: MerchantDeps, asked: Asked): Promise<string | null> {
  if (!(await findChange(app, asked))) return null
  await rejectProposal(app, asked.actor, asked.id, field(asked, 'why'))
  return 'change_rejected'
}
