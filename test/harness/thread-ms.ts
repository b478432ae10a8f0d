/** Processor time of this thread alone, in milliseconds: what else the machine does meanwhile does not count. */
export function threadMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
