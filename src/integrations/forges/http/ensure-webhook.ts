import type { z } from 'zod'
import { apiPath } from './api-path.ts'
import type { HostApi, HostClient } from './host-client.ts'

/** How one kind of host keeps the webhooks of a repository. */
export interface Webhooks {
  client: HostClient
  /** The repository, for messages. */
  of: string
  /** The path of the list of webhooks. */
  place(api: HostApi): Promise<string>
  answer: z.ZodType<FoundWebhook>
  list(api: HostApi, place: string): Promise<FoundWebhook[]>
  settings(url: string, secret: string): object
  /** Settings that are only sent for a new webhook. */
  onlyNew?: object
  /** Undefined where the host cannot change an existing webhook's secret: it is then replaced by a new one. */
  change: 'PATCH' | 'PUT' | undefined
  /** Whether an error means that the credential may not do it, or that the host does not call such addresses. */
  isRefusal(error: unknown): boolean
}

interface FoundWebhook {
  id: string | number
  url: string | null | undefined
}

/**
 * Sets up one webhook that calls `url`, and removes others of this server for the same project.
 * @returns false when refused
 */
export function ensureWebhook(webhooks: Webhooks, url: string, secret: string): Promise<boolean> {
  return unlessRefused(webhooks, 'set up', async (api, place) => {
    const { settings, onlyNew, change, answer } = webhooks
    const wanted = settings(url, secret)
    const present = await findOwn(webhooks, api, place, url)
    const [own, ...more] = present
    // Hosts do not tell the secret of a webhook, so it is always set again.
    if (own && change !== undefined) {
      await api.replace(change, `${place}${apiPath`/${own.id}`}`, wanted, answer)
      await removeAll(api, place, more)
      return
    }
    const known = new Set(present.map(({ id }) => id))
    const find = async () => (await findOwn(webhooks, api, place, url)).find(({ id }) => !known.has(id))
    const hook = await api.create(place, { ...onlyNew, ...wanted }, answer, find)
    if (!own) return
    // Another process may do the same at this moment: the newest webhook stays.
    const older = (await findOwn(webhooks, api, place, url)).filter(({ id }) => Number(id) < Number(hook.id))
    await removeAll(api, place, older)
  })
}

/**
 * Removes the webhook that `ensureWebhook` made.
 * @returns false when refused
 */
export function removeWebhook(webhooks: Webhooks, url: string): Promise<boolean> {
  return unlessRefused(webhooks, 'remove', async (api, place) =>
    removeAll(api, place, await findOwn(webhooks, api, place, url)),
  )
}

async function findOwn(webhooks: Webhooks, api: HostApi, place: string, url: string) {
  const all = await webhooks.list(api, place)
  return all.filter((webhook) => isOwn(url, webhook.url))
}

async function removeAll(api: HostApi, place: string, webhooks: readonly FoundWebhook[]): Promise<void> {
  for (const { id } of webhooks) await api.remove(`${place}${apiPath`/${id}`}`)
}

async function unlessRefused(
  { client, of, place, isRefusal }: Webhooks,
  verb: string,
  work: (api: HostApi, place: string) => Promise<void>,
): Promise<boolean> {
  try {
    await client.operation(`${verb} the webhook of ${of}`, async (api) => work(api, await place(api)))
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/**
 * Whether a webhook is the one for `url`, even if it was made when this server had another address. The path names
 * the project, and no other server has a project of that name.
 */
function isOwn(url: string, found: string | null | undefined): boolean {
  return found !== null && found !== undefined && pathOf(found) === pathOf(url)
}

// The server may be served below a path, which may change too.
function pathOf(url: string): string {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: url }
  const start = pathname.lastIndexOf('/hosts/')
  return start < 0 ? pathname : pathname.slice(start)
}
