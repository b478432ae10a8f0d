import type { App } from '../../packages/server/src/compose.ts'
import type { Actor } from '../../packages/server/src/kernel/actor.ts'
import type { CollectingAccount } from '../../packages/server/src/domain/banks/index.ts'
import * as banks from '../../packages/server/src/domain/banks/index.ts'
import * as books from '../../packages/server/src/domain/books/index.ts'
import * as changes from '../../packages/server/src/domain/proposals/index.ts'
import * as connections from '../../packages/server/src/domain/connections/index.ts'
import * as deposits from '../../packages/server/src/domain/deposits/index.ts'
import * as erasures from '../../packages/server/src/domain/erasures/index.ts'
import * as identity from '../../packages/server/src/domain/identity/index.ts'
import * as matching from '../../packages/server/src/domain/matching/index.ts'
import * as merchants from '../../packages/server/src/domain/merchants/index.ts'
import * as payouts from '../../packages/server/src/domain/withdrawals/index.ts'
import * as people from '../../packages/server/src/domain/people/index.ts'
import * as restores from '../../packages/server/src/domain/restores/index.ts'
import * as statements from '../../packages/server/src/domain/statements/index.ts'
import * as webhooks from '../../packages/server/src/domain/webhooks/index.ts'
import * as withdrawals from '../../packages/server/src/domain/withdrawals/index.ts'
import { SENDER } from './refunds.ts'
import { mustFind } from './history.ts'
import { contentOf, PLAIN } from './statement-files.ts'

type Subjects = {
  merchantId: string
  depositId: string
  /** A withdrawal that waits, and one with a payout. */
  waiting: string
  paid: string
  /** A line in suspense, and a debit in the queue. */
  held: string
  debit: string
  account: CollectingAccount | undefined
}

const SOME_RULE = { kind: 'interest', direction: 'credit', words: 'FAIZ', maxAmount: 100n, books: true } as const

/** Every decision of the domain, by the name of its function, with all that it needs but an actor. */
export function decisionsAbout(app: App, subjects: Subjects): Record<string, (actor: Actor) => Promise<unknown>> {
  return {
    ...aboutMoney(app, subjects),
    ...aboutRestores(app, subjects),
    ...aboutMerchants(app, subjects),
    ...aboutEndpoints(app, subjects),
    addOperator: (actor) => people.addOperator(app, actor, 'new.person', people.DECIDING),
    exportAudit: (actor) => people.exportAudit(app, actor, {}, async () => undefined),
    setRoles: (actor) => people.setRoles(app, actor, 'ada.aksoy', ['viewer']),
    revealData: (actor) =>
      people.revealData(app, actor, `deposit:${subjects.depositId}`, { reason: 'customer_asks', note: 'a test' }),
    disableOperator: (actor) => people.disableOperator(app, actor, 'ada.aksoy'),
    inviteOperator: (actor) => identity.inviteOperator(app, actor, 'ada.aksoy'),
    giveInvitationCode: (actor) => identity.giveInvitationCode(app, actor, 'ada.aksoy'),
    inviteMerchantUser: (actor) =>
      identity.inviteMerchantUser(app, actor, subjects.merchantId, { email: 'a@shop.example', role: 'owner' }),
    giveUserCode: (actor) => identity.giveUserCode(app, actor, subjects.merchantId, 'a@shop.example'),
    changeRole: (actor) => identity.changeRole(app, actor, 'f'.repeat(24), 'owner'),
    disableLogin: (actor) => identity.disableLogin(app, actor, 'f'.repeat(24)),
    revokeSession: (actor) => identity.revokeSession(app, actor, 'f'.repeat(24)),
    setBankLimits: (actor) => banks.setBankLimits(app, actor, '0046', 'TRY', { minAmount: 1n, maxAmount: 2n }),
    switchBank: (actor) => banks.switchBank(app, actor, '0046', false),
    openCollectingAccount: (actor) =>
      banks.openCollectingAccount(app, actor, { iban: 'TR620006200029500006291296', title: 'Yeni', currency: 'TRY' }),
    openConnectedAccount: (actor) =>
      connections.openConnectedAccount(app, actor, {
        iban: 'TR620006200029500006291296',
        title: 'Yeni',
        currency: 'TRY',
      }),
    setKarekod: (actor) => banks.setKarekod(app, actor, idOf(subjects), '0062'),
    setAccountLimits: (actor) => banks.setAccountLimits(app, actor, idOf(subjects), { amount: 1n, count: 1 }),
    ...aboutConnections(app),
    setSourceOfRecord: (actor) => connections.setSourceOfRecord(app, actor, [idOf(subjects)], 'manual'),
    makeLink: (actor) =>
      deposits.makeLink(app, actor, subjects.merchantId, {
        ...{ id: 'f'.repeat(24), amount: 84_000n, currency: 'TRY', note: '' },
        customer: { name: 'Veli Aslan', id: '' },
      }),
    changeAccountState: (actor) => deposits.changeAccountState(app, actor, idOf(subjects), 'blocked', 'a test'),
    closeDay: (actor) => books.closeDay(app, actor, { day: '2026-01-01', figures: '' }, null),
    reopenDay: (actor) => books.reopenDay(app, actor, '2026-01-01', 'a test'),
    eraseTransaction: (actor) =>
      erasures.eraseTransaction(
        app,
        actor,
        { kind: 'deposit', merchantId: subjects.merchantId, id: subjects.depositId },
        { askedFor: 'transaction', reason: 'a test', despiteRetention: true, dryRun: false },
      ),
  }
}

