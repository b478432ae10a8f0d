import type { TSchema } from 'typebox'
import { limit, metadata } from '../fields.ts'
import { LIMITS } from '../limits.ts'
import { SCHEMAS } from './schemas.ts'

type Json = Record<string, unknown>

const NAMES = new Map<unknown, string>(Object.entries(SCHEMAS).map(([name, { schema }]) => [schema, name]))
/** A query has only texts, but clients are generated with a number; `metadata` may hold anything. */
const WRITTEN: [schema: TSchema, written: Json][] = [
  [limit, { type: 'integer', minimum: 1, maximum: LIMITS.pageSize.max, default: LIMITS.pageSize.default }],
  [metadata, { type: 'object', additionalProperties: true }],
]

export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** As JSON Schema. Named schemas inside it are references. */
export function jsonSchema(schema: TSchema): Json {
  const name = nameOf(schema)
  return name ? reference(name) : written(schema)
}

/** A named schema with the meaning of each field. */
export function namedSchema(name: keyof typeof SCHEMAS): Json {
  const { schema, text, fields } = SCHEMAS[name]
  const { properties, ...rest } = written(schema) as Json & { properties: Record<string, Json> }
  const meant = Object.entries(properties).map(([field, shape]) => [field, { ...shape, description: fields[field] }])
  return { description: text, ...rest, properties: Object.fromEntries(meant) }
}

// `Type.Optional` copies a schema, so a copy is recognised by its properties.
function nameOf(schema: TSchema): string | undefined {
  const properties = (schema as { properties?: unknown }).properties
  return NAMES.get(schema) ?? NAMES.get(ORIGINALS.get(properties))
}
const ORIGINALS = new Map<unknown, unknown>(Object.values(SCHEMAS).map(({ schema }) => [schema.properties, schema]))

function written(schema: TSchema): Json {
  const known = WRITTEN.find(([one]) => sameText(one, schema))
  if (known) return known[1]
  const { description: _rule, properties, items, anyOf, ...rest } = schema as Json
  return {
    ...rest,
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map((one) => jsonSchema(one as TSchema)) }),
    ...(items !== undefined && { items: jsonSchema(items as TSchema) }),
    ...(properties !== undefined && { properties: mapped(properties as Record<string, TSchema>) }),
    ...('enum' in rest && { type: 'string' }),
  }
}

const mapped = (properties: Record<string, TSchema>) =>
  Object.fromEntries(Object.entries(properties).map(([field, schema]) => [field, jsonSchema(schema)]))
const sameText = (one: TSchema, other: TSchema) => JSON.stringify(one) === JSON.stringify(other)
