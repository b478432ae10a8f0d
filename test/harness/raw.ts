import { connect } from 'node:net'
import type { Answer } from './client.ts'
import { errorProblem, keepsContract } from './contract.ts'

/** Sends bytes that no HTTP client would send, and reads until the server closes. */
export async function sendRaw(
  baseUrl: string,
  text: string,
): Promise<Pick<Answer, 'status' | 'text' | 'body' | 'code'>> {
  const [head = '', body = ''] = (await exchange(baseUrl, text)).split('\r\n\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
  const parsed = body.startsWith('{') ? (JSON.parse(body) as { error?: { code?: string } }) : undefined
  if (parsed?.error) keepsContract(errorProblem({ status, body: parsed }))
  return { status, text: body, body: parsed, code: parsed?.error?.code }
}

function exchange(baseUrl: string, text: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => (received += chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
  })
}
