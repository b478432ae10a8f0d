// Buttons that copy a text, also those that a live page adds later. Without this script they are not shown.
document.documentElement.classList.add('can-copy')
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('[data-copy]') : null
  const { copy: text, copied = '' } = button?.dataset ?? {}
  if (!button || text === undefined) return
  const [label, name] = [button.textContent, button.getAttribute('aria-label')]
  const show = (shown: string, named: string | null) => {
    button.textContent = shown
    if (named !== null) button.setAttribute('aria-label', named)
  }
  void navigator.clipboard.writeText(text).then(() => {
    if (label === copied) return
    show(copied, name && copied)
    setTimeout(show, 2000, label, name)
  })
})
