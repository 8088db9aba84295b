import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { everyEndpoint } from './every-endpoint.ts'
import { everyVerb } from './verb-doors.ts'

/** What is no view of a verb, by the reason for it. Whatever is added to the product is made of a verb, or named here. */
const operations: Readonly<Record<string, readonly string[]>> = {
  'asked by machines, with a form of its own': [
    'getHealth',
    'getReadiness',
    'getMetrics',
    'receiveHostEvent',
    'receiveChatEvent',
  ],
  'the wire of the assistant, which clients know': [
    'askAssistant',
    'askAssistantV1',
    'resumeAnswer',
    'sendFeedback',
    'getStarters',
    'search',
    'readPage',
  ],
  'a stream, or a file': [
    'listEvents',
    'exportAudit',
    'exportThreads',
    'createBackup',
    'getJobDiff',
    'getPullRequestDiff',
    'readLlmsTxt',
    'readLlmsFullTxt',
    'listPublicDocs',
  ],
  'the protocol of git': ['listReferences', 'fetchObjects'],
  'the Model Context Protocol': [
    'useJobTools',
    'useDocsTools',
    'registerClient',
    'getServerCatalog',
    'listToolServers',
    'listServerCards',
    'getFirstServerCard',
    'getJobServerCard',
    'getDocsServerCard',
  ],
  'OAuth, which apps read as its RFCs write it': [
    'getProtectedJobTools',
    'getProtectedDocsTools',
    'getAuthorizationServer',
    'exchangeToken',
    'revokeToken',
  ],
  'the wire of an older interface, which clients know': [
    'createJobV1',
    'getJobV1',
    'listJobsV1',
    'startUpdateV1',
    'getUpdateV1',
    'listConversationsV1',
    'getConversationV1',
    'countCallersV1',
    'listFeedbackV1',
    'countFeedbackV1',
    'listSearchesV1',
    'createPreviewV1',
    'countViewsV1',
    'countVisitorsV1',
  ],
}

const forms: Readonly<Record<string, readonly string[]>> = {
  'a model that does not work is its answer': ['/projects/{domain}/settings/test-model'],
  'answers with a stream': ['/projects/{domain}/assistant/playground'],
}

const commands: Readonly<Record<string, readonly string[]>> = {
  'reads a part of the answer, so that less can be in the way': ['get /admin/projects', 'get /admin/server'],
  'asks which project has a job, and is answered by refusals': ['get /v2/agent/{}/job/{}'],
}

const root = join(import.meta.dirname, '..')
const namesIn = (byReason: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.values(byReason).flat().toSorted()

it('makes every operation and every form of a verb, but for those that are named here', async () => {
  const verbs = new Set<string>((await everyVerb()).map(({ name }) => name))
  const endpoints = everyEndpoint()
  const byHand = endpoints.flatMap(({ route: { hide, operationId = '' } }) =>
    hide === true || verbs.has(operationId) ? [] : [operationId],
  )
  expect(byHand.toSorted()).toEqual(namesIn(operations))
  const formsByHand = endpoints.flatMap(({ route, formOf, typed }) =>
    formOf !== undefined && (typed === undefined || !verbs.has(formOf)) ? [route.path] : [],
  )
  expect(formsByHand.toSorted()).toEqual(namesIn(forms))
  expect(verbs.size).toBeGreaterThan(100)
})

it('has commands ask by verbs, but for those that are named here', async () => {
  const addresses = (await everyVerb()).map(({ address }) => address.replaceAll(/\{\w+\}/g, '{}'))
  const written = new Set<string>()
  for await (const file of glob('src/{cli,nouns}/**/*.ts', { cwd: root })) {
    if (/\.test\.ts$|\/(?:verbs|run|.*page|.*forms)\.ts$/.test(file)) continue
    const text = await readFile(join(root, file), 'utf8')
    for (const [, path = ''] of text.matchAll(/['`](\/(?:admin|v2)\/[^'`?\s]*)/g))
      written.add(path.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '{}'))
  }
  const byHand = addresses.filter((address) => written.has(address.slice(address.indexOf('/'))))
  const reads = byHand.filter(
    (address) =>
      address.startsWith('get ') ||
      !byHand.some((one) => one === `get ${address.slice(address.indexOf('/'))}`),
  )
  expect(reads.toSorted()).toEqual(namesIn(commands))
  expect(written.size).toBeGreaterThan(3)
})
