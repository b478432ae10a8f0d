// A second click that was meant for the same button must not decide about what has taken its place on the next page.
{
  const WITHIN_MS = 800
  const WITHIN_PX = 24
  const KEPT = 'vezne-click'

  document.addEventListener(
    'click',
    (event) => {
      const button = event.target instanceof Element && event.target.closest('form[method=post] button')
      // Keys and scripts have no detail.
      if (!button || event.detail === 0) return
      const { clientX: x, clientY: y } = event
      const at = performance.timeOrigin + event.timeStamp
      const last = JSON.parse(sessionStorage.getItem(KEPT) ?? '{"at":0,"x":0,"y":0}') as Record<
        'at' | 'x' | 'y',
        number
      >
      sessionStorage.setItem(KEPT, JSON.stringify({ at, x, y }))
      if (at - last.at < WITHIN_MS && Math.hypot(x - last.x, y - last.y) < WITHIN_PX) event.preventDefault()
    },
    true,
  )
}
