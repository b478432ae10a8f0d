import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Instruction = { name: string; value: string }

const FILE = join(import.meta.dirname, '../../deploy/Dockerfile')

/** The instructions of deploy/Dockerfile by stage; each stage starts with its FROM. */
export function readDockerfile(): Instruction[][] {
  const lines = readFileSync(FILE, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: Instruction[][] = []
  for (const line of lines) {
    const [, name, value] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    if (!name || !value) throw new Error(`Not an instruction: ${line}`)
    if (name === 'FROM') stages.push([])
    stages.at(-1)?.push({ name, value })
  }
  return stages
}

export function valuesOf(stage: Instruction[], name: string): string[] {
  return stage.filter((one) => one.name === name).map(({ value }) => value)
}

/** Sources and target of the COPY lines that copy files of the repository. */
export function copiesOf(stage: Instruction[]): { sources: string[]; target: string }[] {
  return valuesOf(stage, 'COPY')
    .filter((value) => !value.startsWith('--from='))
    .map((value) => {
      const words = value.split(/\s+/)
      return { sources: words.slice(0, -1), target: words.at(-1) as string }
    })
}

/** ENTRYPOINT, CMD, or the command of HEALTHCHECK, in exec form. */
export function execForm(stage: Instruction[], name: string): string[] {
  const [value] = valuesOf(stage, name)
  const json = /\[.*\]$/.exec(value ?? '')?.[0]
  if (!json) throw new Error(`${name} is not in exec form: ${value}`)
  return JSON.parse(json) as string[]
}

export function environmentOf(stage: Instruction[]): Record<string, string> {
  const pairs = valuesOf(stage, 'ENV').flatMap((value) => value.split(/\s+/))
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
}
