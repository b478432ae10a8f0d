// Files that are dropped on a form are sent with it.
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
    const files = event.dataTransfer?.files
    if (!input || !files || files.length === 0 || (files.length > 1 && !input.multiple)) return
    input.files = files
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

  const partsOf = (file: File) => Math.max(1, Math.ceil(file.size / PART_BYTES))

  /** One after the other. `with`: the files before it, which its preview shows too. */
  const sendInParts = async (form: HTMLFormElement, files: File[]): Promise<void> => {
    const bar = form.querySelector('progress')
    const all = files.reduce((sum, file) => sum + partsOf(file), 0)
    const sent: string[] = []
    let answer: Record<string, string> = {}
    let done = 0
    if (bar) bar.hidden = false
    for (const file of files) {
      const parts = partsOf(file)
      let upload: string | undefined
      for (let part = 0; part < parts; part++) {
        const fields = new FormData(form)
        fields.delete('file')
        if (upload !== undefined) fields.set('upload', upload)
        if (sent.length > 0) fields.set('with', sent.join(','))
        fields.set('part', String(part))
        fields.set('parts', String(parts))
        fields.append('file', file.slice(part * PART_BYTES, (part + 1) * PART_BYTES), file.name)
        answer = await sendPart(form.action, fields)
        upload = answer['upload']
        if (bar) bar.value = ++done / all
      }
      if (upload !== undefined) sent.push(upload)
    }
    location.assign(answer['next'] ?? location.href)
  }

  document.addEventListener('submit', (event) => {
    const form = event.target instanceof HTMLFormElement && 'parts' in event.target.dataset ? event.target : null
    const files = [...(inputOf(form)?.files ?? [])]
    const bytes = files.reduce((sum, file) => sum + file.size, 0)
    if (!form || bytes <= PART_BYTES) return
    event.preventDefault()
    const button = form.querySelector('button')
    if (button) button.disabled = true
    // What the service refuses, its own page says.
    sendInParts(form, files).catch(() => form.submit())
  })
}
