/** An element; its name is without prefix. */
export type XmlNode = {
  name: string
  namespace: string | null
  attributes: Map<string, string>
  children: XmlNode[]
  text: string
}

/** The file is not what the bank accepts. */
export class OrderError extends Error {}

const TOKEN =
  /<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[([^]*?)\]\]>|<\/([\w.:-]+)\s*>|<([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/gy
const ATTRIBUTE = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** A small reader of whole documents. Document types and entities of their own are refused. */
export function readXml(text: string): XmlNode {
  const root = newNode('', new Map())
  const open = [root]
  TOKEN.lastIndex = 0
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(text)
    if (!token) throw new OrderError(`not XML at character ${at + 1}`)
    take(open, token)
  }
  const [document, ...others] = root.children
  if (open.length > 1) throw new OrderError(`<${open.at(-1)?.name}> is not closed`)
  if (!document || others.length > 0 || root.text.trim() !== '') throw new OrderError('not one XML document')
  return document
}

function take(open: XmlNode[], [, data, closing, opening, attributes = '', isEmpty, text]: RegExpExecArray): void {
  const parent = open.at(-1) as XmlNode
  if (data !== undefined) parent.text += data
  else if (text !== undefined) parent.text += decoded(text)
  else if (opening !== undefined) {
    const node = newNode(localName(opening), attributesIn(attributes))
    const prefix = opening.includes(':') ? `xmlns:${opening.split(':', 1)[0]}` : 'xmlns'
    node.namespace = node.attributes.get(prefix) ?? parent.namespace
    parent.children.push(node)
    if (isEmpty === '') open.push(node)
  } else if (closing !== undefined) {
    if (open.length === 1 || localName(closing) !== parent.name)
      throw new OrderError(`found </${closing}>, expected </${parent.name}>`)
    open.pop()
  }
}

function newNode(name: string, attributes: Map<string, string>): XmlNode {
  return { name, namespace: null, attributes, children: [], text: '' }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function attributesIn(text: string): Map<string, string> {
  return new Map([...text.matchAll(ATTRIBUTE)].map(([, name = '', a, b]) => [name, decoded(a ?? b ?? '')]))
}

function decoded(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));?/gi, (whole, hex, decimal, name: string) => {
    const code = hex ? Number.parseInt(hex as string, 16) : Number(decimal)
    const letter = name ? ENTITIES[name] : code <= 0x10ffff ? String.fromCodePoint(code) : undefined
    if (letter === undefined || !whole.endsWith(';')) throw new OrderError(`found ${whole}, which is no entity of XML`)
    return letter
  })
}

export function child(node: XmlNode | undefined, ...path: string[]): XmlNode | undefined {
  return path.reduce<XmlNode | undefined>((at, name) => at?.children.find((one) => one.name === name), node)
}

export function childText(node: XmlNode | undefined, ...path: string[]): string | null {
  return child(node, ...path)?.text.trim() || null
}

export function mustText(node: XmlNode | undefined, maxLength: number, ...path: string[]): string {
  const text = childText(node, ...path)
  if (text === null) throw new OrderError(`<${path.join('/')}> is missing`)
  if (text.length > maxLength) throw new OrderError(`<${path.join('/')}> is longer than ${maxLength} characters`)
  return text
}
