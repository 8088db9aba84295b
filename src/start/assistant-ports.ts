import type { AssistantGate } from '../api/discovery/ask-assistant.ts'
import type { Access } from '../api/access.ts'
import type { ClientAddress } from '../api/client-address.ts'
import type { RequestContext } from '../api/endpoint.ts'
import { createAllowance } from '../features/assistant/allowance.ts'
import type { AssistantPorts, NamedModel } from '../features/assistant/ports.ts'
import { searchCode, type CodeHit } from '../features/assistant/code/search-code.ts'
import { findPinnedAnswer } from '../features/assistant/pinned/pinned-answers.ts'
import { askedQuestions } from '../features/assistant/suggestions/asked-questions.ts'
import { createAnswerStreams } from '../features/assistant/streams/answer-streams.ts'
import { descriptionsOf, findPage, revisionsOf, someTitles } from '../features/docs/pages.ts'
import { starterSections } from '../features/docs/starter-sections.ts'
import { oneSpelling } from '../features/docs/search/spelling.ts'
import { searchDocs } from '../features/docs/search-docs.ts'
import { checkLimits, countLimits, limits, type LimitUse } from '../features/projects/limits.ts'
import type { Project } from '../features/projects/projects.ts'
import { withDefaults } from '../features/projects/settings/schemas.ts'
import type { Models } from '../integrations/models/model.ts'
import { ModelTrouble } from '../integrations/models/trouble.ts'
import { ownAddress } from '../site/openapi/operation-pages.ts'
import { homeSlug, slugOf } from '../site/pages/page-name.ts'
import type { Guidance } from '../site/guidance.ts'
import { addressesOf, openContextRepositories } from './agent-ports.ts'
import type { Services } from './services.ts'
import type { Unfinished } from '../lib/unfinished.ts'

interface Address {
  publicUrl(): string
}

/** Addresses below which a project's pages are: the published site, and this server's own rendering. */
function sitesOf(
  { publicUrl }: Address,
  { domain, settings }: Project,
): [...published: string[], own: string] {
  const own = `${publicUrl()}/docs/${domain}`
  return settings.site === undefined ? [own] : [settings.site, own]
}

/** Where people open a page: the published site, or this server's own rendering, which alone shows some pages. */
function pageLink(address: Address, project: Project, url: string, anchor: string | undefined): string {
  const sites = sitesOf(address, project)
  const site = url.startsWith(ownAddress) ? sites.at(-1) : sites[0]
  // File names may hold characters that addresses may not: spaces, `#`, `%`.
  const path = url.split('/').map(encodeURIComponent).join('/')
  return `${site}${path}${anchor === undefined ? '' : `#${encodeURIComponent(anchor)}`}`
}

export function createAssistantPorts(
  services: Services,
  state: Address & { draining: AbortSignal; unfinished?: Unfinished },
): AssistantPorts<Project> {
  const { store, machine, indexes, models, log } = services
  const onError = (error: unknown): void => {
    // The models have logged it, with all that is known of the call.
    if (error instanceof Error && error.cause instanceof ModelTrouble) return
    log.warn({ err: error }, 'The assistant had trouble')
  }
  const takeAllowance = createAllowance(onError)
  return {
    store,
    machine,
    streams: createAnswerStreams({ store, onError, draining: state.draining }),
    modelsOf: ({ settings }, wanted) => {
      if (wanted !== undefined) return [...new Set([wanted, 'builtin'])].map((of) => namedModel(models, of))
      const name = settings.assistantModel ?? models.assistantModel
      return namedModels(models, [name, models.fallbackOf(name), 'builtin'], onError)
    },
    writesQueries: ({ settings }) => withDefaults(settings).assistantQueries !== 'off',
    guidanceOf,
    takesImages: ({ settings }) => withDefaults(settings).assistantFiles,
    costOf: models.costOf,
    takeAllowance: (tx, project) => takeAllowance(tx, project, project.settings.assistantTokensPerDay),
    search: async (project, { context, ...request }) => {
      const result = await searchDocs(indexes, project, {
        ...request,
        sites: sitesOf(state, project),
        context: context.map(({ value }) => value).join('\n') || undefined,
      })
      const paths = [...new Set(result.hits.map(({ path }) => path))]
      const descriptions = await descriptionsOf(store.db, project.id, paths)
      return {
        ...result,
        hits: result.hits.map((hit) => ({ ...hit, description: descriptions.get(hit.path) })),
      }
    },
    findPage: (project, name) => findPage(store.db, project.id, name, sitesOf(state, project)),
    // Mintlify and this server open the home page under its name, too. Other sites may not.
    slugOf: ({ framework, settings }, url) =>
      slugOf(url, settings.site === undefined || framework === 'mintlify' ? homeSlug : ''),
    findPinned: ({ id }, question) => findPinnedAnswer(store.db, id, question, oneSpelling),
    someTitles: (projectId) => someTitles(store.db, projectId),
    revisionsOf,
    starterSections: (project, path) => starterSections(store.db, project, path, sitesOf(state, project)),
    searchCode: (project) => codeSearch(services, project, onError),
    askedQuestions: async ({ id, settings }) =>
      withDefaults(settings).assistantAskedStarters ? askedQuestions(store.db, id, oneSpelling) : [],
    linkOf: (project, url, anchor) => pageLink(state, project, url, anchor),
    onError,
    draining: state.draining,
    unfinished: state.unfinished,
  }
}

