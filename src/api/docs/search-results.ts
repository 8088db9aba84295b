import { html } from 'hono/html'
import type { Project } from '../../features/projects/projects.ts'
import { beginningOf } from '../../lib/text/plain-text.ts'
import type { Html } from '../frame/html/html.ts'
import { docsPath } from '../render/docs-path.ts'
import type { FoundSection } from './ports.ts'

/** Sections that are shown below the field while somebody types. */
const mostTyped = 8
const longest = { page: 240, typed: 120 }

/** What a search has found, as a page. */
export function searchResults(project: Project, query: string, found: readonly FoundSection[]): Html {
  return html`<h1>Search</h1>
    ${
      found.length === 0
        ? html`<p class="empty">
            Nothing was found for “${query}”. Try other or fewer words, or see
            <a href="/docs/${project.domain}/?all=1">all pages</a>.
          </p>`
        : html`<p class="muted">For “${query}”</p>
            ${resultList(project, found, query)}`
    }`
}

export function resultList(project: Project, found: readonly FoundSection[], query = ''): Html {
  return html`<ol class="results">
    ${found.map(
      (section) =>
        html`<li>
          <a href="${addressOf(project, section)}">${marked(nameOf(section), query)}</a>
          <p>${marked(beginningOf(section.content, longest.page), query)}</p>
        </li>`,
    )}
  </ol>`
}

/** The same as choices of a field, for the script that asks while somebody types. */
export function typedResults(project: Project, query: string, found: readonly FoundSection[]): Html {
  if (found.length === 0) return html`<p class="palette-status">Nothing found.</p>`
  return html`<ul role="listbox" aria-label="Results">
    ${found.slice(0, mostTyped).map(
      (section, at) =>
        html`<li
          role="option"
          id="result-${at}"
          aria-selected="false"
          data-href="${addressOf(project, section)}"
        >
          <span
            >${marked(nameOf(section), query)}
            <span class="palette-detail"
              >${marked(beginningOf(section.content, longest.typed), query)}</span
            ></span
          >
        </li>`,
    )}
  </ul>`
}

function addressOf({ domain }: Project, { url, anchor }: FoundSection): string {
  return docsPath(domain, anchor === undefined ? url : `${url}#${anchor}`)
}

function nameOf({ title, heading }: FoundSection): string {
  return heading === undefined || heading === title ? title : `${title} › ${heading}`
}

const word = /[\p{L}\p{N}]+/gu

/** The text with those words marked that begin like a word of the query. */
function marked(text: string, query: string): Html {
  const wanted = new Set((query.toLowerCase().match(word) ?? []).filter(({ length }) => length > 1))
  const pieces: (Html | string)[] = []
  let at = 0
  for (const match of wanted.size === 0 ? [] : text.matchAll(word)) {
    const written = match[0].toLowerCase()
    if (![...wanted].some((one) => written.startsWith(one))) continue
    pieces.push(text.slice(at, match.index), html`<mark>${match[0]}</mark>`)
    at = match.index + match[0].length
  }
  return html`${pieces}${text.slice(at)}`
}
