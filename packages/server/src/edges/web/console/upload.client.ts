// A file that is dropped on a form is sent with it.
{
  const formAt = (event: DragEvent) =>
    event.target instanceof Element ? event.target.closest<HTMLFormElement>('form[data-drop]') : null
  const inputOf = (form: HTMLFormElement | null) =>
    form?.querySelector<HTMLInputElement>('input[type=file]:enabled') ?? null
  const light = (form: HTMLFormElement | null) => {
    for (const one of document.querySelectorAll('form[data-drop]')) one.classList.toggle('over', one === form)
  }

  document.addEventListener('dragover', (event) => {
    const form = formAt(event)
    // Also beside the form: a browser would otherwise leave the page and show the file.
    if (document.querySelector('form[data-drop]')) event.preventDefault()
    light(inputOf(form) && form)
  })
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) light(null)
  })
  document.addEventListener('drop', (event) => {
    if (document.querySelector('form[data-drop]')) event.preventDefault()
    light(null)
    const form = formAt(event)
    const input = inputOf(form)
    if (!input || !event.dataTransfer || event.dataTransfer.files.length !== 1) return
    input.files = event.dataTransfer.files
    form?.requestSubmit()
  })
}
