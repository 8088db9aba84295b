import type { Machine } from '../../integrations/machine/machine.ts'
import type { ModelTurns } from '../../integrations/models/model-turns.ts'
import type { Model, ModelUsage, ModelWindow } from '../../integrations/models/model.ts'
import type { Reader, Store, Tx } from '../../store/database.ts'
import type { Allowance } from './allowance.ts'
import type { Guidance } from '../../site/guidance.ts'
import type { CodeHit } from './code/search-code.ts'
import type { PinnedMatch } from './pinned/pinned-answers.ts'
import type { AnswerStreams } from './streams/answer-streams.ts'
import type { Unfinished } from '../../lib/unfinished.ts'

/** What the assistant knows of a project. */
export interface AssistantProject {
  id: string
  domain: string
}

/** Narrows a search; never an access boundary. */
export interface SearchFilter {
  version?: string | undefined
  language?: string | undefined
  tag?: string | undefined
  /** The reader's: pages that name groups are seen only with one of these. Undefined: all pages, for who writes them. */
  groups?: string[] | undefined
}

/** What the reader looks at, according to the client: untrusted. */
export interface ContextItem {
  type?: 'code' | 'textSelection' | undefined
  value: string
  path?: string | undefined
  elementId?: string | undefined
}

interface SearchRequest {
  query: string
  /** Sections. */
  limit: number
  filter: SearchFilter | undefined
  currentPath: string | undefined
  context: ContextItem[]
  /** Searches only this page, as people name it. */
  within?: string | undefined
  /** Characters of a section's text at most; of a longer one, the part around the best passage. */
  longest?: number | undefined
  /** What models made of sections, or write, that a check leaves out. */
  without?: readonly string[] | undefined
}

/** One section that matches. */
export interface SearchHit {
  /** File path in the repository. */
  path: string
  /** Path on the site without origin. */
  url: string
  title: string
  /** Of the page, where it has one; at most 500 characters. */
  description?: string | undefined
  language?: string | undefined
  version?: string | undefined
  /** Headings down to the section, joined by ` – `; undefined for a page's beginning. */
  heading?: string | undefined
  anchor?: string | undefined
  /** The whole text of the section, its Markdown tables and code fences included. */
  content: string
  /** Whether the section has more text than `content`. */
  isPart?: boolean | undefined
  /** From 0 to 1. */
  score: number
  /** What readers would ask that this section answers, where that is known. */
  questions?: string[] | undefined
  /** Pages that say nearly the same: other versions, copies. */
  alsoIn?: OtherPage[] | undefined
}

interface OtherPage {
  /** Path on the site without origin. */
  url: string
  title: string
  version?: string | undefined
  language?: string | undefined
}

export interface SearchResult {
  /** Best first. */
  hits: SearchHit[]
  /** From 0 (the documentation does not speak of it) to 1. */
  confidence: number
  /** Words of the query that no page holds. */
  unknown?: string[] | undefined
  /** How rare each word of the query is on the site, by the word in small letters: 0 for what is on every page, 1 for what is on none. */
  rarities?: ReadonlyMap<string, number> | undefined
  /** Whether the first hit is the page that a beginner's question asks for by what it is, whatever its words. */
  leads?: boolean | undefined
}

/** What is known of a query on the site, beside what it finds. */
export type QueryFacts = Required<Pick<SearchResult, 'rarities' | 'leads'>>

export type Search<Project extends AssistantProject = AssistantProject> = (
  project: Project,
  request: SearchRequest,
) => Promise<SearchResult>

export interface FoundPage {
  /** File path in the repository. */
  path: string
  /** Path on the site without origin. */
  url: string
  title: string
  description?: string | undefined
  /** Groups of readers; without any, everybody sees it. */
  groups: readonly string[]
  content: string
  sections: { anchor: string | undefined; headings: string[]; text?: string }[]
}

/** A section of a page, as far as questions are made of it. */
export interface StarterSection {
  /** File path in the repository. */
  path: string
  title: string
  language?: string | undefined
  /** Headings down to the section, joined by ` – `; undefined for a page's beginning. */
  heading?: string | undefined
  /** What readers would ask that this section answers, where that is known. */
  questions?: string[] | undefined
}

