import { createGlob, globFolder, isGlob } from '../../../site/text/glob.ts'
import { type Workspace, requirePath } from '../workspace/workspace.ts'
import { decodeText } from '../../../site/text/encoding.ts'
import { viewText } from '../../../site/text/text-view.ts'
import { quote } from '../../../lib/text/quote.ts'
import { ToolError } from '../../../lib/tool-error.ts'
import { z } from 'zod'
import type { Paths } from './calls/paths.ts'
import { notShown } from './calls/shown-schema.ts'
import type { Sources } from './calls/sources.ts'
import { type AgentTool, defineTool } from './calls/tool.ts'
import { holdsSecrets } from '../policy/protected-files.ts'

/**
 * Normalizes a folder path as models write it: `guides`, `guides/`, `./guides`, `.`, `/`; `''` is the whole
 * repository.
 */
function folderInput(path: string): string {
  const plain = path.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '')
  return plain === '' || plain === '.' ? '' : requirePath(plain)
}

interface Selection {
  /** Files and folders to search; everything when empty. */
  places: string[]
  includes: (path: string) => boolean
}

/**
 * Turns files, folders and globs into the places to search and a filter for the results.
 * @throws ToolError `not_found` for none
 */
export function selectFiles(workspace: Workspace, wanted: readonly string[]): Selection {
  if (wanted.length === 0) return { places: [], includes: () => true }
  const places: string[] = []
  const tests: ((path: string) => boolean)[] = []
  for (const name of wanted) {
    const literal = name.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '')
    if (literal === '' || literal === '.') return { places: [], includes: () => true }
    if (workspace.has(literal) || workspace.hasFolder(literal)) {
      places.push(literal)
      tests.push((path) => path === literal || path.startsWith(`${literal}/`))
    } else if (isGlob(name)) {
      places.push(globFolder(name.includes('/') ? name : `**/${name}`))
      tests.push(createGlob(name))
    } else {
      requirePath(literal)
      throw new ToolError('not_found', `There is no file or folder ${quote(name)}`)
    }
  }
  const includes = (path: string) => tests.some((test) => test(path))
  return { places: places.includes('') ? [] : places, includes }
}

const maxFiles = 2000

export function listFilesTool(sources: Sources, paths: Paths): AgentTool {
  const besides = sources.names.map((name) => `\`@${name}\``).join(', ')
  return defineTool({
    name: 'list_files',
    description: `Lists files of a folder or glob: \`guides/**/*.{md,mdx}\`.${besides === '' ? '' : ` Other repositories, only read: ${besides}.`}`,
    input: z.object({
      path: z.string().optional(),
      glob: z.string().optional(),
      limit: z.number().int().min(1).max(maxFiles).optional().meta(notShown),
    }),
    run: async ({ path = '', glob, limit = maxFiles }, signal) => {
      const source = await sources.of(path, signal)
      const { workspace } = source
      const folder = folderInput(source.prefix === '' ? await paths.folder(source.path) : source.path)
      if (folder !== '' && !workspace.hasFolder(folder) && !workspace.has(folder)) {
        throw new ToolError('not_found', `There is no folder ${quote(path)}`)
      }
      const wanted =
        glob !== undefined && folder === '' && source.prefix === '' ? await paths.glob(glob) : glob
      const matches = wanted === undefined || wanted === '' ? () => true : createGlob(wanted)
      const inside = workspace
        .list()
        .map((file) => file.path)
        .filter((file) => folder === '' || file === folder || file.startsWith(`${folder}/`))
      // A glob may be relative to the root or to the folder: both are tried.
      const files = inside.filter(
        (file) => matches(file) || (folder !== '' && matches(file.slice(folder.length + 1))),
      )
      return {
        files: files.slice(0, limit).map((file) => `${source.prefix}${file}`),
        truncated: files.length > limit,
        ...(files.length > limit ? { total: files.length } : {}),
        ...source.origin,
      }
    },
  })
}

const maxSearched = 20_000
const maxPerFile = 5000
const maxCharacters = 60_000
const maxText = 400

