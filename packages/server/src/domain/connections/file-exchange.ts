import { accessSync, constants, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { note } from '../../kernel/refusals/note.ts'
import type { Said } from '../../platform/refusal.ts'
import type { Connection } from './connection.ts'

/** `orders` is the profile of the bank's order files, or null if payouts are not sent as files. */
export type FileExchangeSettings = { folder: string; orders: Record<string, unknown> | null }

const FOLDERS = ['inbox', 'outbox', 'done', 'refused', 'staging'] as const
type ExchangeFolders = Record<(typeof FOLDERS)[number], string>

/** A bank that exchanges files: workers of their own read the inbox and write the outbox, so nothing is called here. */
export function fileExchangeConnection(name: string, { orders }: FileExchangeSettings): Connection {
  const why = note('answer_of_files')
  return {
    kind: 'file_exchange',
    name,
    ...(orders === null && { sendsNothing: true }),
    statement: () => Promise.resolve({ outcome: 'unreachable', why }),
    submit: () => Promise.resolve({ outcome: 'unknown', why }),
    find: () => Promise.resolve({ outcome: 'unknown', why }),
  }
}

function exchangeFolders(folder: string): ExchangeFolders {
  return Object.fromEntries(FOLDERS.map((name) => [name, join(folder, name)])) as ExchangeFolders
}

/** Existing folders keep their mode: another user may have been given access. Returns the folder without symbolic links. */
export function makeExchangeFolders(folder: string): string {
  for (const path of Object.values(exchangeFolders(folder))) mkdirSync(path, { recursive: true, mode: 0o700 })
  return realpathSync(folder)
}

const WRITABLE_BY_ALL = 0o002

type FolderCheck = { check: string; ok: boolean; expected: Said; found: Said }

/** Whether files can be exchanged here, and how many wait. Changes nothing. */
export function checkExchangeFolders(folder: string): FolderCheck[] {
  const folders = Object.entries(exchangeFolders(folder))
  const each = folders.map(([name, path]) => checkFolder(name, path))
  const devices = folders.flatMap(([, path]) => statSync(path, { throwIfNoEntry: false })?.dev ?? [])
  const together = devices.length === folders.length && new Set(devices).size === 1
  return [
    ...each,
    {
      check: 'one file system',
      ok: together,
      expected: note('check_folders_rule'),
      found: together ? note('check_folders_together') : note('check_folders_apart'),
    },
  ]
}

function checkFolder(name: string, path: string): FolderCheck {
  const expected = note('check_folder_rule')
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    const { mode } = statSync(path)
    const files = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile())
    if ((mode & WRITABLE_BY_ALL) !== 0)
      return { check: name, ok: false, expected, found: note('check_folder_open_to_all', { path }) }
    const shown = files.slice(0, 5).map((file) => file.name)
    const names = [...shown, ...(files.length > shown.length ? ['…'] : [])]
    return { check: name, ok: true, expected, found: note('check_folder_files', { count: files.length, names }) }
  } catch (error) {
    return {
      check: name,
      ok: false,
      expected,
      found: note('check_folder_unusable', { error: (error as Error).message }),
    }
  }
}
