// Pages are complete without this script; it brings their live parts up to date.
{
  const MAX_PAUSE_MS = 60_000
  const RETRY_MS = 2000
  const SAID_AFTER_MS = 4000
  const MAX_RETRIES = 5
  /** What a person has typed, chosen or opened is theirs. */
  const OWN = new Set(['value', 'checked', 'open', 'class'])

  const main = document.querySelector<HTMLElement>('main[data-live]')
  const state = document.querySelector<HTMLElement>('#live')

  // Merging: elements that stay are the same ones, so that focus, typed text and scroll position stay, too.
  const keyOf = (node: Node) => (node instanceof HTMLElement ? (node.dataset['item'] ?? null) : null)
  const isGone = (node: Node) => node instanceof Element && node.classList.contains('gone')
  const partsOf = (node: Node) =>
    [...node.childNodes].filter((one) => one instanceof Element || (one.textContent ?? '').trim() !== '')
  const seenIn = (item: Element) =>
    [...item.querySelectorAll<HTMLInputElement>('input[name=seen]')].map(({ value }) => value).join()

  const note = (item: Element, kind: 'gone' | 'changed') => {
    // Who decided, if the page knows it.
    const ended = kind === 'gone' ? document.querySelector(`[data-ended="${keyOf(item)}"]`)?.textContent : undefined
    const text = ended ?? item.closest<HTMLElement>('[data-gone]')?.dataset[kind]
    if (text === undefined || item.classList.contains(kind)) return
    const line = document.createElement('p')
    line.className = 'say'
    line.textContent = text
    item.classList.add(kind)
    item.prepend(line)
  }

  /** Items to decide on stay, with a note; anything else goes. */
  const retire = (node: ChildNode) => {
    const items = node instanceof Element ? [node, ...node.querySelectorAll('[data-item]')].filter(keyOf) : []
    const kept = items.filter((item) => item.closest('[data-gone]'))
    if (kept.length === 0) node.remove()
    for (const item of kept) note(item, 'gone')
  }

  const mergeAttributes = (old: Element, next: Element) => {
    for (const { name, value } of next.attributes)
      if (!OWN.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value)
    for (const name of old.getAttributeNames())
      if (!OWN.has(name) && !next.hasAttribute(name)) old.removeAttribute(name)
    const isCurrent = old.classList.contains('current')
    if (old.className !== next.className) old.className = next.className
    if (isCurrent) old.classList.add('current')
  }

  const merge = (old: ChildNode, next: ChildNode) => {
    if (!(old instanceof Element) || !(next instanceof Element)) {
      if (old.textContent !== next.textContent) old.textContent = next.textContent
      return
    }
    // A decision is bound to what was on the screen.
    if (keyOf(old) !== null && seenIn(old) !== seenIn(next)) return note(old, 'changed')
    mergeAttributes(old, next)
    mergeChildren(old, next)
  }

  const mergeChildren = (old: Element, next: Element) => {
    const before = partsOf(old).filter((one) => !isGone(one))
    const keyed = new Map(before.map((one) => [keyOf(one), one]))
    const others = before.filter((one) => keyOf(one) === null)
    let last: ChildNode | null = null
    const place = (node: ChildNode) => (last ? last.after(node) : old.prepend(node))
    for (const wanted of partsOf(next)) {
      const key = keyOf(wanted)
      const found = key === null ? others.shift() : keyed.get(key)
      if (key !== null) keyed.delete(key)
      if (found && found.nodeName === wanted.nodeName) {
        merge(found, wanted)
        last = found
        continue
      }
      const made = document.importNode(wanted, true)
      place(made)
      last = made
      if (found) retire(found)
      // It is back.
      if (key !== null) old.querySelector(`:scope > .gone[data-item="${key}"]`)?.remove()
    }
    keyed.delete(null)
    for (const left of [...others, ...keyed.values()]) retire(left)
  }

  const apply = (page: Document) => {
    for (const next of page.querySelectorAll<HTMLElement>('[data-part]')) {
      const old = main?.querySelector(`[data-part="${next.dataset['part']}"]`)
      if (old) merge(old, next)
    }
  }

  if (main) {
    let stream: EventSource | null = null
    let [wanted, failures, ended] = ['', 0, false]
    let timer = 0
    let [due, saying] = [0, '']
    /** Not of a page that is being left, nor of one whose stream comes back at once. */
    const say = (kind: 'lost' | 'ended' | '') => {
      if (kind === saying) return
      saying = kind
      clearTimeout(due)
      const show = () => {
        if (state) state.textContent = state.dataset[kind] ?? ''
      }
      if (kind === '') show()
      else due = window.setTimeout(show, SAID_AFTER_MS)
    }

    const end = () => {
      ended = true
      stream?.close()
      clearTimeout(timer)
      say('ended')
    }

    /** Only the version that the stream told about: another process may not have it yet. */
    const fetchPage = async (version: string, retries = 0): Promise<void> => {
      if (version !== wanted || version === main.dataset['version'] || ended) return
      try {
        const headers = { 'x-vezne-live': '1' }
        const response = await fetch(main.dataset['at'] ?? '', { headers, cache: 'no-store', redirect: 'manual' })
        if (response.type === 'opaqueredirect') return end()
        const page = new DOMParser().parseFromString(response.ok ? await response.text() : '', 'text/html')
        if (page.querySelector<HTMLElement>('main')?.dataset['version'] === version) {
          apply(page)
          main.dataset['version'] = version
          return
        }
      } catch {
        // The stream notices that the service is away.
      }
      if (retries < MAX_RETRIES) setTimeout(() => void fetchPage(version, retries + 1), RETRY_MS)
    }

    const close = () => {
      stream?.close()
      stream = null
      clearTimeout(timer)
    }

    const open = () => {
      close()
      if (ended || document.visibilityState !== 'visible') return
      const opened = new EventSource(main.dataset['live'] ?? '')
      stream = opened
      opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
        failures = 0
        say('')
        wanted = data
        void fetchPage(data)
      })
      opened.addEventListener('end', end)
      opened.addEventListener('error', () => {
        if (stream !== opened || ended) return
        close()
        failures += 1
        say('lost')
        const pause = Math.min(MAX_PAUSE_MS, 1000 * 2 ** failures)
        // Not all pages at the same moment.
        timer = window.setTimeout(open, pause * (0.5 + (performance.now() % 1000) / 2000))
      })
    }

    document.addEventListener('visibilitychange', open)
    window.addEventListener('online', open)
    window.addEventListener('pagehide', () => {
      close()
      if (!ended) say('')
    })
    window.addEventListener('pageshow', (event) => event.persisted && open())
    open()
  }
}
