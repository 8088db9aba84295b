import type { Site } from '../site.ts'
import { folderOf, resolvePath } from '../text/paths.ts'
import type { Fence } from '../pages/fence.ts'
import type { PageLine } from '../pages/page.ts'

/** How a part of a file is named. Lines count from 1. */
export interface Part {
  from?: number
  to?: number
  /** The lines between two comments that hold the name of a section, such as `--8<-- [start:name]`. */
  section?: string
  after?: string
  before?: string
}

/**
 * An include that takes lines `[start, end)` of a text. The first of the paths that exists is meant; without paths the
 * lines only mark something and are left out.
 */
export interface Include {
  start: number
  end: number
  paths: readonly string[]
  part: Part
  /** Before each line that is put in. */
  indent: string
}

/** Longer lines name no file. */
export const maxLine = 2000

interface Place {
  site: Site
  from: string
  folders?: readonly string[]
}

type Target = Pick<Include, 'paths' | 'part'>

/** How the files of a framework name the files that they include. */
interface Form {
  /** An include that takes a whole line. */
  line?: (text: string, place: Place) => Target | undefined
  /** Whether lines in code blocks are read too. */
  inCode?: boolean
  fence?: (fence: Fence, body: readonly PageLine[], place: Place) => Target | undefined
  blocks?: (lines: readonly PageLine[], place: Place) => Include[]
}

