import type { Request } from './request.ts'

const thisPage = /^(?:(?:on|in|to|at) )?(?:(?:this|the|that) (?:page|file|document)|this|here|there|it)$/i

/** "Delete this page" with the page's path. */
export function namePage(said: string, path: string): string {
  return said.replaceAll(/\b(?:this|the) (?:page|file|document)\b/gi, () =>
    /\s/.test(path) ? `"${path}"` : path,
  )
}

/** A request that was made beside a line of a page: where it names no other place, it is about that page. */
export function atPage(request: Request, path: string, said: string): Request {
  if ('page' in request && thisPage.test(request.page.trim())) return { ...request, page: path }
  if (request.kind === 'unknown') return { ...request, text: `${path}: ${request.text}` }
  if (!('scope' in request)) return request
  const { scope } = request
  const isHere =
    scope.kind === 'everywhere'
      ? !/\b(?:everywhere|globally|throughout|all pages|every page)\b/i.test(said)
      : scope.kind === 'pages' && thisPage.test(scope.named.trim())
  return isHere ? { ...request, scope: { kind: 'pages', named: path } } : request
}
