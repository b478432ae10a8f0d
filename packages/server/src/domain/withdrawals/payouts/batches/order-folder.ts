import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '../../../../kernel/refusals/refuse.ts'

// A rename is what decides: only the one file that the batch names is ever moved to outbox/, and it can be moved once.

type Place = { folder: string; fileName: string }

const staging = ({ folder }: Place, name: string) => join(folder, 'staging', name)
const outbox = ({ folder, fileName }: Place) => join(folder, 'outbox', fileName)
const cancelled = (place: Place) => staging(place, `${place.fileName}.cancelled`)
const STOPPED = '.stopped'
export const stoppedName = ({ fileName }: Place) => `${fileName}${STOPPED}`

/** Group-readable: the program that takes files to the bank may run as another user. */
const MODE = 0o640

/** Writes a complete file that survives a crash of the machine. The name is new, so that a slow writer disturbs no one. */
export function stageFile(place: Place, name: string, bytes: Uint8Array): Promise<void> {
  return onDisk(place, async () => {
    const file = await open(staging(place, name), 'wx', MODE)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await syncFolder(join(place.folder, 'staging'))
  })
}

/** Moves the staged file to outbox/. One that is no longer there was moved before. */
export function releaseFile(place: Place, stagedName: string): Promise<void> {
  return onDisk(place, async () => {
    await renamed(staging(place, stagedName), outbox(place))
    await syncFolder(join(place.folder, 'outbox'))
    await syncFolder(join(place.folder, 'staging'))
  })
}

/** Takes the file back, from staging/ or from outbox/. False: it is in neither, so it was fetched. */
export function takeBack(place: Place, stagedName: string | null): Promise<boolean> {
  return onDisk(place, async () => {
    // Nothing was ever moved.
    if (stagedName === null) return true
    // The order matters: a worker may move the file from the first place to the second meanwhile.
    const taken =
      (await renamed(staging(place, stagedName), cancelled(place))) ||
      (await renamed(outbox(place), cancelled(place))) ||
      existsSync(cancelled(place))
    await syncFolder(join(place.folder, 'outbox'))
    await syncFolder(join(place.folder, 'staging'))
    return taken
  })
}

export function isInOutbox(place: Place): Promise<boolean> {
  return onDisk(place, () => Promise.resolve(existsSync(outbox(place))))
}

export function isStaged(place: Place, name: string): Promise<boolean> {
  return onDisk(place, () => Promise.resolve(existsSync(staging(place, name))))
}

/** Its file can come to the bank through us. */
export function canBeFetched(place: Place, stagedName: string | null): Promise<boolean> {
  const paths = [...(stagedName === null ? [] : [staging(place, stagedName)]), outbox(place)]
  return onDisk(place, () => Promise.resolve(paths.some((path) => existsSync(path))))
}

/** Takes a file that must not be sent out of outbox/. False: it is no longer there. */
export function stopFile(place: Place): Promise<boolean> {
  return onDisk(place, async () => {
    const target = staging(place, stoppedName(place))
    const isStopped = (await renamed(outbox(place), target)) || existsSync(target)
    await syncFolder(join(place.folder, 'outbox'))
    await syncFolder(join(place.folder, 'staging'))
    return isStopped
  })
}

/** Names of order files in outbox/, and of those that were stopped. None if the folder cannot be read: its batches show why. */
export function listOrderFiles(folder: string): { waiting: string[]; stopped: string[] } {
  const names = (place: string) => {
    try {
      return readdirSync(join(folder, place))
    } catch {
      return []
    }
  }
  const stopped = names('staging').filter((name) => name.endsWith(STOPPED))
  return { waiting: names('outbox'), stopped: stopped.map((name) => name.slice(0, -STOPPED.length)) }
}

/** Called when the batch has ended: nothing of it in staging/ is of use. */
export function removeStaged(place: Place): Promise<void> {
  return onDisk(place, async () => {
    const left = readdirSync(join(place.folder, 'staging')).filter((name) => name.startsWith(`${place.fileName}.`))
    for (const name of left) await rm(staging(place, name), { force: true })
  })
}

/** False if there is no such file. */
async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return false
    throw error
  }
}

/** Without its folders, for example while a disk is not mounted, a missing file says nothing. */
async function onDisk<Result>({ folder }: Place, work: () => Promise<Result>): Promise<Result> {
  try {
    for (const name of ['staging', 'outbox']) accessSync(join(folder, name), constants.R_OK | constants.W_OK)
    return await work()
  } catch (error) {
    throw refuse('order_folder_unusable', { folder, fault: (error as Error).message }, { cause: error })
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
