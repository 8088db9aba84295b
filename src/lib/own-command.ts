import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'

const ofTheClone = '.ts'

/**
 * How this process is started by hand, for pages and messages that name a command.
 * @param source address of a file of the program: the clone holds TypeScript, the package only what was made of it
 * @param script path of the program that Node was given; links in folders of programs are not followed
 */
export function commandOf(source: string, script: string | undefined): string {
  if (source.endsWith(ofTheClone)) return 'npm run -s docwright --'
  // Threads have a script of their own.
  if (script === undefined || !/^docwright(?:\.js)?$/.test(basename(script))) return 'docwright'
  const cache = /^.*[\\/]_npx[\\/][^\\/]+/.exec(script)?.[0]
  if (cache !== undefined) return npxCommand(cache)
  const path = /\s/.test(script) ? JSON.stringify(script) : script
  if (script.endsWith('.js')) return `node ${path}`
  // Installed into a folder, as for systemd, where the shell does not look for it.
  return /[\\/]node_modules[\\/]/.test(script) ? path : 'docwright'
}

/** npm's cache is not a place to call a program from. It notes what npx was asked for, as it was typed. */
function npxCommand(cache: string): string {
  try {
    const noted: unknown = JSON.parse(readFileSync(join(cache, 'package.json'), 'utf8'))
    const named = z.object({ _npx: z.object({ packages: z.tuple([z.string()]) }) }).parse(noted)._npx
      .packages[0]
    return `npx ${/\s/.test(named) ? JSON.stringify(named) : named}`
  } catch {
    // Never the bare name in a registry, where anybody could publish it.
    return 'docwright'
  }
}

export const ownCommand = commandOf(import.meta.url, process.argv[1])

/**
 * The same for a terminal that has to find the server of this process: with its data folder, where an option named one. What
 * an environment variable names, a terminal on the server has too.
 */
export const serverCommand = `${ownCommand}${dataOption(process.argv)}`

export function dataOption(given: readonly string[]): string {
  const at = given.findIndex((one) => one === '--data' || one.startsWith('--data='))
  const folder = given[at]?.startsWith('--data=') === true ? given[at]?.slice(7) : given[at + 1]
  return at === -1 || folder === undefined ? '' : ` --data ${quoted(resolve(folder))}`
}

/** A path as a shell reads it. */
export function quoted(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
