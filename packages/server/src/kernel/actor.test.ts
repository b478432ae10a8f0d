import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  actorName,
  INBOX,
  MATCHER,
  merchantActor,
  operatorActor,
  RESERVED_NAMES,
  RESTORE,
  UNATTRIBUTED,
} from './actor.ts'

test('the stored texts are those of the rows that exist', () => {
  const actors = [MATCHER, RESTORE, INBOX, UNATTRIBUTED, operatorActor('ayse.yilmaz')]
  assert.deepEqual(actors.map(actorName), ['matcher', 'restore', 'inbox', 'operator', 'ayse.yilmaz'])
})

test('no person can have the text of another actor', () => {
  assert.deepEqual([...RESERVED_NAMES].toSorted(), ['inbox', 'matcher', 'operator', 'restore', 'rules'])
  // A merchant's id alone could be a name.
  const name = 'abcdefabcdefabcdefabcdef'
  assert.notEqual(actorName(merchantActor(name)), actorName(operatorActor(name)))
})
