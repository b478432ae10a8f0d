import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPage } from './read-page.ts'

test('a cursor that could not be sent back in a URL makes the page unreadable, with the reason', () => {
  for (const cursor of ['a'.repeat(1001), 'a\0b', 'a\nb', 'ş'])
    assert.match(JSON.stringify(readPage({ lines: [], cursor, more: false })), /"unreachable".*cursor/, cursor)
  for (const cursor of ['', '17', 'a'.repeat(1000)])
    assert.deepEqual(readPage({ lines: [], cursor, more: false }), {
      outcome: 'read',
      lines: [],
      unread: [],
      cursor,
      more: false,
    })
})