/** Finds a page by its slug, file or address, as people write them; undefined where there is none. */
type FindPage<Project extends AssistantProject = AssistantProject> = (
  project: Project,
  name: string,
) => Promise<FoundPage | undefined>

/** The name of a page on the wire: what follows the site's address, for a page's path on the site. */
type SlugOf<Project extends AssistantProject = AssistantProject> = (project: Project, url: string) => string

/** The address at which a site path can be opened by the client, absolute. */
type LinkOf<Project extends AssistantProject = AssistantProject> = (
  project: Project,
  url: string,
  anchor: string | undefined,
) => string

/** A model by its name in configuration, in records of usage and in logs. */
export interface NamedModel {
  name: string
  model: Model
  /** Undefined: the defaults. */
  deadlines?: Deadlines | undefined
  /** Lets readers take turns; undefined where all of them are answered at once. */
  turns?: ModelTurns | undefined
  /** What it reads and writes in one call; left out where that does not matter. */
  readWindow?: (() => Promise<ModelWindow>) | undefined
}

/** Milliseconds that are waited for a model, from the beginning of its turn. */
export interface Deadlines {
  /** Until the first piece of an answer to one call, thinking included. */
  firstToken: number
  /** For one call as a whole. */
  call: number
  /** For all calls of one answer. */
  total: number
  /** For the call that writes queries, which an answer does not need. */
  queries?: number | undefined
}

export interface AssistantPorts<Project extends AssistantProject = AssistantProject> {
  store: Store
  machine: Pick<Machine, 'trouble'>
  /**
   * The models to try, the best first. The last one is the built-in model, which is always available.
   * @param name the model of a check: only the built-in one comes after it
   * @throws AppError `invalid` where this server does not offer the model of that name
   */
  modelsOf(project: Project, name?: string): NamedModel[]
  /** Whether the first model also writes queries for the first search. */
  writesQueries?(project: Project): boolean
  /** What the project's people and its repository ask of the assistant. */
  guidanceOf?(project: Project): Guidance
  /** Whether the project's models can look at images, as its operator says. */
  takesImages(project: Project): boolean
  /** Millionths of a US dollar; undefined where no price is known. */
  costOf(name: string, usage: ModelUsage): number | undefined
  /**
   * Sets tokens aside for an answer, in the transaction that records its question.
   * @returns undefined when the project has used its tokens of the day
   */
  takeAllowance(tx: Tx, project: Project): Promise<Allowance | undefined>
  /** The answers under way, for readers that come back. */
  streams: AnswerStreams
  search: Search<Project>
  findPage: FindPage<Project>
  slugOf: SlugOf<Project>
  /** The answer that the docs team pinned for a question, in whatever spelling it is asked. */
  findPinned?: ((project: Project, question: string) => Promise<PinnedMatch | undefined>) | undefined
  /** Titles of a few pages in the language that most pages have. */
  someTitles?(projectId: string): Promise<string[]>
  /** Git's ids of the files that are indexed now, by path. */
  revisionsOf(reader: Reader, projectId: string, paths: string[]): Promise<Map<string, string>>
  /**
   * Sections of the page at a site path, where there is one, and those of the pages that the site puts first, page by
   * page, in the same language and version.
   */
  starterSections?(
    project: Project,
    path: string | undefined,
  ): Promise<{ own: StarterSection[]; central: StarterSection[][] }>
  /** Searches the code of context repositories; undefined where the project does not let readers see it. */
  searchCode?(project: Project): ((query: string, signal: AbortSignal) => Promise<CodeHit[]>) | undefined
  /** Whole questions that several readers asked and that were answered, where the project shows them to others. */
  askedQuestions?(project: Project): Promise<string[]>
  linkOf: LinkOf<Project>
  /** Called for errors that clients only see in general words. */
  onError(error: unknown): void
  /** Aborted when the server stops: streams then end with an error frame. */
  draining?: AbortSignal | undefined
  /** What is still written down while the server stops, without letting readers wait. */
  unfinished?: Pick<Unfinished, 'add'> | undefined
  /** For all models, instead of their own. */
  deadlines?: Deadlines | undefined
}