function aboutConnections(app: App) {
  const transfer = { reference: 'r', fromIban: 'x', toIban: 'y', amount: '1' }
  return {
    addConnection: (actor: Actor) => connections.addConnection(app, actor, 'manual-new', { kind: 'manual' }),
    changeConnection: (actor: Actor) => connections.changeConnection(app, actor, 'manual', { key: 'k' }),
    disableConnection: (actor: Actor) => connections.disableConnection(app, actor, 'manual', 'a test'),
    enableConnection: (actor: Actor) => connections.enableConnection(app, actor, 'manual'),
    recordTestTransfer: (actor: Actor) => connections.recordTestTransfer(app, actor, 'manual', transfer),
  }
}

const idOf = ({ account }: Subjects) => account?.id ?? ''

function aboutMoney(app: App, { merchantId, depositId, waiting, paid, held, debit }: Subjects) {
  return {
    matchByHand: (actor: Actor) => matching.matchByHand(app, actor, held, depositId),
    suspendByHand: (actor: Actor) => matching.suspendByHand(app, actor, held),
    decideCorrection: (actor: Actor) => matching.decideCorrection(app, actor, debit, 'new_money'),
    dismissLine: (actor: Actor) => matching.dismissLine(app, actor, { lineId: debit, notPayouts: [] }, 'a test'),
    restoreLine: (actor: Actor) => matching.restoreLine(app, actor, debit, null),
    retryLine: (actor: Actor) => matching.retryLine(app, actor, debit),
    retryAll: (actor: Actor) => matching.retryAll(app, actor),
    returnByHand: (actor: Actor) => matching.returnByHand(app, actor, held, paid),
    debitByHand: (actor: Actor) => matching.debitByHand(app, actor, debit, paid),
    setRule: (actor: Actor) => books.setRule(app, actor, { ...SOME_RULE, accountId: null, replaces: null }, 'a test'),
    stopRule: (actor: Actor) => books.stopRule(app, actor, 'f'.repeat(24), 'paused', 'a test'),
    undoRule: (actor: Actor) => books.undoRule(app, actor, 'f'.repeat(24), 'a test'),
    postEntry: (actor: Actor) =>
      books.postEntry(app, actor, { kind: 'bank_charge', terms: { lineIds: [debit] } }, 'a test'),
    enterLine: (actor: Actor) =>
      statements.enterLine(
        app,
        actor,
        {
          accountIban: 'none',
          direction: 'credit',
          amount: 1n,
          bookedOn: '2026-01-31',
          senderName: 'Veli',
          senderIban: null,
          narrative: 'x',
          besides: [],
        },
        'a test',
      ),
    closeUnread: (actor: Actor) => statements.closeUnread(app, actor, 'none', 'a test'),
    reopenUnread: (actor: Actor) => statements.reopenUnread(app, actor, 'none'),
    reimportUnread: (actor: Actor) => statements.reimportUnread(app, actor, () => null),
    importFile: (actor: Actor) => statements.importFile(app, actor, contentOf('file', ''), PLAIN),
    beginImport: (actor: Actor) => statements.beginImport(app, actor, contentOf('file', ''), PLAIN),
    proposeImport: (actor: Actor) => changes.proposeImport(app, actor, contentOf('file', ''), PLAIN),
    undoFile: (actor: Actor) => books.undoFile(app, actor, 'none', 'a test'),
    rereadSource: (actor: Actor) => statements.rereadSource(app, actor, app.connections[0]?.name ?? ''),
    approveWithdrawal: (actor: Actor) => withdrawals.approveWithdrawal(app, actor, waiting, ''),
    rejectWithdrawal: (actor: Actor) => withdrawals.rejectWithdrawal(app, actor, waiting, 'a test'),
    requestSettlement: (actor: Actor) => withdrawals.requestSettlement(app, actor, merchantId),
    registerSettlementAccount: (actor: Actor) =>
      merchants.registerSettlementAccount(app, actor, merchantId, { iban: SENDER.senderIban, title: 'Kitap Evi' }),
    setSettlementSchedule: (actor: Actor) =>
      merchants.setSettlementSchedule(app, actor, merchantId, {
        every: 'day',
        weekday: null,
        minute: 0,
        minimum: 1n,
      }),
    makeRefund: (actor: Actor) => withdrawals.makeRefund(app, actor, merchantId, depositId, { processId: 'by-hand' }),
    createInstruction: (actor: Actor) =>
      withdrawals.createInstruction(app, actor, {
        ...{ merchantId, id: 'e'.repeat(24), source: null, currency: 'TRY' },
        lines: [{ processId: 'p-1', accountName: 'Veli Aslan', iban: 'TR620006200029500006291296', amount: 100n }],
      }),
    stopWithdrawal: (actor: Actor) => withdrawals.stopWithdrawal(app, actor, waiting, 'a test'),
    unschedule: (actor: Actor) => app.db.transaction((tx) => withdrawals.unschedule(app, tx, actor)),
    decideDoubt: (actor: Actor) =>
      payouts.decideDoubt(app, actor, paid, { verdict: 'not_found', evidence: 'not on the statement' }),
    withdrawOpinion: (actor: Actor) => payouts.withdrawOpinion(app, actor, paid, 'a test'),
    decideEnded: (actor: Actor) =>
      payouts.decideEnded(app, actor, paid, { verdict: 'never_paid', evidence: 'not on the statement' }),
    retryBatch: (actor: Actor) => payouts.retryBatch(app, actor, 'none'),
    cancelBatch: (actor: Actor) => payouts.cancelBatch(app, actor, 'none', { reason: 'a test', holdMinutes: 0 }),
    takeToSend: (actor: Actor) => payouts.takeToSend(app, actor, paid),
    releaseTake: (actor: Actor) => payouts.releaseTake(app, actor, paid),
    recordSentByHand: (actor: Actor) => payouts.recordSentByHand(app, actor, paid, '0012345678'),
  }
}

