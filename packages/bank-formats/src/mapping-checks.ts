export type Json = Record<string, unknown>

const show = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ')
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && value.length <= 100

/** Each returns a value that fits and notes what did not. */
export function checks(problems: string[]) {
  const problem = (text: string) => void problems.push(text)
  const text = (name: string, value: unknown): string => {
    if (isText(value)) return value
    problem(`${name} must be a text of 1 to 100 characters`)
    return ''
  }
  return {
    problem,
    text,
    object(name: string, value: unknown, keys: string[]): Json {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        problem(`${name} must be an object`)
        return {}
      }
      for (const key of Object.keys(value))
        if (!keys.includes(key))
          problem(`${name} has ${JSON.stringify(key.slice(0, 40))}; known are ${keys.join(', ')}`)
      return value as Json
    },
    texts(name: string, value: unknown): string[] {
      const list: unknown[] = Array.isArray(value) ? value : [value]
      if (list.length > 0 && list.length <= 50 && list.every(isText)) return list
      problem(`${name} must be a text, or a list of 1 to 50 texts`)
      return []
    },
    oneOf<T>(name: string, value: unknown, known: readonly T[]): T {
      if (!known.includes(value as T)) problem(`${name} must be one of ${show(known)}`)
      return value as T
    },
    someOf<T>(name: string, value: unknown, known: readonly T[], least = 1): T[] {
      if (Array.isArray(value) && value.length >= least && value.every((one) => known.includes(one as T)))
        return value as T[]
      problem(`${name} must be a list of ${show(known)}`)
      return []
    },
    count(name: string, value: unknown): number {
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 20) return value
      problem(`${name} must be a whole number from 0 to 20`)
      return 0
    },
    currency(value: unknown): string {
      if (typeof value !== 'string' || !/^[A-Z]{3}$/.test(value)) problem('currency must be three letters, such as TRY')
      return String(value)
    },
  }
}
