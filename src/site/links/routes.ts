/** Whether one of the files of a folder serves the address: one of that name, or one with a parameter in its name. */
export function servesRoute(files: readonly string[], folder: string, url: string): boolean {
  const wanted = url.replace(/(?<!\/)\/+$/, '').split('/')
  return files.some((path) => {
    const route = path
      .slice(folder.length)
      .replace(/\.[^./]+$/, '')
      .replace(/\/index$/, '')
    const parts = route.split('/')
    for (const [index, part] of parts.entries()) {
      const isRest = part.includes('[...')
      const name = (isRest ? wanted.at(-1) : wanted[index]) ?? ''
      // The text around a parameter is the same in all of its addresses: `[...slug].md`.
      const pieces = part.split(/\[(?<!\[[^[\]]*\[)[^\]]*\]/)
      const fits =
        pieces.length === 1
          ? part === name
          : name.startsWith(isRest ? '' : (pieces[0] ?? '')) && name.endsWith(pieces.at(-1) ?? '')
      if (!fits) return false
      // An endpoint in code serves files, whose addresses have an extension.
      if (isRest) return !/\.[jt]s$/.test(path) || pieces.at(-1) !== '' || name.includes('.')
    }
    return parts.length === wanted.length
  })
}
