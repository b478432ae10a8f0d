/** The basket is kept in the URL and the form: three books need no session. */

export type Product = { id: string; title: string; author: string; price: bigint; usual: number }

export const PRODUCTS: Product[] = [
  { id: 'istasyon', title: 'Yağmurlu İstasyon', author: 'Nermin Aksu', price: 18_500n, usual: 1 },
  { id: 'kahve', title: 'Sıfırdan Kahve', author: 'Tolga Erden', price: 24_050n, usual: 1 },
  { id: 'haritalar', title: 'Kuzey Haritaları', author: 'Sevim Kuran', price: 32_990n, usual: 0 },
]

export const MAX_QUANTITY = 20

export type Basket = Record<string, number>

export function readBasket(get: (name: string) => unknown): Basket {
  return Object.fromEntries(PRODUCTS.map(({ id, usual }) => [id, quantity(get(id)) ?? usual]))
}

export function totalOf(basket: Basket): bigint {
  return PRODUCTS.reduce((sum, { id, price }) => sum + price * BigInt(basket[id] ?? 0), 0n)
}

function quantity(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{1,3}$/.test(value)) return null
  return Math.min(Number(value), MAX_QUANTITY)
}
