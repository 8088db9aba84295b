import type { Node } from 'jsonc-parser'
import { ToolError } from '../../lib/tool-error.ts'
import {
  type JsonFile,
  indentAt,
  indentUnit,
  insertElement,
  lineEnd,
  property,
  removeChild,
  replaceNode,
  stringOf,
} from './json-file.ts'
import type { FileEdits } from './navigation.ts'
import type { Edit } from '../text/text-file.ts'

interface Input {
  main: JsonFile
  follow: (file: JsonFile, node: Node) => { file: JsonFile; node: Node } | undefined
  fromUrl: string
  toUrl: string
}

/** Sends the old address to the new one; older redirects to the old address go straight to the new, none makes a circle. */
export function redirectEdits({ main, follow, fromUrl, toUrl }: Input): FileEdits[] {
  if (fromUrl === toUrl) return []
  const present = property(main.root, 'redirects')
  if (present === undefined) return [{ path: main.path, edits: [newList(main, fromUrl, toUrl)] }]
  const { file, node: list } = follow(main, present) ?? { file: main, node: present }
  if (list.type !== 'array')
    throw new ToolError('unreadable', `The redirects of ${file.path} are no list: repair them first`)
  const edits: Edit[] = []
  const gone: Node[] = []
  let known = false
  for (const entry of list.children ?? []) {
    const source = property(entry, 'source')
    const destination = property(entry, 'destination')
    const [address = '', hash] = (stringOf(destination) ?? '').split('#', 2)
    const from = stringOf(source)
    if (same(from, toUrl)) gone.push(entry)
    else if (same(from, fromUrl) && destination !== undefined) {
      known = true
      edits.push(replaceNode(destination, toUrl))
    } else if (same(address, fromUrl) && destination !== undefined) {
      edits.push(replaceNode(destination, hash === undefined ? toUrl : `${toUrl}#${hash}`))
    }
  }
  const [circle] = gone
  if (!known) {
    const last = list.children?.at(-1)
    const index = (list.children?.length ?? 0) - 1
    const text = entryText(file, list, fromUrl, toUrl)
    // In the place of the one that would now lead in a circle, or behind all others.
    if (circle !== undefined) edits.push({ start: circle.offset, end: circle.offset + circle.length, text })
    else edits.push(insertElement(file, list, last === undefined ? -1 : index, text))
  } else if (circle !== undefined) edits.push(removeChild(list, circle))
  return [{ path: file.path, edits }]
}

function same(address: string | undefined, url: string): boolean {
  return address !== undefined && `/${address.replaceAll(/^\/|\/$/g, '')}` === url
}

function entryText(file: JsonFile, list: Node, source: string, destination: string): string {
  const sample = list.children?.at(-1)
  const text =
    sample === undefined ? undefined : file.text.slice(sample.offset, sample.offset + sample.length)
  const [from, to] = [JSON.stringify(source), JSON.stringify(destination)]
  if (text !== undefined && !text.includes('\n')) {
    const space = /^\{\s/.test(text) ? ' ' : ''
    return `{${space}"source": ${from}, "destination": ${to}${space}}`
  }
  const end = lineEnd(file.text)
  const first = sample?.children?.[0]
  const outer =
    sample === undefined
      ? indentAt(file.text, list.offset) + indentUnit(file.text)
      : indentAt(file.text, sample.offset)
  const inner = first === undefined ? outer + indentUnit(file.text) : indentAt(file.text, first.offset)
  return `{${end}${inner}"source": ${from},${end}${inner}"destination": ${to}${end}${outer}}`
}

function newList(main: JsonFile, source: string, destination: string): Edit {
  const end = lineEnd(main.text)
  const unit = indentUnit(main.text)
  const lines = [
    '"redirects": [',
    `${unit}{`,
    `${unit}${unit}"source": ${JSON.stringify(source)},`,
    `${unit}${unit}"destination": ${JSON.stringify(destination)}`,
    `${unit}}`,
    ']',
  ]
  const text = lines.join(`${end}${unit}`)
  const children = main.root.children ?? []
  return insertElement(main, main.root, children.length - 1, text)
}
