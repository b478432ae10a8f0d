// Preloaded (--import): the clock of the process is ahead by CLOCK_AHEAD_SECONDS, or behind if that is negative.

const RealDate = Date
const aheadMs = Number(process.env['CLOCK_AHEAD_SECONDS']) * 1000
const now = () => RealDate.now() + aheadMs

globalThis.Date = new Proxy(RealDate, {
  construct: (real, args: unknown[]) => Reflect.construct(real, args.length === 0 ? [now()] : args) as Date,
  get: (real, key) => (key === 'now' ? now : (Reflect.get(real, key) as unknown)),
})
