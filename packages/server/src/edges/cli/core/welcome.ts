import type { SandboxFacts } from './context.ts'

/** The first thing a developer sees: the address, the credentials, and a call that works as pasted. */
export function welcome(
  { baseUrl, merchant, logins = [], bankUrl, shopUrl }: SandboxFacts,
  {
    requestsLogged,
    offsetSeconds,
    factsFile,
    chosenFolder = null,
  }: { requestsLogged: boolean; offsetSeconds: number; factsFile: string; chosenFolder?: string | null },
): string {
  // Commands find the sandbox by its folder.
  const npx = chosenFolder === null ? 'npx' : `VEZNE_DATA=${inShell(chosenFolder)} npx`
  return `
Vezne sandbox
  API          ${baseUrl}/v1
  docs         ${baseUrl}/docs  (guides, reference, search)
  health       ${baseUrl}/healthz  ${baseUrl}/readyz  ${baseUrl}/metrics
${bankUrl ? `  demo shop    ${shopUrl}  (buy something, pay by bank transfer)\n  bank app     ${bankUrl}  (the simulated bank: play the customer)\n` : ''}  demo merchant
    merchantId     ${merchant.merchantId}
    apiKey         ${merchant.apiKey}
    apiSecret      ${merchant.apiSecret}
    callbackSecret ${merchant.callbackSecret}
${logins.map(({ audience, name, password }) => `  ${audience.padEnd(12)} ${baseUrl}/${audience}  ${name}  ${password}\n`).join('')}  Later: all of this is in ${factsFile}
${offsetSeconds === 0 ? '' : `\nThis sandbox's clock is ${offsetSeconds} s ahead of real time. Go back with: ${npx} vezne sim clock reset\n`}
Create a deposit (paste it into a shell; needs curl and openssl):

${signedCurl(baseUrl, merchant)}

Or let the command line sign for you:

  ${npx} vezne curl GET /v1/available-banks
  ${npx} vezne sim fund demo 1000000        give the demo merchant 10.000,00 TL
  ${npx} vezne listen                       watch events happen; --forward URL hands them to your program
  ${npx} vezne trigger deposit.completed    make one happen: a deposit, paid and matched
  ${npx} vezne --help
${requestsLogged ? '' : '\nOnly warnings and errors are logged here. To see every request: VEZNE_LOG=info npm start\n'}
`
}

function inShell(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function signedCurl(baseUrl: string, { apiKey, apiSecret }: { apiKey: string; apiSecret: string }): string {
  const customer = '{"id":"c-1","name":"Ayşe Yılmaz","username":"ayse"}'
  return `TS=$(date +%s)
BODY='{"processId":"order-'$TS'","amount":125000,"bankCode":"FAST","customer":${customer}}'
SIG=$(printf '%s' "\${TS}POST/v1/deposit\${BODY}" | openssl dgst -sha256 -hmac '${apiSecret}' | sed 's/.* //')
curl -s ${baseUrl}/v1/deposit -H 'Content-Type: application/json' \\
  -H 'X-API-Key: ${apiKey}' -H "X-Timestamp: $TS" -H "X-Signature: $SIG" -d "$BODY"`
}