function codeSearch(
  services: Services,
  project: Project,
  onError: (error: unknown) => void,
): ((query: string, signal: AbortSignal) => Promise<CodeHit[]>) | undefined {
  const { assistantCode, contextRepositories } = withDefaults(project.settings)
  if (!assistantCode || contextRepositories.length === 0) return undefined
  return async (query, signal) => {
    const addressOf = await addressesOf(services, project)
    const { id, organizationId } = project
    const repositories = openContextRepositories(services, { id, organizationId, contextRepositories })
    return searchCode(
      repositories.map((one) => ({
        ...one,
        addressOf: ({ path, commit, line }) =>
          addressOf?.({ repository: `@${one.name}`, path, commit, lines: [line, line] }),
      })),
      query,
      { signal, onError },
    )
  }
}

/** What the settings ask for, and what the repository's file asks for. */
function guidanceOf({ settings: set, assistantFile }: Project): Guidance {
  const settings = withDefaults(set)
  const { guidance: own = {} } = assistantFile ?? {}
  const instructions = [settings.assistantInstructions, own.instructions].filter((text) => text !== undefined)
  return {
    instructions: instructions.length === 0 ? undefined : instructions.join('\n\n'),
    starters: [...settings.assistantStarters, ...(own.starters ?? [])],
    refuse: [...new Set([...settings.assistantRefuse, ...(own.refuse ?? [])])],
    contact: settings.assistantContact ?? own.contact,
  }
}

function namedModel(models: Models, name: string): NamedModel {
  const { firstText, answer } = models.patienceOf(name)
  const deadlines = { firstToken: firstText, call: answer, total: 2 * answer }
  return {
    name,
    model: models.find(name, 'assistant'),
    deadlines,
    turns: models.turns,
    readWindow: () => models.readWindow(name),
  }
}

// A model that is no longer offered must not keep the others from answering.
function namedModels(
  models: Models,
  names: (string | undefined)[],
  onError: (error: unknown) => void,
): NamedModel[] {
  return [...new Set(names)].flatMap((name) => {
    if (name === undefined) return []
    try {
      return [namedModel(models, name)]
    } catch (error) {
      onError(error)
      return []
    }
  })
}

/** Limits per organization and per address, taken together. */
export function createAssistantGate(
  { store }: Services,
  access: Access,
  addressOf: ClientAddress,
): AssistantGate<Project> {
  const usesOf = (context: RequestContext, project: Project): LimitUse[] => {
    const { id, organizationId } = project
    const address = addressOf(context)
    return [
      { limit: limits.assistantOrganization, subject: organizationId, organizationId },
      { limit: limits.assistantAddress, subject: address, organizationId },
      // Keys can be revoked; readers without one get smaller shares of their own.
      ...(context.get('isReader')
        ? [
            { limit: limits.assistantReader, subject: address, organizationId },
            { limit: limits.assistantPages, subject: id, organizationId },
          ]
        : []),
    ]
  }
  return {
    access,
    limits: {
      look: (context, project) => checkLimits(store.db, usesOf(context, project)),
      take: (tx, context, project) => countLimits(tx, usesOf(context, project)),
    },
  }
}