function aboutRestores(app: App, { waiting }: Subjects) {
  const found = { incomplete: [], settled: [], refused: [], open: [], uncertain: [] }
  const nothing = { ...found, pairs: [], byHand: [], debits: [] }
  const restore = { number: 1, restoredTo: app.clock.now(), markedBy: 'restore', markedAt: app.clock.now() }
  return {
    markRestored: (actor: Actor) => restores.markRestored(app, actor, app.clock.now()),
    checkRestored: (actor: Actor) => restores.checkRestored(app, actor),
    releaseRestored: (actor: Actor) => restores.releaseRestored(app, actor, { restore, ...nothing }, null),
    recordPaidPairs: (actor: Actor) => restores.recordPaidPairs(app, actor, { number: 1, pairs: [] }),
    recordUnsent: async (actor: Actor) =>
      restores.recordUnsent({ ...app, connections: [] }, actor, await mustFind(app, waiting), 'looked it up'),
    doubtLost: async (actor: Actor) =>
      restores.doubtLost(app, actor, await mustFind(app, waiting), { connection: 'x', accountId: 'x' }),
  }
}

function aboutMerchants(app: App, { merchantId }: Subjects) {
  return {
    createMerchant: (actor: Actor) => merchants.createMerchant(app, actor, { name: 'Deneme' }),
    freezeMerchant: (actor: Actor) => merchants.freezeMerchant(app, actor, merchantId, 'a test'),
    unfreezeMerchant: (actor: Actor) => merchants.unfreezeMerchant(app, actor, merchantId, 'a test'),
    changeFees: (actor: Actor) => merchants.changeFees(app, actor, merchantId, { deposit: { bps: 1 } }),
    setMatching: (actor: Actor) => merchants.setMatching(app, actor, merchantId, { late: 'review' }),
    setPayoutRules: (actor: Actor) => merchants.setPayoutRules(app, actor, merchantId, { dailyCount: 1 }),
    setMaxOpenDeposits: (actor: Actor) => merchants.setMaxOpenDeposits(app, actor, merchantId, 1),
    setRefundsCharged: (actor: Actor) => merchants.setRefundsCharged(app, actor, merchantId, true),
    setEftDeadline: (actor: Actor) => merchants.setEftDeadline(app, actor, merchantId, 4),
    setBrand: (actor: Actor) => merchants.setBrand(app, actor, merchantId, { displayName: 'Yeni' }),
    setReturnOrigins: (actor: Actor) => merchants.setReturnOrigins(app, actor, merchantId, ['https://shop.example']),
    rotateKey: (actor: Actor) => merchants.rotateKey(app, actor, merchantId),
    revokeKey: (actor: Actor) => merchants.revokeKey(app, actor, merchantId),
    revokeOldSecret: (actor: Actor) => merchants.revokeOldSecret(app, actor, merchantId),
    changeNetworks: (actor: Actor) => merchants.changeNetworks(app, actor, merchantId, { add: ['203.0.113.7'] }),
    makeProposal: (actor: Actor) =>
      changes.makeProposal(app, actor, 'merchant.networks', { merchantId, add: ['203.0.113.8'] }),
    approveProposal: (actor: Actor) => changes.approveProposal(app, actor, 'none', 'f'.repeat(64)),
    rejectProposal: (actor: Actor) => changes.rejectProposal(app, actor, 'none', 'a test'),
  }
}

