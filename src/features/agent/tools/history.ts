import { z } from 'zod'
import { ToolError } from '../../../lib/tool-error.ts'
import { holdsSecrets } from '../policy/protected-files.ts'
import type { History } from '../workspace/base-tree.ts'
import { notShown } from './calls/shown-schema.ts'
import { numberDiff } from '../workspace/numbered-diff.ts'
import type { Paths } from './calls/paths.ts'
import type { Sources } from './calls/sources.ts'
import { type AgentTool, defineTool } from './calls/tool.ts'

const shortId = 12
const shownTags = 30
const maxDiffed = 50

export function historyTool(sources: Sources, paths: Paths): AgentTool {
  return defineTool({
    name: 'history',
    description: `Lists commits and tags. from, to: tag, branch, commit, version, day.${inOthers(sources)}`,
    input: z.object({
      path: z.string().optional(),
      from: z.string().max(250).optional(),
      to: z.string().max(250).optional(),
      limit: z.number().int().min(1).max(200).optional().meta(notShown),
    }),
    run: async ({ path: given = '', from, to, limit = 30 }, signal) => {
      const { source, path, history } = await openHistory(sources, paths, given, signal)
      const follows = source.workspace.has(path) && from === undefined && to === undefined
      const query = { path, follows, limit, from: nonEmpty(from), to: nonEmpty(to) }
      const log = await history.log(query, signal)
      return {
        ...source.origin,
        commits: log.commits.map(({ id, ...commit }) => ({ commit: id.slice(0, shortId), ...commit })),
        ...(log.hasMore ? { truncated: true } : {}),
        ...(log.isShallow
          ? { incomplete: 'Older commits were not fetched: the repository is a shallow clone' }
          : {}),
        ...(path === ''
          ? { tags: (await history.tags(shownTags)).map(({ name, date }) => `${name} (${date})`) }
          : {}),
      }
    },
  })
}

export function showCommitTool(sources: Sources, paths: Paths): AgentTool {
  return defineTool({
    name: 'show_commit',
    description: `Shows a commit with its diff and its lines, of all or path.${inOthers(sources)}`,
    input: z.object({ commit: z.string().min(1).max(250), path: z.string().optional() }),
    run: async ({ commit, path: given = '' }, signal) => {
      const { source, path, history } = await openHistory(sources, paths, given, signal)
      const { id, parent, files, filesLeftOut, ...shown } = await history.show(commit, path)
      const readable = files
        .filter((file) => ![file.path, file.oldPath ?? ''].some(holdsSecrets))
        .slice(0, maxDiffed)
      const names = readable.flatMap((file) => [file.path, file.oldPath ?? file.path])
      const diff =
        names.length === 0
          ? undefined
          : await history.diff({ from: parent, to: id, paths: [...new Set(names)] }, signal)
      return {
        ...source.origin,
        // In full, for links to its files.
        id,
        parent,
        ...shown,
        files,
        ...(filesLeftOut > 0 ? { filesLeftOut } : {}),
        ...(diff === undefined ? {} : { diff: numberDiff(diff.text.trimEnd()) }),
        truncated: diff?.truncated === true || readable.length < files.length,
      }
    },
  })
}

function inOthers({ names }: Sources): string {
  return names.length === 0 ? '' : ` Of another repository: path \`@name/…\`.`
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text
}

async function openHistory(sources: Sources, paths: Paths, given: string, signal: AbortSignal) {
  const source = await sources.of(given, signal)
  const path = source.prefix === '' ? await paths.folder(given) : source.path.replace(/\/$/, '')
  const history: History | undefined = source.workspace.baseTree.history
  if (history === undefined) throw new ToolError('unavailable', 'There is no history here: go on without it')
  return { source, path: path.replace(/^(?:\.?\/)+/, ''), history }
}
