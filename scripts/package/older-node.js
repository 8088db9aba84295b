// What the sources use and Node 20 does not have. The build loads it first in every thread and process.
import { setMaxListeners } from 'node:events'

// It takes many listeners of one signal for a leak.
if (process.versions.node.startsWith('20.')) setMaxListeners(0)

Promise.withResolvers ??= function withResolvers() {
  let resolve
  let reject
  const promise = new this((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

Map.groupBy ??= function groupBy(items, keyOf) {
  const groups = new Map()
  let index = 0
  for (const item of items) {
    const key = keyOf(item, index++)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

Object.groupBy ??= function groupBy(items, keyOf) {
  const groups = Object.create(null)
  for (const [key, group] of Map.groupBy(items, (item, index) => {
    const key = keyOf(item, index)
    return typeof key === 'symbol' ? key : String(key)
  }))
    groups[key] = group
  return groups
}

Array.fromAsync ??= async function fromAsync(items, change = (item) => item) {
  const list = []
  for await (const item of items) list.push(await change(item, list.length))
  return list
}

URL.parse ??= function parse(address, base) {
  return URL.canParse(address, base) ? new URL(address, base) : null
}

const sets = Set.prototype
const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))
const additions = {
  *map(change) {
    let index = 0
    for (const item of this) yield change(item, index++)
  },
  *filter(holds) {
    let index = 0
    for (const item of this) if (holds(item, index++)) yield item
  },
  *flatMap(change) {
    let index = 0
    for (const item of this) yield* change(item, index++)
  },
  *take(count) {
    if (count <= 0) return
    for (const item of this) {
      yield item
      if (--count <= 0) return
    }
  },
  *drop(count) {
    for (const item of this) if (count-- <= 0) yield item
  },
  toArray() {
    return [...this]
  },
  forEach(work) {
    let index = 0
    for (const item of this) work(item, index++)
  },
  some(holds) {
    let index = 0
    for (const item of this) if (holds(item, index++)) return true
    return false
  },
  every(holds) {
    let index = 0
    for (const item of this) if (!holds(item, index++)) return false
    return true
  },
  find(holds) {
    let index = 0
    for (const item of this) if (holds(item, index++)) return item
    return undefined
  },
  reduce(join, ...rest) {
    return [...this].reduce(join, ...rest)
  },
}
for (const [name, value] of Object.entries(additions))
  if (!(name in iterators))
    Object.defineProperty(iterators, name, { value, writable: true, configurable: true, enumerable: false })

const setAdditions = {
  union(other) {
    return new Set([...this, ...other.keys()])
  },
  intersection(other) {
    return new Set([...this].filter((item) => other.has(item)))
  },
  difference(other) {
    return new Set([...this].filter((item) => !other.has(item)))
  },
  symmetricDifference(other) {
    return new Set([...this.difference(other), ...[...other.keys()].filter((item) => !this.has(item))])
  },
  isSubsetOf(other) {
    return [...this].every((item) => other.has(item))
  },
  isSupersetOf(other) {
    return [...other.keys()].every((item) => this.has(item))
  },
  isDisjointFrom(other) {
    return [...this].every((item) => !other.has(item))
  },
}
for (const [name, value] of Object.entries(setAdditions))
  if (!(name in sets))
    Object.defineProperty(sets, name, {
      value,
      writable: true,
      configurable: true,
      enumerable: false,
    })
