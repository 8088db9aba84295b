import { createGlob, globFolder, isGlob } from '../../../site/text/glob.ts'
import { type Workspace, requirePath } from '../workspace/workspace.ts'
import { quote } from '../../../lib/text/quote.ts'
import { ToolError } from '../../../lib/tool-error.ts'
import { z } from 'zod'
import type { Paths } from './calls/paths.ts'
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
    description:
      'Lists the files of the repository, or finds them: in a folder (`path`), by a glob such as `guides/**/*.{md,mdx}` or `*.yml` (`glob`), ' +
      `or both.${besides === '' ? '' : ` Repositories that can be read and searched but not changed are found by path: ${besides}.`}`,
    input: z.object({
      path: z.string().optional(),
      glob: z.string().optional(),
      limit: z.number().int().min(1).max(maxFiles).optional(),
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
      'Finds lines that hold a text (or match a regular expression, with `regex`). `paths` may name files, folders and globs' +
      `${sources.names.length === 0 ? '' : ', or one read-only repository, as a whole (`@name`) or in part (`@name/src/**`)'}.`,
    input: z.object({
      pattern: z.string().min(1).max(2000),
      regex: z.boolean().optional(),
      ignoreCase: z.boolean().optional(),
      paths: z.array(z.string().max(4000)).max(200).optional(),
      limit: z.number().int().min(1).max(2000).optional(),
    }),
    run: async ({ pattern, regex = false, ignoreCase = false, paths = [], limit = 200 }, signal) => {
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
      const all = hits.matches.filter(({ path }) => selection.includes(path) && !holdsSecrets(path))
      const matches: { path: string; line: number; text: string }[] = []
      let characters = 0
      for (const { path, line, text } of all.slice(0, limit)) {
        const cut = text.length > maxText ? `${text.slice(0, maxText)}…` : text
        characters += path.length + cut.length + 20
        if (characters > maxCharacters && matches.length > 0) break
        matches.push({ path: `${source.prefix}${path}`, line, text: cut.toWellFormed() })
      }
      return {
        matches,
        total: all.length,
        truncated: hits.truncated || all.length > matches.length,
        ...source.origin,
      }
    },
  })
}
