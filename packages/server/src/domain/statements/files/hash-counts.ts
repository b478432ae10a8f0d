import { hash as digest } from 'node:crypto'

/** How often a text came. */
export type Counts = { get: (text: string) => number; set: (text: string, count: number) => void }

/** By 52 bits of a hash: at most 36 bytes each. A file may have a million lines, and whole keys would take hundreds of megabytes. */
export function hashCounts(): Counts {
  let table = newTable(1024)
  let used = 0
  return {
    get: (text) => table.counts[slotOf(table, hashOf(text))] ?? 0,
    set: (text, count) => {
      const hash = hashOf(text)
      if (table.hashes[slotOf(table, hash)] === 0 && ++used * 4 > table.hashes.length * 3) table = grown(table)
      const slot = slotOf(table, hash)
      table.hashes[slot] = hash
      table.counts[slot] = count
    },
  }
}

type Table = { hashes: Float64Array; counts: Uint32Array }

function newTable(size: number): Table {
  return { hashes: new Float64Array(size), counts: new Uint32Array(size) }
}

/** Never 0, which marks a free slot. */
function hashOf(text: string): number {
  return Number.parseInt(digest('sha256', text, 'hex').slice(0, 13), 16) || 1
}

/** The slot of the hash, or the free one in which it would be. */
function slotOf({ hashes }: Table, hash: number): number {
  let slot = hash % hashes.length
  while (hashes[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) % hashes.length
  return slot
}

function grown(old: Table): Table {
  const table = newTable(old.hashes.length * 2)
  for (const [at, hash] of old.hashes.entries()) {
    if (hash === 0) continue
    const slot = slotOf(table, hash)
    table.hashes[slot] = hash
    table.counts[slot] = old.counts[at] ?? 0
  }
  return table
}
