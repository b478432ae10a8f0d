/** As many as a deployment has in use at a time; past it everything is forgotten and worked out anew. */
const MOST = 10_000

/** Remembers what follows from a text alone. For texts that nobody can make up in great numbers or lengths. */
export function workOutOnce<Value>(workOut: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size >= MOST) known.clear()
    const value = workOut(text)
    known.set(text, value)
    return value
  }
}
