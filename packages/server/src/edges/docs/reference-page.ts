import { openApi } from '@vezne/contract/openapi'
import type { Html } from '../web/html.ts'
import { html } from '../web/html.ts'
import type { Rendered, Section } from './markdown.ts'

type Schema = {
  $ref?: string
  description?: string
  type?: string
  enum?: string[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}
type Content = { 'application/json'?: { schema: Schema; example?: unknown } }
type Parameter = { name: string; in: string; description: string; required?: boolean; schema: Schema }
type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}
type Document = {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema> }
}

/** The reference of the API, made from its OpenAPI document. */
export function referencePage(version: string, baseUrl: string): Rendered {
  const { tags, paths, webhooks, components } = openApi({ version, baseUrl }) as unknown as Document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  )
  const callbacks = Object.entries(webhooks).map(([name, { post }]) => ({ name, operation: post }))
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }))
  const schemas = Object.entries(components.schemas).filter(([name]) => !name.startsWith('Error_'))
  const sections: Section[] = [
    { id: 'reference', title: 'API reference', depth: 1, text: '' },
    ...[...operations, ...callbacks].map(({ name, operation }) => ({
      id: operation.operationId,
      title: `${name}: ${operation.summary}`,
      // Paths are too long for the menu; an event has a short name.
      inMenu: name.includes('/') ? operation.summary : name,
      depth: 2,
      text: operation.description,
    })),
  ]
  return {
    title: 'API reference',
    sections,
    body: html`<h1 id="reference">API reference</h1>
      <p>
        Made from the OpenAPI 3.1 document of this service: <a href="/openapi.json">openapi.json</a>. A
        <a href="/docs/postman.json">Postman collection</a> signs each request. Every request below /v1 is
        <a href="/docs/en/signing">signed</a>; every response is in an <a href="/docs/api#envelope">envelope</a>.
      </p>
      ${groups.map(
        (group) =>
          html`<h2 id="${group.name.toLowerCase()}">${group.name}</h2>
            <p>${group.description}</p>
            ${group.operations.map(({ name, operation }) => operationPart(name, operation, components.schemas))}`,
      )}
      <h2 id="webhooks">Callbacks</h2>
      <p>
        Sent to your endpoint, with <code>webhook-id</code>, <code>webhook-timestamp</code> and
        <code>webhook-signature</code>.
      </p>
      ${callbacks.map(({ name, operation }) => callbackPart(name, operation))}
      <h2 id="schemas">Objects</h2>
      ${schemas.map(([name, schema]) => schemaPart(name, schema))}`,
  }
}

function operationPart(name: string, operation: Operation, schemas: Record<string, Schema>): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const { schema, example } = requestBody?.content['application/json'] ?? {}
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
  const errors = Object.entries(responses).filter(([status]) => /^[45]/.test(status))
  const codes = errors.flatMap(([status, { content }]) => codesOf(content).map((code) => ({ status, code })))
  return html`<section>
    <h3 id="${operationId}">${summary}</h3>
    <p class="call"><code>${name}</code></p>
    <p>${marks(description)}</p>
    ${parameters.length > 0 && fieldTable(parameters.map((one) => ({ ...one, required: one.required === true })))}
    ${schema && fieldTable(fieldsOf(resolve(schema, schemas)))} ${example !== undefined && code(example)}
    ${
      success &&
      html`<p class="label">${success[0]}</p>
        ${code(success[1].content?.['application/json']?.example)}`
    }
    ${
      codes.length > 0 &&
      html`<details>
        <summary>Errors</summary>
        <ul>
          ${codes.map(
            ({ status, code: one }) =>
              html`<li>
                ${status} <a href="/docs/en/errors#${one.toLowerCase()}"><code>${one}</code></a>
              </li>`,
          )}
        </ul>
      </details>`
    }
  </section>`
}

const callbackPart = (name: string, { operationId, summary, description, requestBody }: Operation): Html =>
  html`<section>
    <h3 id="${operationId}"><code>${name}</code></h3>
    <p>${summary}. ${marks(description)}</p>
    <details>
      <summary>Example</summary>
      ${code(requestBody?.content['application/json']?.example)}
    </details>
  </section>`

const schemaPart = (name: string, schema: Schema): Html =>
  html`<section>
    <h3 id="schema-${name}">${name}</h3>
    <p>${marks(schema.description ?? '')}</p>
    ${fieldTable(fieldsOf(schema))}
  </section>`

const resolve = (schema: Schema, schemas: Record<string, Schema>): Schema =>
  schema.$ref ? (schemas[nameOf(schema.$ref)] ?? schema) : schema
const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

type Field = { name: string; required: boolean; description: string; schema: Schema }

function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    description: schema.description ?? '',
    schema,
  }))
}

const fieldTable = (fields: Field[]): Html =>
  html`<div class="wide" tabindex="0">
    <table>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${fields.map(
          ({ name, required, description, schema }) =>
            html`<tr>
              <td><code>${name}</code>${!required && html` <span class="hint">optional</span>`}</td>
              <td>${typeOf(schema)}</td>
              <td>${marks(description)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`

function typeOf(schema: Schema): Html {
  if (schema.$ref) return html`<a href="#schema-${nameOf(schema.$ref)}">${nameOf(schema.$ref)}</a>`
  if (schema.items) return html`list of ${typeOf(schema.items)}`
  if (schema.anyOf) return html`${schema.anyOf.map((one, at) => html`${at > 0 && ' or '}${typeOf(one)}`)}`
  if (schema.enum) return html`${schema.enum.map((one, at) => html`${at > 0 && ', '}<code>${one}</code>`)}`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  const { maxLength, maximum, minimum } = schema
  const limit = maxLength === undefined ? '' : `, at most ${maxLength} characters`
  const range = maximum === undefined || maximum > 1000 ? '' : `, ${minimum ?? 0} to ${maximum}`
  return html`${schema.type ?? 'any'}${limit}${range}`
}

/** Codes of an error response, from the names of its schemas. */
const codesOf = (content: Content | undefined): string[] => {
  const schema = content?.['application/json']?.schema
  const all = schema?.anyOf ?? (schema ? [schema] : [])
  return all.flatMap(({ $ref }) => ($ref ? [nameOf($ref).replace('Error_', '')] : []))
}

const code = (value: unknown): Html =>
  html`<pre class="json" tabindex="0"><code>${JSON.stringify(value, null, 2) ?? ''}</code></pre>`

/** Words between backquotes are code. */
const marks = (text: string): Html =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`
