import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

/** A page script without its types. Node's function is a release candidate: its warning would be in the log. */
export function pageScript(file: URL): string {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => undefined
  try {
    return stripTypeScriptTypes(readFileSync(file, 'utf8'))
  } finally {
    process.emitWarning = emitWarning
  }
}
