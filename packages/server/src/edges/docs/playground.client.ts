// Computes the signature of a request as one types, and names the mistake behind another one.
{
  const form = document.querySelector<HTMLFormElement>('form.playground')
  type Parts = { secret: string; timestamp: string; method: string; path: string; body: string }

  const bytes = (text: string) => new TextEncoder().encode(text)
  const hex = (buffer: ArrayBuffer) =>
    [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

  const hmac = async (secret: string, message: string) => {
    const key = await crypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    return crypto.subtle.sign('HMAC', key, bytes(message))
  }
  const messageOf = ({ timestamp, method, path, body }: Parts, between = '') =>
    [timestamp, method, path, body].join(between)
  const sign = async (parts: Parts) => hex(await hmac(parts.secret, messageOf(parts)))

  const written = (body: string, spaces?: number) => {
    try {
      return JSON.stringify(JSON.parse(body), null, spaces)
    } catch {
      return body
    }
  }

  /** What the signature would be with each of the usual mistakes. */
  const mistaken = async (parts: Parts): Promise<[string, string][]> => {
    const changed: [string, Partial<Parts>][] = [
      ['milliseconds', { timestamp: `${parts.timestamp}000` }],
      ['noBody', { body: '' }],
      ['noQuery', { path: parts.path.replace(/\?.*/, '') }],
      ['lowerMethod', { method: parts.method.toLowerCase() }],
      ['reserialised', { body: written(parts.body) }],
      ['spaced', { body: written(parts.body, 2) }],
      ['spaced', { body: written(parts.body).replace(/([:,])(?=["{[\d])/g, '$1 ') }],
      ['newline', { body: `${parts.body}\n` }],
      ['noPrefix', { secret: parts.secret.replace(/^vs_/, '') }],
      ['quoted', { secret: `"${parts.secret}"` }],
    ]
    const signed = changed.map(async ([name, change]): Promise<[string, string]> => [
      name,
      await sign({ ...parts, ...change }),
    ])
    const separated = ['.', ':', '\n', '|'].map(async (between): Promise<[string, string]> => [
      'dots',
      hex(await hmac(parts.secret, messageOf(parts, between))),
    ])
    const right = await hmac(parts.secret, messageOf(parts))
    const plain = hex(await crypto.subtle.digest('SHA-256', bytes(messageOf(parts))))
    const base64 = btoa(String.fromCharCode(...new Uint8Array(right)))
    const others: [string, string][] = [
      ['base64', base64],
      ['upper', hex(right).toUpperCase()],
      ['plain', plain],
    ]
    return [...others, ...(await Promise.all([...signed, ...separated]))]
  }

  /** The first part that no server would accept; what is signed with it is wrong, however it is computed. */
  const wrongPart = ({ secret, timestamp, method, path, body }: Parts): keyof Parts | null => {
    if (!/^vs_[\da-f]{64}$/.test(secret)) return 'secret'
    if (!/^\d{10}$/.test(timestamp)) return 'timestamp'
    if (!/^[A-Z]+$/.test(method)) return 'method'
    if (!path.startsWith('/')) return 'path'
    return method === 'GET' && body !== '' ? 'body' : null
  }

  if (form) {
    type Words = Record<string, string> & { parts: Record<keyof Parts, string> }
    const words = JSON.parse(form.dataset['words'] ?? '{}') as Words
    const fieldOf = (name: string) => form.elements.namedItem(name) as HTMLInputElement
    const outputOf = (name: string) => form.elements.namedItem(name) as HTMLOutputElement
    const said = form.querySelector('.said')
    const judge = async (parts: Parts, signature: string, yours: string) => {
      if (yours === '') return ''
      if (yours === signature) return words['equal']
      const found = (await mistaken(parts)).find(([, value]) => value === yours)
      return words[found?.[0] ?? 'different']
    }
    const show = async () => {
      const value = (name: string) => fieldOf(name).value
      const parts = { secret: value('secret'), timestamp: value('timestamp'), method: value('method'), path: value('path'), body: value('body') } // prettier-ignore
      outputOf('signed').textContent = messageOf(parts)
      const wrong = wrongPart(parts)
      const signature = wrong ? '' : await sign(parts)
      outputOf('signature').textContent = signature
      const verdict = wrong ? words.parts[wrong] : await judge(parts, signature, value('yours').trim())
      if (said) said.textContent = verdict ?? ''
    }
    form.addEventListener('submit', (event) => event.preventDefault())
    if ('subtle' in crypto) {
      form.addEventListener('input', () => void show())
      void show()
    } else outputOf('signature').textContent = words['insecure'] ?? ''
  }
}
