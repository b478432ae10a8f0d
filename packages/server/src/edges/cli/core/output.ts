import { join, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { escapeInvisible, escapeInvisibleInJson } from '../../../platform/escape-invisible.ts'

// All command output goes through this file, line by line, with invisible characters escaped: banks, customers and merchants choose some of
// the text. A string is always one line; several lines are an array.

type Lines = string | string[]

/** Prints one result, as JSON (--json) or as text. Amounts are whole minor units in both. */
export function print(command: Command, result: object, forPeople: Lines): void {
  const { json } = command.optsWithGlobals<{ json?: boolean }>()
  if (json) printJson(result)
  else say(forPeople)
}

export function printJson(value: unknown, indent = 2): void {
  process.stdout.write(`${toJson(value, indent)}\n`)
}

export function say(lines: Lines): void {
  process.stdout.write(asText(lines))
}

/** Everything except the result: progress, hints, errors. */
export function printToStderr(lines: Lines): void {
  process.stderr.write(asText(lines))
}

/** Only on a terminal: in a log it would be noise. */
export function printProgress(line: string): void {
  if (process.stderr.isTTY) printToStderr(line)
}

/** Asks on the terminal. Only the answer yes is one; null if no one is there to ask. */
export async function confirm(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${escapeInvisible(question)} [y/N] `).finally(() => terminal.close())
  return /^(y|yes|e|evet)$/i.test(answer.trim())
}

/** Asks for secrets: on a terminal they are not shown, from a pipe each is a line. */
export function openSecretPrompt() {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: hidden, terminal: process.stdin.isTTY })
  const lines = terminal[Symbol.asyncIterator]()
  return {
    async ask(question: string): Promise<string> {
      process.stderr.write(escapeInvisible(question))
      const { value, done } = await lines.next()
      process.stderr.write('\n')
      return done ? '' : value
    },
    close: () => terminal.close(),
  }
}

/** Exit code of a program ended by SIGPIPE. */
const CLOSED_PIPE = 141

/** A closed pipe (`vezne listen | head`) ends a command without a stack trace; a service shuts down as after a signal. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      if (process.listenerCount('SIGTERM') === 0) process.exit(CLOSED_PIPE)
      process.kill(process.pid, 'SIGTERM')
    })
  }
}

function asText(lines: Lines): string {
  return [lines]
    .flat()
    .map((line) => `${escapeInvisible(asTyped(line))}\n`)
    .join('')
}

const PROJECT = join(import.meta.dirname, '../../../../../..')

/** Advice for another folder than ours: there npx would look for a package of our name in the public registry. */
export function asTyped(text: string): string {
  return relative(PROJECT, process.cwd()).startsWith('..') ? text.replaceAll('npx vezne', 'vezne') : text
}

function toJson(value: unknown, indent: number): string {
  const numbers = (_key: string, part: unknown) => (typeof part === 'bigint' ? Number(part) : part)
  return escapeInvisibleInJson(JSON.stringify(value, numbers, indent))
}

export function table(header: string[], rows: string[][]): string[] {
  const all = [header, ...rows].map((row) => row.map(escapeInvisible))
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

export function facts(rows: [name: string, value: string][]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
}
