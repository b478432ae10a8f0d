#!/usr/bin/env node
import { join } from 'node:path'
import { root } from './install.mjs'
import { runOnNode24 } from './on-node-24.mjs'

// Those that take requests; any other command works through its data alone, and a file of any size must fit into little memory.
const SERVICES = ['up', 'serve', 'work']
const args = process.argv.slice(2)
const main = join(root, 'packages', 'server', 'src', 'main.ts')
await runOnNode24([main, ...args], { development: false, bursts: SERVICES.includes(args[0]) })