export function grepTool(sources: Sources, names: Paths): AgentTool {
  return defineTool({
    name: 'grep',
    description:
      'Finds lines with a text or regex. paths, exclude: files, folders, globs.' +
      (sources.names.length === 0 ? '' : ' One other repository at a time: `@name`, `@name/src/**`.'),
    input: z.object({
      pattern: z.string().min(1).max(2000),
      regex: z.boolean().optional(),
      ignoreCase: z.boolean().optional(),
      paths: z.array(z.string().max(4000)).max(200).optional(),
      exclude: z.array(z.string().max(4000)).max(200).optional(),
      context: z.number().int().min(0).max(20).optional(),
      limit: z.number().int().min(1).max(2000).optional().meta(notShown),
    }),
    run: async (input, signal) => {
      const { pattern, regex = false, ignoreCase = false, paths = [], exclude = [], limit = 200 } = input
      const places = await Promise.all(paths.map((path) => sources.of(path, signal)))
      const source = places[0] ?? (await sources.of('', signal))
      if (places.some((place) => place.workspace !== source.workspace))
        throw new ToolError('invalid_input', 'Search one repository at a time')
      const inside = await Promise.all(
        places.map(async ({ path, prefix }) => (prefix === '' ? names.some(path) : path)),
      )
      const selection = selectFiles(source.workspace, inside)
      // The search runs in git, on the tree with this turn's changes, so no pattern can block this process.
      const hits = await source.workspace.grep(pattern, {
        regex,
        ignoreCase,
        paths: selection.places,
        limit: maxSearched,
        limitPerFile: maxPerFile,
      })
      const isLeftOut = excluded(exclude)
      const all = hits.matches.filter(
        ({ path }) => selection.includes(path) && !isLeftOut(path) && !holdsSecrets(path),
      )
      const matches: { path: string; line: number; text: string }[] = []
      const excerpts: { path: string; first: number; last: number }[] = []
      let characters = 0
      const texts = withContext(source.workspace, input.context ?? 0)
      for (const match of all.slice(0, limit)) {
        if (
          excerpts.some(
            ({ path, first, last }) => path === match.path && first <= match.line && match.line <= last,
          )
        )
          continue
        const { first, last, text } = await texts(match, all)
        characters += match.path.length + text.length + 20
        if (characters > maxCharacters && matches.length > 0) break
        const path = `${source.prefix}${match.path}`
        matches.push({ path, line: match.line, text })
        // One that was cut is not known.
        if (!text.endsWith('…')) excerpts.push({ path: match.path, first, last })
      }
      return {
        matches,
        ...(source.prefix === '' ? { shown: excerpts } : {}),
        total: all.length,
        truncated: hits.truncated || all.slice(0, limit).length < all.length || characters > maxCharacters,
        ...source.origin,
      }
    },
  })
}

/** Tests whether a path is one of these files, below one of these folders, or matches one of these globs. */
function excluded(names: readonly string[]): (path: string) => boolean {
  const tests = names.map((name) => {
    const plain = name.replace(/^(?:\.?\/)+/, '').replace(/(?<!\/)\/+$/, '')
    if (isGlob(name)) return createGlob(name)
    return (path: string) =>
      path === plain || path.startsWith(`${plain}/`) || `/${path}/`.includes(`/${plain}/`)
  })
  return (path) => tests.some((test) => test(path))
}

interface Match {
  path: string
  line: number
  text: string
}

/** The text of a match, and with `count` lines before and after it, each with its number: `12:` for those that match. */
function withContext(workspace: Workspace, count: number) {
  const files = new Map<string, string[] | undefined>()
  const linesIn = async (path: string) => {
    if (!files.has(path)) {
      const content = await workspace.read(path)
      const text = content === undefined ? undefined : decodeText(content)?.text
      files.set(path, text === undefined ? undefined : viewText(text).text.replace(/\n$/, '').split('\n'))
    }
    return files.get(path)
  }
  return async (
    match: Match,
    all: readonly Match[],
  ): Promise<{ first: number; last: number; text: string }> => {
    const lines = count === 0 ? undefined : await linesIn(match.path)
    if (lines === undefined) return { first: match.line, last: match.line, text: cutLine(match.text) }
    const hits = new Set(all.flatMap(({ path, line }) => (path === match.path ? line : [])))
    const first = Math.max(1, match.line - count)
    let last = Math.min(lines.length, match.line + count)
    // Matches that are near are shown together.
    for (let line = match.line + 1; line <= Math.min(lines.length, last + 1); line++)
      if (hits.has(line)) last = Math.min(lines.length, line + count)
    const text = lines
      .slice(first - 1, last)
      .map((line, at) => `${first + at}${hits.has(first + at) ? ':' : '-'}${cutLine(line)}`)
    return { first, last, text: text.join('\n') }
  }
}

function cutLine(text: string): string {
  return (text.length > maxText ? `${text.slice(0, maxText)}…` : text).toWellFormed()
}
