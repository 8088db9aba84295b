import type { ModelUsage } from '../../integrations/models/model.ts'
import type { SafeLink } from './links/inline.ts'
import type { Outcome } from './outcome.ts'
import type { AssistantPorts, AssistantProject, FoundPage } from './ports.ts'

/** A question that tries the assistant, such as one of an evaluation. It is not recorded, charged or counted. */
export interface Check {
  /** The model that answers, in place of the project's own. */
  model?: string | undefined
  /** What is left out, so that what it adds can be measured. */
  without?: readonly CheckPart[] | undefined
  /** People ask: a frame `data-trace` tells how the answer came about, before the last one, and limits count the question. */
  trace?: boolean | undefined
}

/** `questions` and `vectors` that models made of sections, the `queries` that a model writes, and `pinned` answers. */
export const checkParts = ['questions', 'vectors', 'queries', 'pinned'] as const
type CheckPart = (typeof checkParts)[number]

/** What the finish frame of a check says besides. */
export interface CheckReport {
  /** Why the question is unanswered. */
  cause: string | undefined
  /** What was asked for that the documentation does not mention. */
  missing: readonly string[]
  /** The pinned answer that was given. */
  pinned: string | undefined
  /** `docs team` for a pinned answer. */
  model: string | undefined
  milliseconds: number
  inputTokens: number
  outputTokens: number
  /** US dollars; null when a price is unknown. */
  cost: number | null
  citations: {
    /** The page's slug. */
    path: string
    /** The page's file. */
    file: string
    url: string
    /** The texts of the answer that the link stands for. */
    words: string[]
    /** The linked section with its headings, or the page's beginning where the link names no section. */
    section: string
  }[]
}

/** The ports that leave out what a check leaves out. */
export function portsOfCheck<Project extends AssistantProject>(
  deps: AssistantPorts<Project>,
  { without = [] }: Check,
): AssistantPorts<Project> {
  return {
    ...deps,
    search: (project, request) => deps.search(project, { ...request, without }),
    writesQueries: (project) => !without.includes('queries') && deps.writesQueries?.(project) === true,
    findPinned: without.includes('pinned') ? undefined : deps.findPinned,
  }
}

export async function reportCheck<Project extends AssistantProject>(
  { findPage, slugOf }: Pick<AssistantPorts<Project>, 'findPage' | 'slugOf'>,
  project: Project,
  answer: {
    outcome: Outcome
    milliseconds: number
    model: string | undefined
    calls: { usage: ModelUsage; cost: number | undefined }[]
    links: SafeLink[]
    words: ReadonlyMap<string, string[]>
  },
): Promise<CheckReport> {
  const { calls, links, words } = answer
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)
  const costs = calls.flatMap(({ cost }) => cost ?? [])
  return {
    cause: answer.outcome.cause,
    missing: answer.outcome.missing ?? [],
    pinned: answer.outcome.pinned,
    model: answer.outcome.pinned === undefined ? answer.model : 'docs team',
    milliseconds: answer.milliseconds,
    inputTokens: sum(calls.map(({ usage }) => usage.inputTokens)),
    outputTokens: sum(calls.map(({ usage }) => usage.outputTokens)),
    cost: costs.length < calls.length ? null : sum(costs) / 1_000_000,
    citations: await Promise.all(
      links.map(async ({ path: file, url, anchor }) => {
        const page = await findPage(project, file)
        const path = page === undefined ? file : slugOf(project, page.url)
        return { path, file, url, words: words.get(url) ?? [], section: sectionText(page, anchor) }
      }),
    ),
  }
}

// A link without an anchor leads to the page's beginning. A long section is stored in pieces that have the same anchor.
function sectionText(page: FoundPage | undefined, anchor: string | undefined): string {
  if (!page) return ''
  const pieces = page.sections.filter((section) => section.anchor === anchor)
  const titles = anchor === undefined ? [page.title, page.description ?? ''] : (pieces[0]?.headings ?? [])
  return [...titles, ...pieces.map(({ text = '' }) => text)].join('\n')
}
