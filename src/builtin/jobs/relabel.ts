import type { Change } from '../pages/line-edits.ts'
import { lineEdits } from '../pages/line-edits.ts'
import type { Plan } from '../replay.ts'
import { editFiles, grep, readFile } from '../tools.ts'
import { code } from './outcome.ts'

const configuration =
  /(?:^|\/)(?:mkdocs\.ya?ml|docs\.json|mint\.json|_meta\.json|_sidebar\.md|SUMMARY\.md|sidebars?(?:\.\w+)*\.(?:js|ts|json|cjs|mjs)|(?:astro|docusaurus)\.config\.\w+|\.vitepress\/.*\.(?:js|ts|mjs|mts|json))$|(?:^|\/)\.nav\.ya?ml$/

interface Renamed {
  path: string
  url: string
  old: string
  title: string
}

/** Navigation entries of this page that repeat its old title get the new one. */
export function* relabel(page: Renamed, changed: string[], left: string[]): Plan<void> {
  const [found] = yield* grep([{ pattern: page.old, limit: 500 }])
  if (found?.ok !== true) return
  const files = new Set(
    found.value.matches.map((match) => match.path).filter((path) => configuration.test(path)),
  )
  for (const file of [...files].sort().slice(0, 10)) {
    const text = yield* readFile(file)
    if (!text.ok) continue
    const changes = labelsIn(text.value, page)
    if (changes.length === 0) continue
    const { edits } = lineEdits(text.value, changes)
    const [done] = yield* editFiles([{ path: file, edits }])
    if (done?.ok === true) changed.push(`${code(file)}: the navigation shows the new title`)
    else left.push(`The label in ${code(file)}: ${done?.message ?? 'it could not be edited'}`)
  }
}

/** Places where the old title stands as a label, with the page's path or address on the same or a near line. */
function labelsIn(text: string, page: Renamed): Change[] {
  const keys = keysOf(page)
  const lines = text.split('\n')
  const changes: Change[] = []
  let offset = 0
  lines.forEach((line, index) => {
    for (let at = line.indexOf(page.old); at >= 0; at = line.indexOf(page.old, at + 1)) {
      const end = at + page.old.length
      if (!isLabel(line, at, end)) continue
      const own = keys.some((key) => holdsKey(line, key))
      // An entry that spreads over lines, as objects do: no other entry may begin between.
      const near =
        /[{[,]\s*$|^\s*['"]?(?:text|label|title)/.test(line) &&
        [index - 1, index + 1].some((other) => keys.some((key) => holdsKey(lines[other] ?? '', key)))
      if (own || near) changes.push({ start: offset + at, end: offset + end, replace: page.title })
    }
    offset += line.length + 1
  })
  return changes
}

function keysOf(page: Renamed): string[] {
  const bare = page.path.replace(/\.(?:mdx?|markdown)$/i, '')
  const parts = bare.split('/')
  // Configuration names pages from the content root, which may be some folders down.
  const paths = parts.map((_, index) => parts.slice(index).join('/')).slice(0, 4)
  const address = page.url.replace(/^\/+|(?<!\/)\/+$/g, '')
  return [...new Set([...paths, address])].filter((key) => key !== '')
}

function holdsKey(line: string, key: string): boolean {
  for (let at = line.indexOf(key); at >= 0; at = line.indexOf(key, at + 1)) {
    const after = line.slice(at + key.length, at + key.length + 12)
    if (/['"\s:(/[]/.test(line[at - 1] ?? ' ') && /^(?:\.mdx?|\.markdown|\/)?(?:['"\s,)#\]]|$)/.test(after))
      return true
  }
  return false
}

/** `Setup:` of YAML, `"Setup"` of JSON and JavaScript, `[Setup]` of a Markdown summary. */
function isLabel(line: string, at: number, end: number): boolean {
  const before = line[at - 1] ?? ' '
  const after = line[end] ?? ' '
  if (/['"`[]/.test(before)) return /['"`\]]/.test(after)
  return /^\s*(?:-\s*)?$/.test(line.slice(0, at)) && after === ':'
}
