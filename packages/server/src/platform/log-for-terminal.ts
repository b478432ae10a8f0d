import { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import { escapeInvisible } from './escape-invisible.ts'

type Style = Parameters<typeof styleText>[0]
type Paint = (style: Style, text: string) => string

const LEVELS: Record<number, { name: string; style: Style }> = {
  20: { name: 'DEBUG', style: 'gray' },
  30: { name: 'INFO', style: 'green' },
  40: { name: 'WARN', style: 'yellow' },
  50: { name: 'ERROR', style: 'red' },
  60: { name: 'FATAL', style: 'red' },
}
/** Most messages are shorter, so that fields begin in one column. */
const MESSAGE_WIDTH = 36

type LoggedError = { type?: string; message?: string; stack?: string; cause?: LoggedError; [detail: string]: unknown }
type Line = { level: number; time: string; pid: number; msg?: unknown; err?: LoggedError }

/**
 * A line of the log for people: 14:32:05.123 WARN  message  field=value. What was logged may be anyone's text: it is escaped before it is
 * coloured.
 */
export function lineForTerminal(json: string, paint: Paint): string {
  const { level, time, pid: _, msg = '', err, ...fields } = JSON.parse(json) as Line
  const { name, style } = LEVELS[level] ?? { name: String(level), style: 'gray' }
  const { type: _type, message = '', stack = message, cause, ...details } = err ?? {}
  const pairs = Object.entries({ ...fields, ...details }).map(
    ([key, value]) => `${paint('dim', `${shown(key)}=`)}${valueOf(value)}`,
  )
  const head = [
    paint('dim', timeOf(time)),
    paint(style, name.padEnd(5)),
    shown(typeof msg === 'string' ? msg : JSON.stringify(msg)).padEnd(MESSAGE_WIDTH),
    ...pairs,
  ]
  const trace = [stack, ...causes(cause)].join('\n').split('\n').filter(Boolean)
  return [head.join(' ').trimEnd(), ...trace.map((one) => `    ${shown(one)}`), ''].join('\n')
}

/** Colours unless NO_COLOR or the terminal says otherwise. */
export function painter(): Paint {
  const hasColours = WriteStream.prototype.getColorDepth() > 1
  return (style, text) => (hasColours ? styleText(style, text, { validateStream: false }) : text)
}

/** Of one text: a longer one would push everything else off the screen. Logs that are kept have all of it. */
const MAX_TEXT = 1000

function shown(text: string): string {
  if (text.length <= MAX_TEXT) return escapeInvisible(text)
  return `${escapeInvisible(text.slice(0, MAX_TEXT).toWellFormed())}… (${text.length} characters)`
}

function causes(error: LoggedError | undefined): string[] {
  return error ? [`caused by ${error.stack ?? error.message}`, ...causes(error.cause)] : []
}

/** A text with spaces is quoted, or it could be read as the next field. */
function valueOf(value: unknown): string {
  const text = typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
  return shown(text)
}

/** Time of this machine. */
function timeOf(time: string): string {
  const date = new Date(time)
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}
