import { test } from 'node:test'
import { assertStreams, SOURCES } from '../test/assert-streams.ts'

for (const source of SOURCES)
  test(`50 MB of ${source.name}: lines come while the file is read, and are not kept`, () =>
    assertStreams(source, 50, 4000))
