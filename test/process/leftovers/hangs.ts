import { test } from 'node:test'

test('goes on until the run is ended', () => new Promise(() => setInterval(() => undefined, 1000)))
