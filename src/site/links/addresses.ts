import { folderOf } from '../text/paths.ts'

/** As browsers resolve it: `..` at the top of a site stays there. */
export function relativeUrl(own: string, relative: string): string {
  const parts = folderOf(own)
    .split('/')
    .filter((part) => part !== '')
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}${relative.endsWith('/') && parts.length > 0 ? '/' : ''}`
}

export function redirectOf(redirects: ReadonlyMap<string, string>, url: string): string | undefined {
  const bare = url.replace(/\/$/, '')
  const exact = redirects.get(url) ?? redirects.get(bare) ?? redirects.get(`${bare}/`)
  if (exact !== undefined) return exact
  for (const [source, target] of redirects) {
    const wild = source.search(/\/(?::[\w]+\*?|\*)$/)
    if (wild === -1 || !url.startsWith(source.slice(0, wild + 1))) continue
    return target.replace(/:[\w]+\*?|\*/, url.slice(wild + 1))
  }
  return undefined
}

export function foldersOf(paths: ReadonlySet<string>): Set<string> {
  const folders = new Set<string>([''])
  for (const path of paths) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash)
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}

export function nameOf(path: string): string {
  const parts = path
    .replace(/\/$/, '')
    .replace(/\.(?:mdx?|html?|markdown)$/i, '')
    .split('/')
  const last = parts.at(-1) ?? ''
  const name = /^(?:_?index|readme)$/i.test(last) ? (parts.at(-2) ?? last) : last
  return name.toLowerCase().replace(/^\d+[-_.]/, '')
}

/** The same for all ways to write one address. */
export function keyOf(url: string): string {
  const key = url
    .replace(/\.html?$/, '')
    .replace(/\/index$/, '/')
    .replace(/(?<!\/)\/+$/, '')
  return key === '' ? '/' : key
}
