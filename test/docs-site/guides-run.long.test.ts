import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { signCallbackForTest } from '../../packages/sdk/src/index.ts'
import { GUIDES, LANGUAGES } from '../../packages/server/src/edges/docs/site-map.ts'
import { until } from '../harness/until.ts'
import { blocksOf } from './guide-blocks.ts'
import { openReader } from './guide-runner.ts'

// Every code block of the guides, in order, as a reader runs them; each language in a sandbox of its own.

/** What the programs of a page must have printed at its end. */
const PRINTED: Record<string, RegExp> = {
  quickstart: /^verified: deposit\.completed order-\d+ 125000$/m,
  callbacks: /^\S+ 125000$/m,
}

for (const language of LANGUAGES) {
  test(`docs/guides/${language}: every block works as it is written, one after the other`, async (t) => {
    const reader = await openReader()
    after(reader.close)
    const body = '{"type":"endpoint.test","data":{}}'
    const headers = signCallbackForTest({ body, secrets: reader.callbackSecret, id: 'e-1' })
    writeFileSync(join(reader.folder, 'headers.json'), JSON.stringify(headers))
    writeFileSync(join(reader.folder, 'body.json'), body)
    for (const guide of GUIDES) {
      for (const block of blocksOf(language, guide)) {
        const reason = await reader.runBlock(block).catch((error: unknown) => {
          throw new Error(block.place, { cause: error })
        })
        if (reason !== null) t.diagnostic(`not run: ${block.place}: ${reason}`)
      }
      const expected = PRINTED[guide]
      if (expected) await until(async () => reader.printed(), (text) => expected.test(text)) // prettier-ignore
      await reader.endPage()
    }
  })
}
