import type { Problem } from './problem.ts'
import type { TreeChange } from './tree-change.ts'

/** Pages that claim an address which another page has, where the change makes them so. */
export async function checkRoutes({ base, head, files }: TreeChange): Promise<Problem[]> {
  const changed = new Set(files.map(({ path }) => path))
  const known = new Set((await base.site()).collisions.map(keyOf))
  return (await head.site()).collisions.flatMap((collision) => {
    if (known.has(keyOf(collision))) return []
    const path = collision.paths.findLast((one) => changed.has(one))
    const others = collision.paths.filter((one) => one !== path).slice(0, 3)
    if (path === undefined) return []
    return [
      {
        check: 'route',
        path,
        line: 1,
        message: `The page has the address ${collision.url}, which ${others.join(' and ')} has too`,
        hint: 'Give the page another path, or another slug in its front matter',
      },
    ]
  })
}

function keyOf({ url, paths }: { url: string; paths: readonly string[] }): string {
  return `${url}\n${[...paths].sort().join('\n')}`
}
