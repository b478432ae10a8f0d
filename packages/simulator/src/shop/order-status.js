// Reloads the order's page when its state has changed. Without it, the link on the page does the same by hand.
const order = document.getElementById('order')

async function ask() {
  if (document.hidden) return
  try {
    const answer = await fetch(order.dataset.ask, { cache: 'no-store' })
    const { status } = await answer.json()
    if (typeof status === 'string' && status !== order.dataset.status) location.reload()
  } catch {
    // Offline for a moment: the next round asks again.
  }
}

setInterval(() => void ask(), 2000)
// People come back from their bank app: they should not wait for the next round.
document.addEventListener('visibilitychange', () => void ask())
