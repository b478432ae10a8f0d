import { test } from 'node:test'
import { openBrowser } from '../harness/browser.ts'
import { payAndReturn } from './sandbox-story.ts'

const browser = await openBrowser()

test('buy, choose a bank, pay in the bank app, see it completed, return to the shop; JavaScript on', () =>
  payAndReturn(browser, { javaScriptEnabled: true }))
