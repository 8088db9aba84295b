import type { Page } from '../tools.ts'
import type { FoundPage } from './find-page.ts'

/** Why a page could not be chosen, for the person who named it. */
export function explainPage(named: string, found: Exclude<FoundPage, { kind: 'one' }>): string {
  if (found.kind === 'several') {
    const listed = found.candidates.map(said).join(', ')
    return `“${clean(named)}” fits several pages: ${listed}. Name one by its path.`
  }
  const near = found.nearby.length > 0 ? ` Similar pages: ${found.nearby.map(said).join(', ')}.` : ''
  return `No page fits “${clean(named)}” by path, file name, address or title.${near}`
}

function said(page: Page): string {
  return page.title === '' || page.title === page.path
    ? `\`${page.path}\``
    : `\`${page.path}\` (${page.title})`
}

function clean(named: string): string {
  return named.replace(/^["“'‘`]|["”'’`]$/g, '').slice(0, 200)
}
