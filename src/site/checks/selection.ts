/** Whether a path is one of these files, or lies in one of these folders; every path when none is given. */
export function createSelection(paths: readonly string[] | undefined): (path: string) => boolean {
  if (paths === undefined || paths.length === 0) return () => true
  const wanted = paths.map((path) => path.replace(/^\.?\//, '').replace(/(?<!\/)\/+$/, ''))
  return (path) =>
    wanted.some((name) => name === '' || name === '.' || path === name || path.startsWith(`${name}/`))
}
