/** A file name from a title, in the way its neighbours are named; letters of every script are kept. */
export function slugOf(title: string, separator = '-'): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
  const words = plain.replace(/['’]/g, '').match(/[\p{L}\p{N}]+/gu) ?? []
  return words.join(separator).slice(0, 80) || 'page'
}

export function folderOf(path: string): string {
  const at = path.lastIndexOf('/')
  return at < 0 ? '' : path.slice(0, at)
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

export function extensionOf(path: string): string {
  return /\.(?:mdx?|markdown)$/i.exec(path)?.[0] ?? '.md'
}

export function fileStem(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:mdx?|markdown)$/i, '')
}

/** `getting-started` is “Getting started”. */
export function titleFromPath(path: string): string {
  const stem = fileStem(path)
  const named = /^(?:index|readme)$/i.test(stem) && folderOf(path) !== '' ? fileStem(folderOf(path)) : stem
  const words = named
    .replace(/^\d+[-_.]/, '')
    .replace(/[-_.]+/g, ' ')
    .trim()
  return words === '' ? named : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The folder that all of these paths share; `''` for the top. */
export function sharedFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths.map(folderOf)
  let shared = first
  for (const folder of others) {
    while (shared !== '' && folder !== shared && !folder.startsWith(`${shared}/`)) shared = folderOf(shared)
  }
  return shared
}

/** The most common value; the first of equals. */
export function mostCommon<Value>(values: readonly Value[]): Value | undefined {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let best: Value | undefined
  for (const [value, number] of counts)
    if (best === undefined || number > (counts.get(best) ?? 0)) best = value
  return best
}
