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

  const PART_BYTES = 1024 * 1024
  const MAX_TRIES = 3
  const WAIT_MS = 1000

  /** Sends one part; a lost answer is asked for again. */
  const sendPart = async (url: string, form: FormData, tries = 1): Promise<Record<string, string>> => {
    try {
      const response = await fetch(url, { method: 'POST', body: form, redirect: 'error' })
      if (response.ok) return (await response.json()) as Record<string, string>
      tries = MAX_TRIES
    } catch {
      // Offline for a moment.
    }
    if (tries >= MAX_TRIES) throw new Error('The part was not taken.')
    await new Promise((then) => setTimeout(then, WAIT_MS * tries))
    return sendPart(url, form, tries + 1)
  }

  const sendInParts = async (form: HTMLFormElement, file: File): Promise<void> => {
    const bar = form.querySelector('progress')
    const parts = Math.ceil(file.size / PART_BYTES)
    let answer: Record<string, string> = {}
    if (bar) bar.hidden = false
    for (let part = 0; part < parts; part++) {
      const fields = new FormData(form)
      fields.delete('file')
      if (answer['upload'] !== undefined) fields.set('upload', answer['upload'])
      fields.set('part', String(part))
      fields.set('parts', String(parts))
      fields.append('file', file.slice(part * PART_BYTES, (part + 1) * PART_BYTES), file.name)
      answer = await sendPart(form.action, fields)
      if (bar) bar.value = (part + 1) / parts
    }
    location.assign(answer['next'] ?? location.href)
  }

  document.addEventListener('submit', (event) => {
    const form = event.target instanceof HTMLFormElement && 'parts' in event.target.dataset ? event.target : null
    const file = inputOf(form)?.files?.[0]
    if (!form || !file || file.size <= PART_BYTES) return
    event.preventDefault()
    const button = form.querySelector('button')
    if (button) button.disabled = true
    // What the service refuses, its own page says.
    sendInParts(form, file).catch(() => form.submit())
  })
}
