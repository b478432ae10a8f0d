import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import type { ErrorCode, EventType } from '../../packages/contract/src/index.ts'
import { ENDPOINTS, envelopeOf, ERROR_STATUS, errorEnvelopeOf, EVENTS } from '../../packages/contract/src/index.ts'
import { OPERATIONS, SIGNED_ERRORS } from '../../packages/contract/src/openapi/operations.ts'

type Response = { status: number; body: { success?: unknown; error?: { code?: string } } }

/** Paths that answer in the envelope; all others are pages, metrics or another program's. */
const isOurs = (path: string) => /^\/(v1(\/|$)|healthz$|readyz$)/.test(path)

const endpoints = (Object.keys(ENDPOINTS) as (keyof typeof ENDPOINTS)[]).map((id) => {
  const { method, path, status, data } = ENDPOINTS[id]
  const errors = [...OPERATIONS[id].errors, ...(path.startsWith('/v1/') ? SIGNED_ERRORS : [])]
  const pattern = new RegExp(`^${method} ${path.replace(/:[A-Za-z]+/g, '[^/]+')}$`)
  return { name: `${method} ${path}`, pattern, status, schema: envelopeOf(data), errors }
})

/** What a response breaks of the contract, in words; null when it keeps to it. */
export function responseProblem(method: string, target: string, response: Response): string | null {
  const path = target.split('?')[0] ?? ''
  if (!isOurs(path)) return null
  const endpoint = endpoints.find(({ pattern }) => pattern.test(`${method} ${path}`))
  if (response.body.success === false) {
    const problem = errorProblem(response)
    // A target with a brace is refused before anything looks at its path.
    if (problem !== null || !endpoint || target.includes('{')) return problem
    const code = response.body.error?.code as ErrorCode
    return endpoint.errors.includes(code)
      ? null
      : `${endpoint.name} returns ${code}, which openapi/operations.ts does not list`
  }
  if (!endpoint) return `${method} ${path} succeeded and is not in the contract`
  const { name, status, schema } = endpoint
  if (response.status !== status) return `${name}: its status is ${status}, not ${response.status}`
  return schemaProblem(name, schema, response.body)
}

export function errorProblem({ status, body }: Response): string | null {
  const code = body.error?.code ?? ''
  if (!Object.hasOwn(ERROR_STATUS, code)) return `${code} is no error code of the contract`
  const expected = ERROR_STATUS[code as ErrorCode]
  // A request that arrives too slowly is no request yet, and has a status of its own.
  if (status !== expected && !(status === 408 && code === 'VALIDATION_ERROR'))
    return `${code}: its status is ${expected}, not ${status}`
  return schemaProblem(code, errorEnvelopeOf(code as ErrorCode), body)
}

export function eventProblem(body: string): string | null {
  const event = JSON.parse(body) as { type: string }
  if (!Object.hasOwn(EVENTS, event.type)) return `${event.type} is no event of the contract`
  return schemaProblem(event.type, EVENTS[event.type as EventType], event)
}

export function keepsContract(problem: string | null): void {
  assert.equal(problem, null)
}

const compiled = new Map<string, ReturnType<typeof Compile>>()

function schemaProblem(name: string, schema: TSchema, value: unknown): string | null {
  const validator = compiled.get(name) ?? Compile(schema)
  compiled.set(name, validator)
  if (validator.Check(value)) return null
  const [, errors] = validator.Errors(value)
  const all = errors.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
  return `${name} is not as packages/contract describes it: ${all.join('; ').slice(0, 2000)}`
}
