import assert from 'node:assert/strict'
import type { Answer } from './client.ts'

/** Checks the success envelope of section 1. Returns its data. */
export function accepted(answer: Answer, status: 200 | 201) {
  assert.equal(answer.status, status, answer.text)
  assert.deepEqual(Object.keys(answer.body).toSorted(), ['data', 'success', 'timestamp'])
  assert.equal(answer.body.success, true)
  assert.equal(typeof answer.body.data, 'object')
  checkTimestamp(answer)
  return answer.body.data
}

/** Checks the error envelope of section 1. Returns its error. */
export function refused(answer: Answer, status: number, code: string) {
  assert.deepEqual({ status: answer.status, code: answer.code }, { status, code }, answer.text)
  assert.deepEqual(Object.keys(answer.body).toSorted(), ['error', 'success', 'timestamp'])
  assert.equal(answer.body.success, false)
  assert.equal(typeof answer.body.error.message, 'string')
  assert.notEqual(answer.body.error.message, '')
  checkTimestamp(answer)
  return answer.body.error
}

/** The names of the fields in a VALIDATION_ERROR. */
export function refusedFields(answer: Answer): string[] {
  const { details } = refused(answer, 400, 'VALIDATION_ERROR')
  return (details as { field: string }[]).map(({ field }) => field)
}

function checkTimestamp({ body }: Answer): void {
  assert.ok(Number.isInteger(body.timestamp))
  assert.ok(Math.abs(body.timestamp - Date.now() / 1000) < 60, 'seconds of real time')
}
