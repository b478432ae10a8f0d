// Reloads the order page when its state has changed. Without scripts, the link on the page does the same.
const order = document.getElementById('order')

async function poll(): Promise<void> {
  if (document.hidden || !order) return
  try {
    const response = await fetch(order.dataset['poll'] ?? '', { cache: 'no-store' })
    const { status } = (await response.json()) as { status?: unknown }
    if (typeof status === 'string' && status !== order.dataset['status']) location.reload()
  } catch {
    // Offline: the next poll tries again.
  }
}

setInterval(() => void poll(), 2000)
// When people return from their bank app, polls at once.
document.addEventListener('visibilitychange', () => void poll())
