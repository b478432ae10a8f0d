import type { FieldProblem } from '@vezne/contract'
import type { FastifyError } from 'fastify'
import { Refusal } from '../../platform/refusal.ts'
import { probablyMeant } from './unknown-fields.ts'

/** As Ajv reports it with `verbose`: with the value and the schema it failed. */
type SchemaProblem = NonNullable<FastifyError['validation']>[number] & {
  data?: unknown
  parentSchema?: { description?: string; minLength?: number; properties?: object }
}

/** More than any legitimate request has. */
const MAX_PROBLEMS = 20

/** Describes every invalid field, all in one response. */
export function invalidRequest({ validation = [], validationContext }: FastifyError): Refusal {
  const problems = (validation as SchemaProblem[]).filter((problem) => !isEmptyTwice(problem))
  const details = problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) => fieldProblem(problem, validationContext === 'querystring'))
  const message = details.map(({ field, problem }) => `${field} ${problem}`).join('; ')
  return new Refusal('VALIDATION_ERROR', message, { details })
}

/** An empty string that must not be empty also fails its pattern: report it once. */
function isEmptyTwice({ keyword, data, parentSchema }: SchemaProblem): boolean {
  return keyword === 'pattern' && data === '' && parentSchema?.minLength !== undefined
}

function fieldProblem(problem: SchemaProblem, inQuery: boolean): FieldProblem {
  const { instancePath, keyword, params, parentSchema } = problem
  const path = instancePath.split('/').filter(Boolean)
  if (keyword === 'required')
    return { field: [...path, String(params['missingProperty'])].join('.'), problem: 'is required' }
  if (keyword === 'additionalProperties') {
    const name = String(params['additionalProperty'])
    const known = Object.keys(parentSchema?.properties ?? {})
    const meant = probablyMeant(name, known)
    const hint = meant === undefined ? `it takes ${known.join(', ')}` : `did you mean ${meant}?`
    return { field: name.slice(0, MAX_QUOTED), problem: `is not a parameter of this endpoint; ${hint}` }
  }
  const twice = inQuery && Array.isArray(problem.data)
  return { field: path.join('.') || 'body', problem: twice ? 'is given more than once' : inWords(problem) }
}

function inWords({ keyword, params, message, data, parentSchema }: SchemaProblem): string {
  switch (keyword) {
    case 'type': {
      const wanted = String(params['type'])
      if (typeof data === 'number' && wanted === 'integer') return 'must be a whole number'
      const sent = NAMES[typeName(data)] ?? typeName(data)
      // Amounts are the only integers.
      if (wanted === 'integer') return `must be a whole number of kuruş, not ${sent}: 125000 for 1.250,00 TL`
      return `must be ${NAMES[wanted] ?? wanted}, not ${sent}`
    }
    case 'maxLength':
      return `has ${characters(data)} characters; at most ${String(params['limit'])} are allowed`
    case 'minLength':
      if (data === '') return 'must not be empty'
      return `has ${characters(data)} characters; at least ${String(params['limit'])} are needed`
    case 'minimum':
      return `must be at least ${String(params['limit'])}, not ${String(data)}`
    case 'maximum':
      return `must be at most ${String(params['limit'])}, not ${String(data)}`
    case 'enum':
      return `must be ${oneOf(params['allowedValues'] as string[])}, not ${quoted(data)}`
    case 'pattern':
      return `${parentSchema?.description ?? 'has a form that is not allowed'}${found(String(data))}`
    default:
      return message ?? 'is not valid'
  }
}

export function oneOf(allowed: readonly string[]): string {
  return `${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}`
}

const NAMES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
}

function typeName(data: unknown): string {
  if (data === null) return 'null'
  return Array.isArray(data) ? 'array' : typeof data
}

/** Counts code points, as the schema does: a character outside the BMP counts as one. */
function characters(data: unknown): number {
  return Array.from(String(data)).length
}

/** Points out the character that breaks the pattern; it is often invisible. */
function found(text: string): string {
  const at = Array.from(text).findIndex((character) => /\p{Cc}/u.test(character))
  if (at >= 0) {
    const code = Array.from(text)[at]?.codePointAt(0) ?? 0
    return ` (found U+${code.toString(16).toUpperCase().padStart(4, '0')} at position ${at + 1})`
  }
  return text !== '' && text.trim() === '' ? ' (it has only spaces)' : `, not ${quoted(text)}`
}

const MAX_QUOTED = 40

export function quoted(data: unknown): string {
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? 'nothing')
  const short = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED).toWellFormed()}…` : text
  return typeof data === 'string' ? JSON.stringify(short) : short
}
