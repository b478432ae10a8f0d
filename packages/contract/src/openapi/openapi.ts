import type { TSchema } from 'typebox'
import type { EndpointContract } from '../endpoints.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { envelopeOf, errorEnvelopeOf } from '../envelope.ts'
import type { ErrorCode } from '../errors.ts'
import { ERROR_STATUS } from '../errors.ts'
import type { EventType } from '../event-types.ts'
import { EVENT_TYPES } from '../event-types.ts'
import { ERROR_HELP } from './error-help.ts'
import { EXAMPLES, exampleEvent } from './examples.ts'
import { jsonSchema, namedSchema, reference } from './json-schema.ts'
import type { Operation } from './operations.ts'
import { GROUPS, OPERATIONS, SIGNED_ERRORS } from './operations.ts'
import { SCHEMAS } from './schemas.ts'
import { WEBHOOKS } from './webhooks.ts'

type Json = Record<string, unknown>
type Name = keyof typeof ENDPOINTS

const SIGNING = `Every request below /v1 carries X-API-Key, X-Timestamp (Unix time in whole seconds) and X-Signature: HMAC-SHA256 in lower-case
hex, keyed with the API secret, of timestamp + METHOD + path with query + the exact bytes of the body, without separators.`
const SECURITY = { apiKey: [], timestamp: [], signature: [] }
const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })

/** The OpenAPI 3.1 document of the API. */
export function openApi({ version, baseUrl }: { version: string; baseUrl: string }): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vezne',
      version,
      summary: 'Deposits and withdrawals by bank transfer.',
      description: SIGNING,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: baseUrl }],
    security: [SECURITY],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    paths: paths(),
    webhooks: Object.fromEntries(EVENT_TYPES.map((type) => [type, webhook(type)])),
    components: {
      schemas: { ...named(), ...errorSchemas() },
      securitySchemes: {
        apiKey: header('X-API-Key', 'Your API key.'),
        timestamp: header('X-Timestamp', 'Unix time in whole seconds; at most 300 seconds from our clock.'),
        signature: header('X-Signature', SIGNING),
      },
    },
  }
}

function paths(): Json {
  const all: Record<string, Json> = {}
  for (const name of Object.keys(ENDPOINTS) as Name[]) {
    const { method, path } = ENDPOINTS[name]
    const written = path.replace(/:(\w+)/g, '{$1}')
    all[written] = { ...all[written], [method.toLowerCase()]: operation(name) }
  }
  return all
}

function operation(name: Name): Json {
  const contract: EndpointContract = ENDPOINTS[name]
  const { summary, text, group, errors }: Operation = OPERATIONS[name]
  const isSigned = contract.path.startsWith('/v1/')
  const { body, data } = EXAMPLES[name]
  const content = {
    schema: jsonSchema(envelopeOf(contract.data)),
    example: { success: true, data, timestamp: 1_794_726_583 },
  }
  return {
    operationId: name,
    summary,
    description: text,
    tags: [group],
    ...(!isSigned && { security: [] }),
    parameters: parameters(name),
    ...(contract.request.body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(contract.request.body), example: body } } }, // prettier-ignore
    }),
    responses: {
      [contract.status]: { description: 'Done.', content: { 'application/json': content } },
      ...(name === 'availableBanks' && { 304: { description: 'The list is as it was when its `ETag` was sent.' } }),
      ...errorResponses(isSigned ? [...SIGNED_ERRORS, ...errors] : errors),
    },
  }
}

const propertiesOf = (schema: { properties?: Record<string, TSchema> } = {}) => schema.properties ?? {}

function parameters(name: Name): Json[] {
  const { request }: EndpointContract = ENDPOINTS[name]
  const { parameters: meanings }: Operation = OPERATIONS[name]
  const { params = {}, query = {} } = EXAMPLES[name] as { params?: Json; query?: Json }
  const list = (where: 'path' | 'query', schema: TSchema | undefined, examples: Json) =>
    Object.entries(propertiesOf(schema)).map(([field, shape]) => ({
      name: field,
      in: where,
      ...(where === 'path' && { required: true }),
      description: meanings[field],
      schema: jsonSchema(shape),
      ...(field in examples && { example: field === 'limit' ? Number(examples[field]) : examples[field] }),
    }))
  return [...list('path', request.params, params), ...list('query', request.querystring, query)]
}

function errorResponses(codes: ErrorCode[]): Json {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].toSorted((a, b) => a - b)
  const response = (status: number) => {
    const own = [...new Set(codes)].filter((code) => ERROR_STATUS[code] === status)
    const refs = own.map((code) => reference(`Error_${code}`))
    return {
      description: own.map((code) => `\`${code}\`: ${ERROR_HELP[code].why}`).join('\n\n'),
      content: { 'application/json': { schema: refs.length === 1 ? refs[0] : { anyOf: refs } } },
    }
  }
  return Object.fromEntries(statuses.map((status) => [status, response(status)]))
}

function errorSchemas(): Json {
  const one = (code: ErrorCode): [string, Json] => {
    const { why, fix } = ERROR_HELP[code]
    return [`Error_${code}`, { description: `${why} ${fix}`, ...jsonSchema(errorEnvelopeOf(code)) }]
  }
  const own = Object.values(OPERATIONS).flatMap(({ errors }) => errors)
  return Object.fromEntries([...new Set([...SIGNED_ERRORS, ...own])].map(one))
}

const named = () =>
  Object.fromEntries((Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[]).map((name) => [name, namedSchema(name)]))

function webhook(type: EventType): Json {
  const { summary, text, data } = WEBHOOKS[type]
  const headers = ['id', 'timestamp', 'signature'] as const
  return {
    post: {
      operationId: type,
      summary,
      description: text,
      tags: ['Events'],
      security: [],
      parameters: headers.map((name) => ({
        name: `webhook-${name}`,
        in: 'header',
        required: true,
        description: WEBHOOK_HEADERS[name],
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: eventSchema(type, data), example: exampleEvent(type) } },
      },
      responses: {
        '2XX': { description: 'Stored. Anything else is tried again for 30 days.' },
      },
    },
  }
}

const WEBHOOK_HEADERS = {
  id: "The event's id: the same on every attempt and at every endpoint.",
  timestamp: 'Unix time of this attempt, in whole seconds.',
  signature:
    '`v1,` and base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`. During a rotation two, separated by a space.',
}

function eventSchema(type: EventType, data: Json): Json {
  return {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    additionalProperties: false,
    properties: {
      type: { const: type },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened. Not the time of the attempt.' },
      data,
    },
  }
}
