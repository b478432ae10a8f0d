// Everything works without this script; it adds the keyboard.

const inField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement

/** Rows that open something, and cards to decide on. */
const items = () => [...document.querySelectorAll<HTMLElement>('tr[data-href], [data-item]')]

let at = -1

function move(step: number): void {
  const all = items()
  if (all.length === 0) return
  all[at]?.classList.remove('current')
  at = Math.min(all.length - 1, Math.max(0, at + step))
  const now = all[at]
  now?.classList.add('current')
  const focus = now?.querySelector<HTMLElement>('a, button, input:not([type=hidden])')
  focus?.focus()
  now?.scrollIntoView({ block: 'nearest' })
}

/** Presses the button of the current card whose form ends so. */
function press(end: string): void {
  const form = items()[at]?.querySelector<HTMLFormElement>(`form[action$="${end}"]`)
  form?.querySelector<HTMLElement>('input:not([type=hidden]), button')?.focus()
}

const KEYS: Record<string, () => void> = {
  '/': () => document.querySelector<HTMLElement>('#find')?.focus(),
  j: () => move(1),
  k: () => move(-1),
  a: () => press('/approve'),
  r: () => press('/reject'),
  '?': () => document.querySelector('.keys')?.scrollIntoView(),
}

document.addEventListener('keydown', (event) => {
  const isFind = event.key === 'k' && (event.ctrlKey || event.metaKey)
  if (!isFind && (event.ctrlKey || event.metaKey || event.altKey || inField(event.target))) return
  const act = isFind ? KEYS['/'] : KEYS[event.key.toLowerCase()]
  if (!act) return
  event.preventDefault()
  act()
})

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => window.print())
}
