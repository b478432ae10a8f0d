// A button that copies the code of a block. Without this script code is selected by hand.
{
  const { copy = '', copied = '', selected = '' } = document.body.dataset
  const NAMES: Record<string, string> = {
    sh: 'Shell',
    console: 'Shell',
    js: 'JavaScript',
    ts: 'TypeScript',
    python: 'Python',
    php: 'PHP',
    java: 'Java',
    go: 'Go',
    csharp: 'C#',
    json: 'JSON',
    sql: 'SQL',
  }

  /** Of a terminal only what was typed, without the prompt; null: there is nothing to type. */
  const codeOf = (block: HTMLPreElement) => {
    const text = block.textContent ?? ''
    if (!block.classList.contains('console')) return text
    const typed = text.split('\n').filter((line) => line.startsWith('$ '))
    return typed.length > 0 ? typed.map((line) => line.slice(2)).join('\n') : null
  }

  for (const block of document.querySelectorAll<HTMLPreElement>('main pre')) {
    const text = codeOf(block)
    const language = NAMES[block.className]
    if (text === null || !language) continue
    const frame = document.createElement('div')
    const bar = document.createElement('div')
    const name = document.createElement('span')
    const button = document.createElement('button')
    frame.className = 'code'
    name.textContent = language
    button.type = 'button'
    button.textContent = copy
    bar.append(name, button)
    block.replaceWith(frame)
    frame.append(bar, block)
    const say = (word: string) => {
      button.textContent = word
      setTimeout(() => (button.textContent = copy), 2000)
    }
    const select = () => {
      getSelection()?.selectAllChildren(block)
      say(selected)
    }
    button.addEventListener('click', () => {
      // Only on https or on this machine there is one.
      const clipboard = navigator.clipboard as Clipboard | undefined
      if (clipboard) clipboard.writeText(text).then(() => say(copied), select)
      else select()
    })
  }

  // The list of pages is longer than the window.
  const here = document.querySelector<HTMLElement>('nav a[aria-current]')
  const menu = document.getElementById('menu')
  if (here && menu) menu.scrollTop = here.offsetTop - menu.offsetTop - menu.clientHeight / 3
}
