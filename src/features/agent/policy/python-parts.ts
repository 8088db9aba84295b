import type { ActivePart } from './active-part.ts'
import { firstLine, shown, withLines } from './active-part.ts'
import { readTags } from './read-tags.ts'
import { tagParts } from './tag-parts.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const maxContent = 20_000

/** Blocks of Python-Markdown that are elements, `/// html | p[title="x"]`, or are made of programs, `::: module`. */
export function pythonParts(text: string): Part[] {
  const elements = text.matchAll(
    /^[ \t]*\/{3,}[ \t]*html[ \t]*\|[ \t]*([A-Za-z][\w:-]{0,50})([^\n]{0,2000})$/gm,
  )
  const programs = text.matchAll(/^[ \t]*::: ?([\w.:-]{1,200})((?:\n[ \t]+[^\n]{1,300}){0,50})/gm)
  return [
    ...[...elements].flatMap(({ 0: whole, 1: name = '', 2: attributes = '', index }) => {
      const from = index + whole.length
      const stop = text.slice(from, from + maxContent).search(/\n[ \t]*\/{3,}/)
      const content = text.slice(from, stop === -1 ? from + maxContent : from + stop)
      const source = `<${name} ${attributes.replaceAll(/[[\]]/g, ' ')}>${content}</${name}>`
      const tags = (readTags(source, { braces: false }) ?? []).slice(0, 1)
      return tagParts(source, tags, { mdx: false, vue: false }).map((part) => ({ ...part, at: index }))
    }),
    ...[...programs].map(({ 0: whole, 1: name = '', index }) => ({
      // Documentation of one more module is nothing new; a program of another kind is.
      key: `program ${name.includes('-') ? withLines(whole) : ''}`,
      what: `what a program makes of ${shown(whole)}`,
      search: name.includes('-') ? firstLine(whole) : '::: ',
      at: index,
    })),
  ]
}
