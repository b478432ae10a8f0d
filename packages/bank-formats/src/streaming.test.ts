import { test } from 'node:test'
import { assertStreams, SOURCES } from '../test/assert-streams.ts'

for (const source of SOURCES)
  test(`1 MB of ${source.name}: lines come while the file is read`, () => assertStreams(source, 1, 400))