function aboutEndpoints(app: App, { merchantId }: Subjects) {
  const first = async () => (await merchants.findEndpoints(app.db, [merchantId]))[0]?.id ?? ''
  return {
    addEndpoint: (actor: Actor) => merchants.addEndpoint(app, actor, merchantId, { url: 'http://127.0.0.1:1/x' }),
    changeEndpoint: async (actor: Actor) =>
      merchants.changeEndpoint(app, actor, merchantId, await first(), { maxPerSecond: 1 }),
    changeCallbackNetworks: (actor: Actor) =>
      merchants.changeCallbackNetworks(app, actor, merchantId, { remove: ['10.20.0.0/16'] }),
    rotateSecret: async (actor: Actor) => merchants.rotateSecret(app, actor, merchantId, await first()),
    enableEndpoint: async (actor: Actor) => webhooks.enableEndpoint(app, actor, merchantId, await first()),
    disableEndpoint: async (actor: Actor) => webhooks.disableEndpoint(app, actor, merchantId, await first(), 'a test'),
    removeEndpoint: async (actor: Actor) => webhooks.removeEndpoint(app, actor, merchantId, await first()),
    recordTestEvent: async (actor: Actor) => webhooks.recordTestEvent(app, actor, merchantId, await first()),
    resendEvent: (actor: Actor) => webhooks.resendEvent(app, actor, merchantId, 'none'),
    resendFailed: (actor: Actor) => webhooks.resendFailed(app, actor, merchantId, new Date(0)),
  }
}