const snippet = /^[ \t]*-{1,10}8<-{1,10}[ \t]+(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')[ \t]*$/
const snippetBlock = /^[ \t]*-{1,10}8<-{1,10}[ \t]*$/

function snippetTarget(name: string, { folders = [] }: Place): Target | undefined {
  if (name === '' || name.length > 500 || /^(?:;|[a-z]+:\/\/)/i.test(name)) return undefined
  const [file = '', first = '', last = ''] = name.split(':')
  const part: Part = /^\d*$/.test(first)
    ? { ...(first === '' ? {} : { from: Number(first) }), ...(last === '' ? {} : { to: Number(last) }) }
    : { section: first }
  const paths = folders.flatMap((folder) => resolvePath(folder, file) ?? [])
  return paths.length === 0 ? undefined : { paths, part }
}

/** `--8<-- "file"` and blocks of such lines, in code too: MkDocs fills them in before anything else is read. */
const snippets: Form = {
  inCode: true,
  line(text, place) {
    const match = snippet.exec(text)
    return match === null ? undefined : snippetTarget(match[1] ?? match[2] ?? '', place)
  },
  blocks(lines, place) {
    const found: Include[] = []
    let open = false
    for (const [index, { text }] of lines.entries()) {
      if (snippetBlock.test(text)) {
        open = !open
        found.push({ start: index, end: index + 1, paths: [], part: {}, indent: '' })
      } else if (open) {
        const target = snippetTarget(text.trim(), place)
        if (target) found.push({ ...target, start: index, end: index + 1, indent: indentOf(text) })
      }
    }
    return found
  },
}

/** Fences of the directive `include`. */
const mystIncludes: Form = {
  fence({ info }, body, { from }) {
    const [, name = ''] = /^\{include\}\s{1,20}(\S{1,500})$/.exec(info) ?? []
    const path = name === '' || name.startsWith('<') ? undefined : resolvePath(folderOf(from), name)
    if (path === undefined) return undefined
    const options = new Map(
      body.flatMap(({ text }) => {
        const [, key, value = ''] = /^\s*:([a-z-]{1,40}):[ \t]{0,20}(.{0,500})$/.exec(text) ?? []
        return key === undefined ? [] : [[key, value.trim()] as const]
      }),
    )
    // Such files are shown as code.
    if (options.has('literal') || options.has('code') || options.has('parser')) return undefined
    const [start, end] = [Number(options.get('start-line') ?? 0), options.get('end-line')]
    const [after, before] = [options.get('start-after'), options.get('end-before')]
    return {
      paths: [path],
      part: {
        // These count from 0, and the end is not part of it.
        ...(start > 0 && { from: start + 1 }),
        ...(end !== undefined && Number(end) > 0 && { to: Number(end) }),
        ...(after !== undefined && { after }),
        ...(before !== undefined && { before }),
      },
    }
  },
}

/** By the name of the framework. */
export const includeForms: Readonly<Record<string, Form>> = {
  mkdocs: snippets,
  mintlify: {
    line(text, { site }) {
      const [, , name = ''] = /^\s*<Snippet\s{1,20}file=(["'])([^"'\n]{1,500})\1\s{0,20}\/?>/.exec(text) ?? []
      if (name === '') return undefined
      const bare = name.replace(/^\//, '')
      const endings = /\.mdx?$/.test(bare) ? [bare] : [`${bare}.mdx`, `${bare}.md`]
      const paths = ['snippets/', '_snippets/', ''].flatMap((folder) =>
        endings.flatMap((file) => resolvePath(`${site.root}${folder}`, file) ?? []),
      )
      return { paths, part: {} }
    },
  },
  vitepress: {
    line(text, { site, from }) {
      const [, name = '', section, range = ''] =
        /^\s*<!--\s{0,20}@include:\s{0,20}([^\s{}#<>]{1,500})(?:#([\w-]{1,100}))?\s{0,20}(?:\{(\d{0,9},?\d{0,9})\})?\s{0,20}-->\s*$/.exec(
          text,
        ) ?? []
      if (name === '') return undefined
      const path = name.startsWith('@')
        ? resolvePath(site.root, name.slice(1).replace(/^\//, ''))
        : resolvePath(folderOf(from), name)
      return path === undefined
        ? undefined
        : { paths: [path], part: { ...rangeOf(range, ','), ...(section !== undefined && { section }) } }
    },
  },
  mdbook: {
    inCode: true,
    line(text, { from }) {
      const [, name = '', rest = ''] =
        /^\s*\{\{\s{0,20}#(?:rustdoc_)?include\s{1,20}([^\s:{}]{1,500})(?::([^{}\n]{1,200}))?\}\}\s*$/.exec(
          text,
        ) ?? []
      const path = name === '' ? undefined : resolvePath(folderOf(from), name)
      if (path === undefined) return undefined
      const range = rest.trim()
      return { paths: [path], part: /^[\d:]*$/.test(range) ? rangeOf(range, ':') : { section: range } }
    },
  },
  hugo: {
    line(text, { site, from }) {
      const [, name = ''] =
        /^\s*\{\{[%<]\s{0,20}(?:include|readfile)\s{1,20}(?:file=)?["']([^"'\n]{1,500}\.md)["'][^{}\n]{0,200}\}\}\s*$/.exec(
          text,
        ) ?? []
      if (name === '') return undefined
      const base = folderOf(site.configPaths[0] ?? '')
      const [language = ''] = folderOf(from).slice(site.root.length).split('/', 1)
      const folders = [site.root, `${site.root}${language}/`, base]
      if (!name.startsWith('/')) folders.unshift(folderOf(from))
      return {
        paths: folders.flatMap((folder) => resolvePath(folder, name.replace(/^\//, '')) ?? []),
        part: {},
      }
    },
  },
  jekyll: { line: liquidInclude },
  gitbook: { line: liquidInclude },
  sphinx: mystIncludes,
  myst: mystIncludes,
}

function liquidInclude(text: string, { site, from }: Place): Target | undefined {
  const [, relative, name = ''] =
    /^\s*\{%-?\s{0,20}include(_relative)?\s{1,20}["']?([^\s"'%{}]{1,500}\.(?:md|markdown))["']?(?:\s[^%{}\n]{0,500})?%\}\s*$/.exec(
      text,
    ) ?? []
  if (name === '') return undefined
  const framework: string = site.framework
  const folders =
    relative !== undefined || framework === 'gitbook'
      ? [folderOf(from), site.root]
      : [`${site.root}_includes/`, '_includes/']
  return { paths: [...new Set(folders.flatMap((folder) => resolvePath(folder, name) ?? []))], part: {} }
}

function rangeOf(text: string, separator: string): Part {
  if (text === '') return {}
  const [from = '', to] = text.split(separator)
  const first = from === '' ? {} : { from: Number(from) }
  if (to === undefined) return from === '' ? {} : { ...first, to: Number(from) }
  return to === '' ? first : { ...first, to: Number(to) }
}

export function indentOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? ''
}
