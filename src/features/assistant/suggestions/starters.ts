import { readStarter, type Guidance } from '../../../site/guidance.ts'
import { refusedTopic } from '../guidance.ts'
import { confidenceFloor } from '../search/lookup.ts'
import type { AssistantPorts, AssistantProject, StarterSection } from '../ports.ts'
import { questionsIn } from './suggest-questions.ts'

/** When there are so many, nothing more is made. */
const enough = 3
const most = 5
/** From here on, the documentation surely speaks of a question: nobody asked for those that are made of headings. */
const madeFloor = 0.5
/** Questions of each source that are searched for, all at once. */
const mostTried = 10

/** A question, and the page that must be found with it. */
interface Candidate {
  question: string
  page?: string | undefined
}

/**
 * Up to five questions to begin a conversation with, which the documentation answers: those that the project sets, then
 * those that the reader's page answers, then those that other readers asked, then those of the site's first pages.
 * @param path names the reader's page, as people write it
 */
export async function starterQuestions<Project extends AssistantProject>(
  deps: Pick<
    AssistantPorts<Project>,
    'search' | 'findPage' | 'guidanceOf' | 'starterSections' | 'askedQuestions' | 'findPinned'
  >,
  project: Project,
  path: string | undefined,
): Promise<string[]> {
  const guidance = deps.guidanceOf?.(project) ?? {}
  const isAnswered = async ({ question, page }: Candidate, floor: number): Promise<boolean> => {
    if (refusedTopic(question, guidance.refuse) !== undefined) return false
    if (await deps.findPinned?.(project, question)) return true
    const request = {
      query: question,
      limit: 3,
      // The questions are shown to every reader.
      filter: { groups: [] },
      currentPath: path,
      context: [],
      longest: 200,
    }
    const { hits, confidence } = await deps.search(project, request)
    return confidence >= floor && hits.some((hit) => page === undefined || hit.path === page)
  }
  const chosen = new Map<string, string>()
  const add = async (candidates: Candidate[], floor: number): Promise<void> => {
    const tried = candidates.slice(0, mostTried)
    const answered = await Promise.all(tried.map((one) => isAnswered(one, floor)))
    for (const { question } of tried.filter((_, at) => answered[at]))
      if (chosen.size < most) chosen.set(question.toLowerCase(), question)
  }
  const candidatesOf = (sections: StarterSection[]): Candidate[] =>
    questionsIn(sections).map((question) => ({ question, page: sections[0]?.path }))

  const here = path === undefined ? undefined : await deps.findPage(project, path)
  await add(setFor(here?.url ?? path, guidance), confidenceFloor)
  if (chosen.size >= enough || !deps.starterSections) return [...chosen.values()]
  const { own, central } = await deps.starterSections(project, path)
  await add(candidatesOf(own), madeFloor)
  if (chosen.size < enough) await add(await askedBefore(deps, project), confidenceFloor)
  // One of each page, so that they are about different things.
  if (chosen.size < enough)
    await add(
      central.flatMap((sections) => candidatesOf(sections).slice(0, 1)),
      madeFloor,
    )
  return [...chosen.values()]
}

async function askedBefore<Project extends AssistantProject>(
  { askedQuestions }: Pick<AssistantPorts<Project>, 'askedQuestions'>,
  project: Project,
): Promise<Candidate[]> {
  return ((await askedQuestions?.(project)) ?? []).map((question) => ({ question }))
}

/** The questions that are set for a page, those for the fewest pages first, then those for all. */
function setFor(path: string | undefined, { starters = [] }: Guidance): Candidate[] {
  const at = path?.replace(/[?#].*$/s, '').replace(/\/$/, '')
  const isBelow = (prefix: string): boolean =>
    at !== undefined && (prefix === '/' || at === prefix || at.startsWith(`${prefix}/`))
  return starters
    .map(readStarter)
    .filter(({ path: prefix }) => prefix === undefined || isBelow(prefix))
    .toSorted((a, b) => (b.path?.length ?? 0) - (a.path?.length ?? 0))
    .map(({ question }) => ({ question }))
}
