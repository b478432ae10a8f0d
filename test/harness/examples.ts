import { randomUUID } from 'node:crypto'

/** Requests that are in order; a test changes the one thing it is about. */
export function depositBody(changes: Record<string, unknown> = {}) {
  return {
    processId: randomUUID(),
    amount: 125_000,
    bankCode: 'FAST',
    customer: { id: 'c-1', name: 'Ayşe Yılmaz', username: 'ayse' },
    ...changes,
  }
}

export function withdrawBody(changes: Record<string, unknown> = {}) {
  return {
    processId: randomUUID(),
    amount: 10_000,
    accountName: 'Ayşe Yılmaz',
    iban: 'TR620006200029500006291296',
    userId: 'u-1',
    userName: 'ayse',
    name: 'Ayşe Yılmaz',
    ...changes,
  }
}
