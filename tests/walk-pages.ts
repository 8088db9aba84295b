import { expect } from 'vitest'

/**
 * What a person was led to: the links that were followed and the forms that were sent, as paths below the server's public
 * address.
 */
export interface Walk {
  links: Set<string>
  forms: Set<string>
  /** What led nowhere: its status, where it leads, and the page that it is on. */
  dead: string[]
}

interface Form {
  action: string
  fields: URLSearchParams
  from: string
}

/** Of pages that differ only in what they show, such as those of two jobs, this many are looked at. */
const mostAlike = 3

/**
 * Follows every link from some pages on as the person of a cookie, with all that the pages load, and then sends every
 * form as it stands there. An address of the same host that is not below that of the server leads nowhere.
 * @param base the server's public address, which may have a path
 */
export async function walkPages(base: string, cookie: string, seeds: readonly string[]): Promise<Walk> {
  const walk: Walk = { links: new Set(), forms: new Set(), dead: [] }
  const alike = new Map<string, number>()
  const forms = new Map<string, Form>()
  const queue = seeds.map((url) => ({ url, from: 'the start' }))
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { url, from } = next
    const shape = shapeOf(url)
    const seen = alike.get(shape) ?? 0
    if (seen >= mostAlike || walk.links.has(url)) continue
    alike.set(shape, seen + 1)
    walk.links.add(url)
    const response = await fetch(`${base}${url}`, { headers: { cookie } })
    if (!response.ok) walk.dead.push(`${response.status} ${url} on ${from}`)
    const isPage = response.headers.get('content-type')?.includes('text/html') === true
    const text = await response.text()
    if (!isPage) continue
    for (const address of addressesIn(text)) {
      const path = pathBelow(base, address, response.url)
      if (path === undefined) walk.dead.push(`outside ${address} on ${url}`)
      else if (path !== '') queue.push({ url: path, from: url })
    }
    for (const { action: address, ...form } of formsIn(text, url)) {
      const action = pathBelow(base, address, response.url)
      if (action === undefined) walk.dead.push(`outside ${address} on ${url}`)
      else forms.set(`${shapeOf(action)} ${form.from}`, { ...form, action })
    }
  }
  const last = ['/account', '/people/leave', '/sign-out']
  const placeOf = ({ action }: Form): number => last.findIndex((one) => action.startsWith(one))
  for (const form of [...forms.values()].toSorted((one, other) => placeOf(one) - placeOf(other))) {
    const { action, fields, from } = form
    if (walk.forms.has(action)) continue
    walk.forms.add(action)
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    const sent = { method: 'POST', redirect: 'manual', headers, body: fields } as const
    const { status } = await fetch(`${base}${action}`, sent)
    if ([401, 403, 404].includes(status) || status >= 500) walk.dead.push(`${status} ${action} on ${from}`)
  }
  expect(walk.links.size).toBeGreaterThan(seeds.length)
  return walk
}

function shapeOf(url: string): string {
  const { pathname } = new URL(url, 'http://localhost')
  if (pathname === '/find') return url
  // Pages of the documentation and of the API's operations are of one kind each, and tried in tests of their own.
  const [kind = ''] = /^\/(?:docs|reference)\//.exec(pathname) ?? []
  return kind !== '' ? kind : pathname.replaceAll(/\/(?:[a-z]+_[\w-]+|\d+)(?=\/|$)/g, '/{id}')
}

/** All that a page leads to or loads, apart from its forms. */
function addressesIn(page: string): string[] {
  return [...page.matchAll(/<[a-z]+\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, address = '']) =>
    plain(address),
  )
}

/** @returns empty for addresses of others and within a page; undefined outside of the server's own */
function pathBelow(base: string, address: string, page: string): string | undefined {
  const { origin, pathname, search } = new URL(address, page)
  if (address.startsWith('#') || origin !== new URL(base).origin) return ''
  const below = new URL(base).pathname.replace(/\/$/, '')
  return pathname.startsWith(`${below}/`) ? `${pathname.slice(below.length)}${search}` : undefined
}

function formsIn(page: string, from: string): Form[] {
  return [...page.matchAll(/<form\b([^>]*)>([^]*?)<\/form>/g)].flatMap(([, head = '', body = '']) => {
    if (!head.includes('method="post"')) return []
    const fields = new URLSearchParams()
    for (const [tag] of body.matchAll(/<(?:input\s+type="hidden"|button\b[^>]*\sname=)[^>]*>/g))
      fields.append(attribute(tag, 'name'), attribute(tag, 'value'))
    return [{ action: attribute(head, 'action'), fields, from }]
  })
}

function attribute(tag: string, name: string): string {
  return plain(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '')
}

function plain(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
}
