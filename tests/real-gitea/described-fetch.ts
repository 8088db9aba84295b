import { giteaApi } from '../worlds/hosts/gitea/gitea-api.ts'
import { giteaSite } from './gitea-site.ts'

/** What real answers have otherwise than the newest descriptions say, each once. */
export const differences = new Set<string>()

/** Compares what is sent and answered with the descriptions that the fakes are checked by. */
export const describedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const url = new URL(input instanceof Request ? input.url : input)
  const path = url.href.slice(`${giteaSite}/api/v1`.length).replace(/\?.*$/, '')
  const method = init?.method ?? 'GET'
  const text = await response.clone().text()
  const body = read(text)
  const sent: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
  const { status } = response
  // An address that it does not know yet it answers with a page; and trouble is described nowhere.
  if (typeof body === 'string' || status >= 500) return response
  const problems = [
    ...giteaApi.checkRequest({ method, path, query: url.searchParams, body: sent }),
    ...giteaApi.checkAnswer({ method, path }, { status, body }).map((problem) => `${status}, ${problem}`),
  ]
  const place = path.replace(/^\/(repos\/[^/]+\/[^/]+|orgs\/[^/]+)/, '…').replaceAll(/\d+/g, '1')
  for (const problem of problems)
    differences.add(`${method} ${place}: ${problem.replaceAll(/\[\d+\]/g, '[]')}`)
  return response
}

function read(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}
