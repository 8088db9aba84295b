import { createHash } from 'node:crypto'
import type { SiteView } from './site-view.ts'

const mostKept = 40
const keys = new WeakMap<ReadonlyMap<string, string>, string>()

/**
 * Makes a function that finds something out of a whole tree, and remembers it by what the tree holds: all jobs that
 * begin with one commit ask once.
 */
export function learnOnce<Result>(
  read: (view: SiteView) => Promise<Result>,
): (view: SiteView) => Promise<Result> {
  const known = new Map<string, Promise<Result>>()
  return async (view) => {
    const key = keyOf(view.oids(), (await view.site()).root)
    const knowledge = known.get(key) ?? read(view)
    // The one that was asked for last is dropped last.
    known.delete(key)
    known.set(key, knowledge)
    for (const oldest of known.keys()) if (known.size > mostKept) known.delete(oldest)
    knowledge.catch(() => known.delete(key))
    return knowledge
  }
}

function keyOf(oids: ReadonlyMap<string, string>, root: string): string {
  let key = keys.get(oids)
  if (key === undefined) {
    const hash = createHash('sha256')
    for (const [path, oid] of oids) hash.update(`${oid} ${path}\n`)
    key = hash.digest('hex')
    keys.set(oids, key)
  }
  return `${key} ${root}`
}

/** At most `most` of the list, from all of its parts. */
export function sample<One>(list: readonly One[], most: number): readonly One[] {
  if (list.length <= most) return list
  const step = list.length / most
  return list.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}
