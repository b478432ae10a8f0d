import type { EndpointContract } from '../endpoints.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { EXAMPLES } from './examples.ts'
import { GROUPS, OPERATIONS } from './operations.ts'

type Name = keyof typeof ENDPOINTS

/** Runs before each request. Variables are resolved first: what is signed must be what is sent. */
const SIGN = [
  "const CryptoJS = require('crypto-js')",
  "pm.collectionVariables.set('processId', 'order-' + Date.now())",
  'const timestamp = String(Math.floor(Date.now() / 1000))',
  "const target = pm.variables.replaceIn(pm.request.url.toString()).replace(/^https?:\\/\\/[^/]+/, '')",
  "const body = pm.variables.replaceIn((pm.request.body && pm.request.body.raw) || '')",
  'const message = timestamp + pm.request.method + target + body',
  "const signature = CryptoJS.HmacSHA256(message, pm.variables.get('apiSecret')).toString(CryptoJS.enc.Hex)",
  "pm.request.headers.upsert({ key: 'X-API-Key', value: pm.variables.get('apiKey') })",
  "pm.request.headers.upsert({ key: 'X-Timestamp', value: timestamp })",
  "pm.request.headers.upsert({ key: 'X-Signature', value: signature })",
]

/** Runs after each request: later ones name the deposit that was created and the newest event. */
const REMEMBER = [
  'const { data } = pm.response.json()',
  "if (data && /\\/v1\\/deposit$/.test(pm.request.url.toString())) pm.collectionVariables.set('transactionId', data.transactionId)",
  "if (data && data.events && data.events[0]) pm.collectionVariables.set('eventId', data.events[0].eventId)",
]

/** A collection for Postman, and for tools that import its format, which signs every request. */
export function postmanCollection(baseUrl: string) {
  const names = (Object.keys(ENDPOINTS) as Name[]).filter((name) => ENDPOINTS[name].path.startsWith('/v1/'))
  const folders = Object.entries(GROUPS).map(([group, description]) => ({
    name: group,
    description,
    item: names.filter((name) => OPERATIONS[name].group === group).map(item),
  }))
  return {
    info: {
      name: 'Vezne',
      description:
        'Set the variables apiKey and apiSecret. Each request is signed before it is sent. Create a deposit first: others name it.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'baseUrl', value: baseUrl },
      { key: 'apiKey', value: '' },
      { key: 'apiSecret', value: '' },
      { key: 'processId', value: '' },
      { key: 'transactionId', value: '' },
      { key: 'eventId', value: '' },
    ],
    event: [
      { listen: 'prerequest', script: { type: 'text/javascript', exec: SIGN } },
      { listen: 'test', script: { type: 'text/javascript', exec: REMEMBER } },
    ],
    item: folders.filter(({ item: inside }) => inside.length > 0),
  }
}

function item(name: Name) {
  const { method, path }: EndpointContract = ENDPOINTS[name]
  const { summary, text } = OPERATIONS[name]
  const { query = {}, body } = EXAMPLES[name] as Record<'query' | 'body', Record<string, string> | undefined>
  const target = path.replace(/:(\w+)/g, '{{$1}}')
  // The example's endpoint is no one's; without it all endpoints are meant.
  const asked = new URLSearchParams(Object.entries(query).filter(([key]) => key !== 'endpointId')).toString()
  const filled =
    body && JSON.stringify({ ...body, ...('processId' in body && { processId: '{{processId}}' }) }, null, 2)
  return {
    name: summary,
    request: {
      description: text,
      method,
      url: `{{baseUrl}}${target}${asked === '' ? '' : `?${asked}`}`,
      header: filled ? [{ key: 'Content-Type', value: 'application/json' }] : [],
      ...(filled && { body: { mode: 'raw', raw: filled, options: { raw: { language: 'json' } } } }),
    },
  }
}
