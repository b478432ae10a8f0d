#!/usr/bin/env node
import { join } from 'node:path'
import { root } from './install.mjs'
import { runOnNode24 } from './on-node-24.mjs'

runOnNode24([join(root, 'packages', 'server', 'src', 'main.ts'), ...process.argv.slice(2)], { development: false })
