// The page works without this file. It adds: the newest state by itself, copying, the last minutes, a filter, printing.
;(() => {
  const $ = (selector, from = document) => from.querySelector(selector)
  const path = document.body.dataset.path
  const main = () => $('#main')
  const POLL_MS = 15000
  const PATIENCE_MS = 10000
  let stream = null
  let endsAt = 0

  document.documentElement.classList.add('js')

  const say = (text) => {
    $('#said').textContent = text.replace(/\s+/g, ' ').trim()
  }

  // News
  const check = async () => {
    const { version, screen } = main().dataset
    const query = new URLSearchParams(location.search)
    query.set('version', version)
    query.set('screen', screen)
    try {
      // A request from before the phone slept may never be answered; the next one must not wait behind it.
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const answer = await fetch(`${path}/status?${query}`, { cache: 'no-store', signal })
      if (answer.ok) take(await answer.json())
    } catch {
      // Offline or restarting: the next look finds out.
    }
  }

  // Answers may overtake each other: of two, the one with the higher version is newer.
  const take = (news) => {
    const { version, screen } = main().dataset
    const newer = news.version > Number(version) || (news.version === Number(version) && news.screen !== screen)
    if (newer && news.html) swap(news.html)
    else if (news.version === Number(version)) endsAt = performance.now() + news.left * 1000
    tick()
  }

  const swap = (markup) => {
    const old = main()
    const held = document.activeElement
    const heldId = old.contains(held) ? held.id || 'title' : null
    const chosen = $('input:checked', old)?.id
    const filter = $('#filter', old)?.value
    const opened = $('details', old)?.open
    const top = window.scrollY
    const template = document.createElement('template')
    template.innerHTML = markup
    const next = template.content.firstElementChild
    const sameScreen = next.dataset.screen === old.dataset.screen
    old.replaceWith(next)
    if (sameScreen) {
      if (chosen) document.getElementById(chosen)?.click()
      if (opened && $('details')) $('details').open = true
      if (filter && $('#filter')) $('#filter').value = filter
    }
    prepare()
    if (heldId) (document.getElementById(heldId) || $('#title')).focus({ preventScroll: true })
    window.scrollTo(0, top)
    if (!sameScreen) {
      $('#title').scrollIntoView({ block: 'nearest' })
      say($('#title').textContent)
    }
  }

  const listen = () => {
    stream?.close()
    stream = null
    if (!('live' in main().dataset)) return
    stream = new EventSource(`${path}/events`)
    stream.addEventListener('message', ({ data }) => {
      if (Number(data) > Number(main().dataset.version)) void check()
    })
  }

  const comeBack = () => {
    if (document.visibilityState !== 'visible') return
    void check()
    listen()
  }

  // The last minutes
  const tick = () => {
    const box = $('#countdown')
    if (!box) return
    const left = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))
    box.hidden = left > Number(box.dataset.from)
    const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
    box.textContent = `${box.dataset.label} ${clock}`
    if (left === 0 && !box.dataset.over) {
      box.dataset.over = 'yes'
      void check()
    }
  }

  // Copying
  const copy = async (button) => {
    const text = button.dataset.copy
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      copyBySelection(text, button)
    }
    const label = button.firstElementChild
    const before = label.dataset.before || label.textContent
    label.dataset.before = before
    label.textContent = button.dataset.done
    button.classList.add('done')
    say(button.textContent)
    clearTimeout(button.timer)
    button.timer = setTimeout(() => {
      label.textContent = before
      button.classList.remove('done')
    }, 2500)
  }

  // Where the page is not served by https, browsers have no clipboard; a selection can still be copied.
  const copyBySelection = (text, button) => {
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'quiet'
    button.after(field)
    field.select()
    document.execCommand('copy')
    field.remove()
    button.focus({ preventScroll: true })
  }

  // The filter. ı and İ, ş and s: people type what their keyboard has.
  const fold = (text) =>
    text
      .toLocaleLowerCase('tr')
      .replaceAll('ı', 'i')
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
  const applyFilter = (field) => {
    const wanted = fold(field.value.trim())
    const banks = [...document.querySelectorAll('.bank')]
    for (const bank of banks) bank.hidden = !fold($('b', bank).textContent).includes(wanted)
    say(`${field.dataset.options}: ${banks.filter((bank) => !bank.hidden).length}`)
  }

  const prepare = () => {
    endsAt = performance.now() + Number(main().dataset.left) * 1000
    const field = $('#filter')
    if (field && document.querySelectorAll('.bank').length > 8) {
      field.parentElement.hidden = false
      if (field.value) applyFilter(field)
    }
    if (!('live' in main().dataset)) stream?.close()
    tick()
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('button')
    if (button?.dataset.copy) void copy(button)
    if (button?.classList.contains('print')) window.print()
  })
  document.addEventListener('input', (event) => {
    if (event.target.id === 'filter') applyFilter(event.target)
  })
  // Enter in the filter is no choice of a bank.
  document.addEventListener('keydown', (event) => {
    if (event.target.id === 'filter' && event.key === 'Enter') event.preventDefault()
  })
  // Customers go to their bank's app and come back, several times.
  document.addEventListener('visibilitychange', comeBack)
  window.addEventListener('online', comeBack)
  window.addEventListener('pageshow', (event) => event.persisted && comeBack())
  setInterval(() => 'live' in main().dataset && void check(), POLL_MS)
  setInterval(tick, 1000)
  prepare()
  if (document.readyState === 'complete') listen()
  else window.addEventListener('load', listen)
})()
