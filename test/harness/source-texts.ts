// Reads texts out of source files, for tests that every text has words in another language.

/** The literals of an expression outside of its calls' brackets; `{}` for each inserted value. */
export function literalsOf(expression: string): string[] {
  const found: string[] = []
  let between = ''
  for (let at = 0; at < expression.length; at++) {
    const quote = expression[at] ?? ''
    if (quote !== "'" && quote !== '`' && quote !== '"') {
      between += quote
      continue
    }
    const end = endOfLiteral(expression, at)
    const text = textOf(expression.slice(at + 1, end), quote)
    if (between.trim() === '+') found.push((found.pop() ?? '') + text)
    else found.push(text)
    between = ''
    at = end
  }
  return found
}

function endOfLiteral(text: string, from: number): number {
  const quote = text[from]
  let at = from + 1
  while (at < text.length && text[at] !== quote) {
    if (text[at] === '\\') at += 1
    else if (quote === '`' && text.startsWith('${', at)) at = endOfValue(text, at + 2)
    at += 1
  }
  return at
}

/** Where the bracket of an inserted value closes. */
function endOfValue(text: string, from: number): number {
  let [at, depth] = [from, 1]
  while (at < text.length) {
    const here = text[at] ?? ''
    if (here === "'" || here === '`' || here === '"') at = endOfLiteral(text, at)
    else if (here === '{') depth += 1
    else if (here === '}') depth -= 1
    if (depth === 0) return at
    at += 1
  }
  return at
}

function textOf(inside: string, quote: string): string {
  let text = ''
  for (let at = 0; at < inside.length; at++) {
    if (quote === '`' && inside.startsWith('${', at)) {
      text += '{}'
      at = endOfValue(inside, at + 2)
    } else if (inside[at] === '\\') text += inside[(at += 1)] ?? ''
    else text += inside[at] ?? ''
  }
  return text
}

/** The arguments of a call that begins at the bracket. */
export function argumentsAt(text: string, from: number): string[] {
  const found = ['']
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const here = text[at] ?? ''
    if (here === "'" || here === '`' || here === '"') {
      const end = endOfLiteral(text, at)
      found.push((found.pop() ?? '') + text.slice(at, end + 1))
      at = end
      continue
    }
    if ('([{'.includes(here)) depth += 1
    if (')]}'.includes(here)) depth -= 1
    if (depth === 0) return found.map((one) => one.trim())
    if (here === ',' && depth === 1) found.push('')
    else if (depth > 1 || here !== '(') found.push((found.pop() ?? '') + here)
  }
  return found
}
