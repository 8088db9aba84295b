import { cp, mkdir, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'rolldown'

/** `new URL('name', import.meta.url)` or `new URL(name, import.meta.url)`, also in minified packages. */
const pattern = /new URL\(\s*(?:(['"`])([^'"`$]+)\1|([\w$]+))\s*,\s*import\.meta\.url\s*,?\s*\)/g
/** The file of another package, as in `import.meta.resolve('package/file.css')`. */
const packagePattern = /import\.meta\.resolve\(\s*(['"`])([^'"`$]+)\1\s*\)/g

/**
 * Keeps addresses of files working in a bundle. Our own code that threads and child processes run becomes an entry
 * of its own, and every other file or folder that an address names is copied beside the bundle, under the path that
 * it has in the repository.
 * @param copied gets what was copied: its name beside the bundle, and where it was
 */
export function filesBeside(
  { root, folder }: { root: string; folder: string },
  copied: Map<string, string>,
): Plugin {
  const entries = new Map<string, string>()

  async function copy(path: string): Promise<string> {
    // Packages of npm never hold a folder named node_modules.
    const name = path.includes('node_modules')
      ? path.replace(/^.*?[\\/]node_modules(?=[\\/])/, 'packages').replaceAll('node_modules', 'packages')
      : relative(root, path)
    const place = name.replaceAll('\\', '/')
    if (place.startsWith('../')) throw new Error(`${path} lies outside of the repository`)
    if (!copied.has(place)) {
      copied.set(place, path)
      const target = join(folder, 'files', place)
      await mkdir(dirname(target), { recursive: true })
      await cp(path, target, { recursive: true, filter: (from) => !from.endsWith('.ts') })
    }
    return `./files/${place}`
  }

  return {
    name: 'files-beside',
    transform: {
      filter: { code: /import\.meta\.(?:url|resolve)/ },
      async handler(code, id) {
        const isOurs = !id.includes('node_modules')
        const changes: { at: number; length: number; text: string }[] = []
        for (const match of code.matchAll(pattern)) {
          const [all, , literal, variable] = match
          const path = fileURLToPath(new URL(literal ?? '.', pathToFileURL(id)))
          const found = await stat(path).catch(() => undefined)
          if (!found) {
            if (isOurs) throw new Error(`${relative(root, id)} names ${path}, which does not exist`)
            continue
          }
          // A name that is only known when the program runs is of a file in the same folder.
          if (variable !== undefined && !isOurs) continue
          const ending = found.isDirectory() ? '/' : ''
          if (found.isFile() && isOurs && isThread(path)) {
            const name = basename(path, extname(path))
            if ((entries.get(name) ?? path) !== path) throw new Error(`Two files are called ${name}`)
            if (!entries.has(name)) {
              entries.set(name, path)
              this.emitFile({ type: 'chunk', id: path, fileName: `${name}.js` })
            }
            changes.push({
              at: match.index,
              length: all.length,
              text: `new URL('./${name}.js', import.meta.url)`,
            })
          } else {
            const beside = `new URL(${JSON.stringify((await copy(path)).replace(/\/$/, '') + ending)}, import.meta.url)`
            const text = variable === undefined ? beside : `new URL(${variable}, ${beside})`
            changes.push({ at: match.index, length: all.length, text })
          }
        }
        for (const match of isOurs ? code.matchAll(packagePattern) : []) {
          const [all, , name = ''] = match
          const path = fileURLToPath(import.meta.resolve(name, pathToFileURL(id).href))
          const text = `new URL(${JSON.stringify(await copy(path))}, import.meta.url).href`
          changes.push({ at: match.index, length: all.length, text })
        }
        if (changes.length === 0) return undefined
        return { code: replaced(code, changes), map: null }
      },
    },
  }
}

// Other code that is named, such as a script for browsers, is a file like others.
function isThread(path: string): boolean {
  return /\.(?:worker|process)\.ts$/.test(path)
}

function replaced(code: string, changes: { at: number; length: number; text: string }[]): string {
  let made = ''
  let end = 0
  for (const { at, length, text } of changes.toSorted((one, other) => one.at - other.at)) {
    made += code.slice(end, at) + text
    end = at + length
  }
  return made + code.slice(end)
}
