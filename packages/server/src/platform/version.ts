import { readFileSync } from 'node:fs'

/** Of this code, as its package.json has it. */
export function version(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
