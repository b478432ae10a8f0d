// The page works without this file. It adds live status updates, copy buttons, a countdown, a bank filter and printing.
;(() => {
  type News = { version: number; screen: string; left: number; html?: string }

  const find = (selector: string, from: ParentNode = document) => from.querySelector<HTMLElement>(selector)
  const findFilter = (from: ParentNode = document) => from.querySelector<HTMLInputElement>('#filter')
  const findDetails = (from: ParentNode = document) => from.querySelector('details')
  /** For elements that every page has. */
  const must = (selector: string) => find(selector) as HTMLElement
  const path = document.body.dataset['path'] ?? ''
  const main = () => must('#main')
  const POLL_MS = 15000
  const TIMEOUT_MS = 10000
  const COPIED_MS = 2500
  const MAX_MINUTES = 90
  const QR_MS = 240000
  const timers = new WeakMap<Element, number>()
  let stream: EventSource | null = null
  let endsAt = 0

  const say = (text: string) => {
    must('#said').textContent = text.replace(/\s+/g, ' ').trim()
  }

  const showOffline = (offline: boolean) => {
    const box = must('#offline')
    if (box.hidden === offline) say(offline ? box.textContent : must('#title').textContent)
    box.hidden = !offline
  }

  // Status updates
  const check = async () => {
    const { version = '', screen = '' } = main().dataset
    const query = new URLSearchParams(location.search)
    query.set('version', version)
    query.set('screen', screen)
    try {
      // A request sent before the phone went to sleep may never return; the next one must not wait for it.
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const response = await fetch(`${path}/status?${query}`, { cache: 'no-store', signal })
      if (response.ok) apply((await response.json()) as News)
      showOffline(false)
    } catch {
      // Offline, or the service is restarting: the next poll tries again.
      showOffline(true)
    }
  }

  // Responses may arrive out of order: the higher version is newer.
  const apply = (news: News) => {
    const { version, screen } = main().dataset
    const newer = news.version > Number(version) || (news.version === Number(version) && news.screen !== screen)
    if (newer && news.html) swap(news.html)
    else if (news.version === Number(version)) endsAt = performance.now() + news.left * 1000
    tick()
  }

  const swap = (markup: string) => {
    const old = main()
    const focused = document.activeElement
    const focusedId = old.contains(focused) ? focused?.id || 'title' : null
    const chosen = find('input:checked', old)?.id
    const filter = findFilter(old)?.value
    const opened = findDetails(old)?.open
    const top = window.scrollY
    const template = document.createElement('template')
    template.innerHTML = markup
    const next = template.content.firstElementChild as HTMLElement
    const sameScreen = next.dataset['screen'] === old.dataset['screen']
    old.replaceWith(next)
    document.title = next.dataset['title'] ?? document.title
    if (sameScreen) {
      if (chosen) document.getElementById(chosen)?.click()
      const details = findDetails()
      if (opened && details) details.open = true
      const field = findFilter()
      if (filter && field) field.value = filter
    }
    prepare()
    if (focusedId) (document.getElementById(focusedId) ?? must('#title')).focus({ preventScroll: true })
    window.scrollTo(0, top)
    if (!sameScreen) {
      must('#title').scrollIntoView({ block: 'nearest' })
      say(must('#title').textContent)
    }
  }

  const listen = () => {
    stream?.close()
    stream = null
    if (!('live' in main().dataset)) return
    stream = new EventSource(`${path}/events`)
    stream.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (Number(data) > Number(main().dataset['version'])) void check()
    })
  }

  // The code in the picture works once, and for five minutes.
  const renewQr = () => {
    const picture = find('#qr') as HTMLImageElement | null
    if (!picture || document.visibilityState !== 'visible') return
    const address = new URL(picture.src)
    address.searchParams.set('at', String(performance.now()))
    picture.src = address.href
  }

  const refresh = () => {
    if (document.visibilityState !== 'visible') return
    void check()
    listen()
    renewQr()
  }

  // Countdown
  const tick = () => {
    const box = find('#countdown')
    if (!box) return
    const left = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))
    const near = left <= Number(box.dataset['from'])
    box.classList.toggle('near', near)
    const minutes = Math.ceil(left / 60)
    const clock = `${box.dataset['label']} ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
    // Hours and days are easier to read as the time of the deadline.
    const wait = minutes <= MAX_MINUTES ? (box.dataset['minutes'] ?? '').replace('#', String(minutes)) : ''
    box.textContent = near ? clock : wait
    if (left === 0 && !box.dataset['over']) {
      box.dataset['over'] = 'yes'
      void check()
    }
  }

  // Copy buttons
  const copy = async (button: HTMLButtonElement, text: string) => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      copyBySelection(text, button)
    }
    const label = button.firstElementChild as HTMLElement
    const before = label.dataset['before'] ?? label.textContent
    label.dataset['before'] = before
    label.textContent = button.dataset['done'] ?? ''
    button.classList.add('done')
    say(button.textContent)
    clearTimeout(timers.get(button))
    const timer = setTimeout(() => {
      label.textContent = before
      button.classList.remove('done')
    }, COPIED_MS)
    timers.set(button, timer)
  }

  // Browsers offer the clipboard API only over https; a selection can still be copied.
  const copyBySelection = (text: string, button: HTMLButtonElement) => {
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'quiet'
    button.after(field)
    field.select()
    document.execCommand('copy')
    field.remove()
    button.focus({ preventScroll: true })
  }

  // Bank filter: ı and i, ş and s are equal, because not every keyboard has the Turkish letters.
  const fold = (text: string) =>
    text
      .toLocaleLowerCase('tr')
      .replaceAll('ı', 'i')
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
  const applyFilter = (field: HTMLInputElement) => {
    const wanted = fold(field.value.trim())
    const banks = [...document.querySelectorAll<HTMLElement>('.banks .bank')]
    for (const bank of banks) {
      bank.hidden = !fold(find('b', bank)?.textContent ?? '').includes(wanted)
      const choice = bank.firstElementChild as HTMLInputElement
      // What is not seen must not be submitted: back to FAST, or to no choice.
      if (bank.hidden && choice.checked) {
        choice.checked = false
        document.getElementById('bank-FAST')?.click()
      }
    }
    const left = banks.filter((bank) => !bank.hidden).length
    const none = must('#none')
    none.hidden = left > 0
    say(left > 0 ? `${field.dataset['options']}: ${left}` : none.textContent)
  }

  const prepare = () => {
    endsAt = performance.now() + Number(main().dataset['left']) * 1000
    const field = findFilter()
    if (field?.value) applyFilter(field)
    if (!('live' in main().dataset)) stream?.close()
    tick()
  }

  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest('button')
    const text = button?.dataset['copy']
    if (button && text) void copy(button, text)
    if (button?.classList.contains('print')) window.print()
  })
  document.addEventListener('input', (event) => {
    const field = event.target as HTMLInputElement
    if (field.id === 'filter') applyFilter(field)
  })
  // Enter in the filter must not submit the form.
  document.addEventListener('keydown', (event) => {
    if ((event.target as Element).id === 'filter' && event.key === 'Enter') event.preventDefault()
  })
  // Customers switch to their banking app and back several times.
  document.addEventListener('visibilitychange', refresh)
  window.addEventListener('online', refresh)
  window.addEventListener('offline', () => showOffline(true))
  window.addEventListener('pageshow', (event) => event.persisted && refresh())
  setInterval(() => 'live' in main().dataset && void check(), POLL_MS)
  setInterval(tick, 1000)
  setInterval(renewQr, QR_MS)
  prepare()
  if (document.readyState === 'complete') listen()
  else window.addEventListener('load', listen)
})()
