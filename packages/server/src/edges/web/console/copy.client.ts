// Buttons that copy a text, also those that a live page adds later. Without this script they are not shown.
document.documentElement.classList.add('can-copy')
document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('[data-copy]') : null
  const { copy: text, copied = '' } = button?.dataset ?? {}
  if (!button || text === undefined) return
  const label = button.textContent
  void navigator.clipboard.writeText(text).then(() => {
    if (label === copied) return
    button.textContent = copied
    setTimeout(() => (button.textContent = label), 2000)
  })
})
