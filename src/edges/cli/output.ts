import type { Command } from 'commander'

/** One result, for programs (--json) or for people. Amounts are whole minor units in both. */
export function print(command: Command, result: object, forPeople: string): void {
  const { json } = command.optsWithGlobals<{ json?: boolean }>()
  process.stdout.write(json ? `${toJson(result)}\n` : `${forPeople.trimEnd()}\n`)
}

export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? Number(part) : part), 2)
}

/** Columns as wide as their widest cell. */
export function table(header: string[], rows: string[][]): string {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function facts(rows: [name: string, value: string][]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}
