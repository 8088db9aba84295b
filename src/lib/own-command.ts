import { basename } from 'node:path'

const ofTheClone = '.ts'

/**
 * How this process is started by hand, for pages and messages that name a command.
 * @param source address of a file of the program: the clone holds TypeScript, the package only what was made of it
 * @param script path of the program that Node was given; links in folders of programs are not followed
 */
export function commandOf(source: string, script: string | undefined): string {
  if (source.endsWith(ofTheClone)) return 'npm run -s docwright --'
  // Threads have a script of their own, and npm's cache is not a place to call a program from.
  const isOurs = script !== undefined && /^docwright(?:\.js)?$/.test(basename(script))
  if (!isOurs || /[\\/]_npx[\\/]/.test(script)) return 'npx docwright'
  const path = /\s/.test(script) ? JSON.stringify(script) : script
  if (script.endsWith('.js')) return `node ${path}`
  // Installed into a folder, as for systemd, where the shell does not look for it.
  return /[\\/]node_modules[\\/]/.test(script) ? path : 'docwright'
}

export const ownCommand = commandOf(import.meta.url, process.argv[1])
