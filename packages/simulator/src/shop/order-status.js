// Reloads the order page when its state has changed. Without scripts, the link on the page does the same.
const order = document.getElementById('order')

async function ask() {
  if (document.hidden) return
  try {
    const answer = await fetch(order.dataset.ask, { cache: 'no-store' })
    const { status } = await answer.json()
    if (typeof status === 'string' && status !== order.dataset.status) location.reload()
  } catch {
    // Offline: the next poll tries again.
  }
}

setInterval(() => void ask(), 2000)
// When people return from their bank app, polls at once.
document.addEventListener('visibilitychange', () => void ask())
