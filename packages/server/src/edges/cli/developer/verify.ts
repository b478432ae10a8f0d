import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import { realClock } from '../../../platform/time/clock.ts'
import { escapeInvisible } from '../../../platform/escape-invisible.ts'
import type { CliContext } from '../core/context.ts'
import { mustReadSandbox, WrongUsage } from '../core/context.ts'
import { facts, print } from '../core/output.ts'
import type { Callback, Verdict } from './webhook/explain-webhook.ts'
import { explainWebhook } from './webhook/explain-webhook.ts'
import { readCallbackHeaders } from './webhook/read-callback-headers.ts'

type Options = { secret?: string; id?: string; timestamp?: string; signature?: string; headers?: string; body?: string }

/** Enough of the signed text to see how it starts; --json prints all of it. */
const SHOWN_CHARACTERS = 100

export function addVerifyCommand(program: Command, context: CliContext): void {
  program
    .command('verify')
    .description(
      'Check the signature of a callback as its receiver should, and name the mistake. Exit code 1 if invalid.',
    )
    .option('--secret <secret>', 'secret of the endpoint, whsec_…; that of the demo merchant when left out')
    .option('--id <id>', 'header webhook-id')
    .option('--timestamp <seconds>', 'header webhook-timestamp')
    .option('--signature <signature>', 'header webhook-signature')
    .option('--headers <file>', 'file with the headers, in place of these three')
    .option('--body <file>', 'file with the body as it arrived; - or left out: standard input')
    .addHelpText('after', '\nExample:\n  $ npx vezne verify --headers headers.txt --body body.json')
    .action(async (options: Options, command: Command) => {
      const headers = readHeaders(options)
      const secret = options.secret ?? demoSecret(context)
      const callback = { ...headers, body: await readBody(options.body ?? '-') }
      const verdict = explainWebhook(secret, callback, realClock.now())
      print(command, verdict, words(verdict, callback))
      process.exitCode = verdict.valid ? 0 : 1
    })
}

function readHeaders({ headers, id, timestamp, signature }: Options): Omit<Callback, 'body'> {
  const single = [id, timestamp, signature].some((one) => one !== undefined)
  if (single === (headers !== undefined)) {
    throw new WrongUsage('Give the headers: either --headers FILE, or --id, --timestamp and --signature.')
  }
  if (headers === undefined) return { id: id ?? '', timestamp: timestamp ?? '', signature: signature ?? '' }
  const found = readCallbackHeaders(readFile(headers, '--headers').toString())
  const header = (name: string) => found.get(name) ?? ''
  return {
    id: header('webhook-id'),
    timestamp: header('webhook-timestamp'),
    signature: header('webhook-signature'),
  }
}

function demoSecret(context: CliContext): string {
  const config = context.readConfig()
  if (config.mode === 'live') throw new WrongUsage('Give --secret: a live deployment has no demo merchant.')
  return mustReadSandbox(config).merchant.callbackSecret
}

async function readBody(file: string): Promise<Buffer> {
  if (file !== '-') return readFile(file, '--body')
  if (process.stdin.isTTY) throw new WrongUsage('Give the body with --body FILE, or pipe it in.')
  return buffer(process.stdin)
}

function readFile(file: string, option: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new WrongUsage(`${option}: ${file} cannot be read (${(error as Error).message}).`)
  }
}

function words(verdict: Verdict, { signature }: Callback): string | string[] {
  const { valid, signatureRight, matched, signatures, ageSeconds, mistakes, signedText, expected } = verdict
  const made = `${signatures > 1 ? `Signature ${matched} of ${signatures}` : 'The signature'} was made with this secret`
  if (valid) return `Valid. ${made}; the timestamp is ${ageSeconds} s old.`
  const head = signatureRight ? `Invalid, although the signature is right. ${made}.` : 'Invalid.'
  const list = mistakes.map(({ mistake, explanation }) => `- ${mistake}: ${explanation}`)
  if (signatureRight || signedText === null || expected === null) return [head, ...list]
  const compared = facts([
    ['to be signed', shortened(signedText)],
    ['expected', expected],
    ['given', signature],
  ])
  return [head, ...list, '', ...compared]
}

function shortened(text: string): string {
  const line = escapeInvisible(text)
  return line.length > SHOWN_CHARACTERS
    ? `${line.slice(0, SHOWN_CHARACTERS)}… (${Buffer.byteLength(text)} bytes)`
    : line
}
