// Buttons that copy a text. They are hidden without this script.

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(button.dataset['copy'] ?? '').then(() => {
      button.textContent = button.dataset['copied'] ?? label
      setTimeout(() => (button.textContent = label), 2000)
    })
  })
}
