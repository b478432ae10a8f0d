import type { ApiCall } from '../../../domain/merchants/index.ts'

/** For a POSIX shell: quoted, because the path is what someone sent. */
export function curlOf({ method, path }: Pick<ApiCall, 'method' | 'path'>, apiKey: string, base: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const hasBody = method === 'POST'
  return [
    'TS=$(date +%s)',
    `TARGET=${quoted(path)}`,
    ...(hasBody ? ['BODY=$(cat body.json)'] : ["BODY=''"]),
    `SIG=$(printf '%s' "\${TS}${method}\${TARGET}\${BODY}" | openssl dgst -sha256 -hmac "$VEZNE_SECRET" -r | cut -d' ' -f1)`,
    [
      `curl -X ${method} ${quoted(base)}"$TARGET"`,
      `  -H ${quoted(`X-API-Key: ${apiKey}`)}`,
      '  -H "X-Timestamp: $TS" -H "X-Signature: $SIG"',
      ...(hasBody ? [`  -H 'Content-Type: application/json' --data-binary "$BODY"`] : []),
    ].join(' \\\n'),
  ].join('\n')
}
