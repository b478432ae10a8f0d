import { appendFileSync, readFileSync } from 'node:fs'

// Loaded into a measured process by NODE_OPTIONS: when it ends, adds the most memory that it ever had, in MB, to the file PEAK_FILE.

const file = process.env['PEAK_FILE']
if (file) process.once('exit', () => appendFileSync(file, `${peakMb()}\n`))

/** The most memory that this process ever had. Linux counts that of the parent into `maxRSS`, so its own count is read where there is one. */
export function peakMb(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    if (kilobytes !== undefined) return Number(kilobytes) / 1024
  } catch {
    // Not Linux.
  }
  return process.resourceUsage().maxRSS / 1024
}
