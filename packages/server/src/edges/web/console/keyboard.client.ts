// Everything works without this script; it adds the keyboard.

const inField = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio')

/** Rows that open something, and cards to decide on. */
const items = () => [...document.querySelectorAll<HTMLElement>('tr[data-href], [data-item]')]

/** The one that the page shows, until the person moves. Not its place, which changes on a live page. */
let current = items().find((item) => item.querySelector('[aria-current]') !== null)

function move(step: number): void {
  const all = items()
  if (all.length === 0) return
  current?.classList.remove('current')
  const now = all[Math.min(all.length - 1, Math.max(0, (current ? all.indexOf(current) : -1) + step))]
  current = now
  now?.classList.add('current')
  const focus = now?.querySelector<HTMLElement>('a, button, input:not([type=hidden])')
  focus?.focus()
  now?.scrollIntoView({ block: 'nearest' })
}

/** Goes to the button of the current card whose form ends so. */
function press(end: string): void {
  const form = current?.querySelector<HTMLFormElement>(`form[action$="${end}"]`)
  form?.querySelector<HTMLElement>('input:not([type=hidden]), button')?.focus()
}

/** Goes to what the page has for a key; Enter confirms it. */
function go(key: string): void {
  const found = document.querySelector<HTMLElement>(`[data-key="${key}"]`)
  found?.scrollIntoView({ block: 'center' })
  found?.focus({ preventScroll: true })
}

function showKeys(): void {
  const keys = document.querySelector<HTMLDetailsElement>('details.keys')
  if (!keys) return
  keys.open = true
  keys.querySelector('summary')?.focus()
  keys.scrollIntoView()
}

const KEYS: Record<string, () => void> = {
  '/': () => document.querySelector<HTMLElement>('#find')?.focus(),
  j: () => move(1),
  k: () => move(-1),
  a: () => press('/approve'),
  r: () => press('/reject'),
  m: () => go('m'),
  s: () => go('s'),
  '?': showKeys,
}

/** Browsers that do not know `scroll-initial-target`. */
document.querySelector('nav.side [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

const OFF = 'vezne-keys-off'
const box = document.querySelector<HTMLInputElement>('#keys-off')
if (box) {
  box.checked = localStorage.getItem(OFF) !== null
  box.addEventListener('change', () => {
    if (box.checked) localStorage.setItem(OFF, '1')
    else localStorage.removeItem(OFF)
  })
}

document.addEventListener('keydown', (event) => {
  const isFind = event.key === 'k' && (event.ctrlKey || event.metaKey)
  if (!isFind && (event.ctrlKey || event.metaKey || event.altKey || inField(event.target))) return
  const act = isFind ? KEYS['/'] : KEYS[event.key.toLowerCase()]
  if (!act || (!isFind && event.key !== '?' && box?.checked)) return
  event.preventDefault()
  act()
})

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => window.print())
}

const PRINTED = new Intl.DateTimeFormat('tr-TR', {
  timeZone: 'Europe/Istanbul',
  dateStyle: 'short',
  timeStyle: 'short',
})

/** A page may have been open for hours. Counted from its own moment: a sandbox has a clock of its own. */
window.addEventListener('beforeprint', () => {
  for (const moment of document.querySelectorAll<HTMLTimeElement>('.printed time'))
    moment.textContent = PRINTED.format(Date.parse(moment.dateTime) + performance.now())
})
