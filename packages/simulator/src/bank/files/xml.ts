/** An element with its content; nothing if the content is null. */
export function element(name: string, content: string | string[] | null): string {
  if (content === null) return ''
  const [bare] = name.split(' ')
  return `<${name}>${[content].flat().join('')}</${bare}>`
}

/** An element with a text; nothing if the text is null or empty. */
export function leaf(name: string, text: string | null): string {
  return text === null || text === '' ? '' : element(name, escaped(text))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function xmlDocument(namespace: string, content: string, encoding = 'UTF-8'): string {
  return `<?xml version="1.0" encoding="${encoding}"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${namespace}">\n${content}\n</Document>\n`
}
