import { isRecord } from '../../lib/is-record.ts'
import { storableText } from '../pages/decode.ts'
import type { Description, Place } from './description.ts'

/** One operation of a description, or a webhook. */
export interface Operation {
  /** `GET /users/{id}` or `webhook orderUpdated`: its name in the description. */
  key: string
  /** In capitals; the method of a webhook's request too. */
  method: string
  /** As the description writes it, or a webhook's name. */
  path: string
  isWebhook: boolean
  /** The summary, or else the id, or else the key. */
  title: string
  /** The first tag. */
  tag: string | undefined
  /** Neither in lists nor in search: `x-hidden`, `x-internal` or `x-excluded`. */
  hidden: boolean
  place: Place
  /** What all operations of the path share. */
  pathItem: Place
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']
const maxOperations = 3000

/** The operations of a description in its order, without duplicates. */
export function operationsOf(description: Description): Operation[] {
  const { root, child } = description
  const operations = new Map<string, Operation>()
  for (const kind of ['paths', 'webhooks']) {
    const items = child(root, kind)
    for (const path of keysOf(items)) {
      const pathItem = child(items, path)
      for (const method of methods) {
        const place = child(pathItem, method)
        if (pathItem === undefined || !isRecord(place?.value) || path.startsWith('x-')) continue
        const isWebhook = kind === 'webhooks'
        const key = keyOf(isWebhook ? 'webhook' : method, path)
        if (operations.has(key) || operations.size >= maxOperations) continue
        const text = (name: string) => lineOf(child(place, name)?.value)
        const tag = lineOf(child(child(place, 'tags'), 0)?.value)
        operations.set(key, {
          key,
          method: method.toUpperCase(),
          path: clean(path),
          isWebhook,
          title: (text('summary') ?? text('operationId') ?? key).slice(0, 300),
          tag,
          hidden: ['x-hidden', 'x-internal', 'x-excluded'].some((name) => child(place, name)?.value === true),
          place,
          pathItem,
        })
      }
    }
  }
  return [...operations.values()]
}

/** The name of an operation as pages and navigations write it; undefined for any other text. */
export function readKey(text: string): { file: string | undefined; key: string } | undefined {
  const words = text.slice(0, 2000).trim().split(/\s+/)
  const at = words.findIndex(
    (word) => word.toLowerCase() === 'webhook' || methods.includes(word.toLowerCase()),
  )
  const [method, ...path] = words.slice(at)
  if (at === -1 || at > 1 || method === undefined || path.length === 0) return undefined
  return { file: at === 1 ? words[0] : undefined, key: keyOf(method, path.join(' ')) }
}

export function keysOf(place: Place | undefined): string[] {
  return isRecord(place?.value) ? Object.keys(place.value) : []
}

/** A text on one line; undefined for anything else and for an empty one. */
export function lineOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const line = clean(value)
  return line === '' ? undefined : line
}

function clean(text: string): string {
  return storableText(text.slice(0, 10_000)).replaceAll(/\s+/g, ' ').trim()
}

function keyOf(method: string, path: string): string {
  const word = method.toLowerCase()
  return `${word === 'webhook' ? word : word.toUpperCase()} ${clean(path)}`
}
