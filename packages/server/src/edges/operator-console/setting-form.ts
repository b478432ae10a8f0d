import type { Action } from '../../domain/people/index.ts'
import { isDay, startOfDay } from '../../kernel/istanbul.ts'
import { formatMoney, readMoney } from '../../kernel/money.ts'
import { invalidField } from '../../platform/refusal.ts'
import type { Html } from '../web/html.ts'
import { html } from '../web/html.ts'
import { actButton, fieldsFor } from '../web/console/decision-form.ts'
import type { Viewer } from './page.ts'

type Form = { action: Action; path: string; label: string; fields: Html; look?: string }

/** A form of several fields. A person without the right sees what is set. */
export function settingForm(viewer: Viewer, { action, path, label, fields, look = '' }: Form): Html {
  return html`<form class="grid" method="post" action="${viewer.root}${path}">
    <input type="hidden" name="csrf" value="${viewer.csrf}" />
    ${fieldsFor(viewer, action, fields, true)} ${actButton(viewer, action, label, look)}
  </form>`
}

export function textField(label: string, name: string, value = '', more: Html = html``): Html {
  return html`<label class="field">${label}<input name="${name}" value="${value}" maxlength="300" ${more} /></label>`
}

/** Over the whole width: addresses, IBANs. */
export function longField(label: string, name: string, more: Html = html`required`): Html {
  return html`<label class="field all">${label}<input name="${name}" maxlength="300" ${more} /></label>`
}

/** Why, for the second person. */
export function whyField(label: string): Html {
  return html`<label class="field all">${label}<input name="why" required minlength="5" maxlength="200" /></label>`
}

export function moneyField(label: string, name: string, amount: bigint | null): Html {
  const value = amount === null ? '' : formatMoney(amount).replace(' TL', '')
  return textField(`${label} (TL)`, name, value, html`inputmode="decimal"`)
}

/** Of whole or exact lira; empty is null. */
export function moneyOf(fields: URLSearchParams, name: string): bigint | null {
  const text = (fields.get(name) ?? '').trim()
  if (text === '') return null
  const amount = readMoney(text) ?? readMoney(`${text},00`)
  if (amount === null) throw invalidField(name, `must be an amount such as 1.250,00, not "${text}"`)
  return amount
}

export function countOf(fields: URLSearchParams, name: string): number | null {
  const text = (fields.get(name) ?? '').trim()
  if (text === '') return null
  if (!/^\d{1,7}$/.test(text)) throw invalidField(name, `must be a whole number, not "${text}"`)
  return Number(text)
}

/** 1,5 is 150 basis points. */
export function bpsOf(fields: URLSearchParams, name: string): number {
  const [, whole, part = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec((fields.get(name) ?? '').trim() || '0') ?? []
  if (whole === undefined) throw invalidField(name, 'must be a percentage such as 1,50')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** Of a field of date and time, which is in Istanbul; empty: none. */
export function momentOf(fields: URLSearchParams, name: string): Date | undefined {
  const text = fields.get(name) ?? ''
  if (text === '') return undefined
  const [, day = '', hours, minutes] = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})$/.exec(text) ?? []
  if (!isDay(day)) throw invalidField(name, 'must be a date and a time')
  return new Date(startOfDay(day).getTime() + (Number(hours) * 60 + Number(minutes)) * 60_000)
}

/** One on each line, or separated by commas. */
export function listOf(fields: URLSearchParams, name: string): string[] {
  return (fields.get(name) ?? '').split(/[\s,]+/).filter((one) => one !== '')
}
