import { isClaimed } from '../../domain/deposits/index.ts'
import { moneyIn } from '../web/money-and-time.ts'
import type { Screen } from './screen.ts'
import type { View } from './view.ts'

/** The heading of a screen; with the merchant's name also the title of the window, which a customer sees from another tab. */
export function headingOf(view: View): string {
  return HEADINGS[view.screen](view)
}

export function windowTitle(view: View): string {
  return `${headingOf(view)} · ${view.brand.displayName}`
}

const HEADINGS: Record<Screen, (view: View) => string> = {
  'choose-bank': ({ words }) => words.chooseTitle,
  'no-account': ({ words }) => words.chooseTitle,
  'account-changed': ({ words }) => words.changedTitle,
  pay: ({ words }) => words.payTitle,
  claimed: ({ words }) => words.claimedTitle,
  short: (view) => view.words.shortTitle(restOf(view)),
  'short-claimed': ({ words }) => words.claimedTitle,
  'short-ended': (view) => view.words.shortTitle(restOf(view)),
  over: ({ words }) => words.overTitle,
  review: ({ words }) => words.reviewTitle,
  completed: ({ words }) => words.completedTitle,
  'awaiting-bank': ({ words }) => words.awaitingTitle,
  expired: ({ words, deposit }) => (isClaimed(deposit) ? words.claimedTitle : words.expiredTitle),
  cancelled: ({ words }) => words.cancelledTitle,
  failed: ({ words }) => words.failedTitle,
}

function restOf({ language, deposit }: View): string {
  return moneyIn(language, deposit.amount - deposit.receivedAmount, deposit.currency)
}
