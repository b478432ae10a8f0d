import { randomUUID } from 'node:crypto'

/** Valid requests; a test changes the field under test. */
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
