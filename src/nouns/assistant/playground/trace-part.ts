import { html } from 'hono/html'
import type { Trace, TracedCall, TracedSearch, TracedSection } from '../../../features/assistant/trace.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { counted } from '../../../lib/text/counted.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { ago, table } from '../../../api/frame/html/parts.ts'
import { dollars, seconds, shortened, whole } from '../../insights/pages/answer-words.ts'

const authors: Record<TracedSearch['queries'][number]['by'], string> = {
  question: 'the question',
  conversation: 'the question, with words of those before',
  selection: 'the reader’s selection',
  model: 'the model',
}

const fates: Record<TracedSection['fate'], readonly [tone: string, word: string]> = {
  shown: ['good', 'shown to the model'],
  later: ['', 'others were better'],
  same_page: ['', 'enough of its page'],
  unused: ['', 'its query was left out'],
  weak: ['busy', 'search too weak'],
}

const tasks: Record<TracedCall['task'], string> = {
  queries: 'writes queries',
  answer: 'answers',
  sources: 'is asked for sources',
}

/** How an answer came about. */
export function tracePart(trace: Trace, answer: number, project: Project, now: Date): Html {
  const { searches, pages, calls } = trace
  return html`<h3>What was searched</h3>
    ${searches.length === 0 ? html`<p class="empty">No search. The question was a greeting or was refused.</p>` : ''}
    ${searches.map((search, n) => searchPart(search, `${answer}-${n}`, searches.length === 1 || n === 0))}
    ${
      pages.length === 0
        ? ''
        : html`<h3>Pages that the model read</h3>
            <ul>
              ${pages.map(
                ({ name, title, path, at }) =>
                  html`<li>
                    ${title ?? name}
                    <small class="muted">${path ?? 'page not found'}, after ${seconds(at)}</small>
                  </li>`,
              )}
            </ul>`
    }
    <h3>Steps of models</h3>
    ${calls.length === 0 ? html`<p class="empty">No model was called.</p>` : steps(calls)}
    <h3>What was in the index</h3>
    <p>
      ${counted(project.pageCount, 'page')}${project.sync.commit === undefined ? '' : html` of commit <code>${project.sync.commit.slice(0, 10)}</code>`}${project.sync.at === undefined ? '' : html`, read ${ago(project.sync.at, now)}`}
    </p>`
}

function searchPart(search: TracedSearch, key: string, isOpen: boolean): Html {
  const { query, confidence, floor, unknown, queries, sections, at, milliseconds } = search
  const shownSections = sections.filter(({ fate }) => fate === 'shown')
  const cut = sections.filter(({ fate }) => fate !== 'shown')
  const isWeak = confidence < floor
  return html`<details class="lookup" data-key="search-${key}" ${isOpen ? html` open` : ''}>
    <summary>
      “${shortened(query, 120)}”
      <span class="muted"
        >${counted(shownSections.length, 'section')} shown · confidence ${confidence.toFixed(2)} ·
        ${seconds(milliseconds)}, after ${seconds(at)}</span
      >
    </summary>
    ${isWeak ? html`<p class="notice warning">Low confidence. Sections below ${floor} aren’t sent to the model.</p>` : ''}
    ${unknown.length === 0 ? '' : html`<p>No page holds: <strong>${unknown.join(', ')}</strong></p>`}
    ${table(
      'Queries',
      ['', 'Query', 'Words of', 'Weight', 'Confidence', 'Found'].map((name) => name || 'No.'),
      queries.map(
        (one, n) =>
          html`<tr>
            <td>${n + 1}</td>
            <td class="wide">${one.query}</td>
            <td>${authors[one.by]}</td>
            <td class="counts">${String(Number(one.weight.toFixed(2)))}</td>
            <td class="counts">${one.confidence.toFixed(2)}${one.used ? '' : ', left out'}</td>
            <td class="counts">${whole(one.found)}</td>
          </tr>`,
      ),
    )}
    ${shownSections.length === 0 ? '' : sectionList(shownSections, queries.length)}
    ${
      cut.length === 0
        ? ''
        : html`<details data-key="cut-${key}">
            <summary>${counted(cut.length, 'section')} left out</summary>
            ${sectionList(cut, queries.length)}
          </details>`
    }
  </details>`
}

function sectionList(sections: readonly TracedSection[], queries: number): Html {
  return html`<ol class="sections">
    ${sections.map((section) => sectionItem(section, queries))}
  </ol>`
}

function sectionItem({ title, heading, path, fate, found, content }: TracedSection, queries: number): Html {
  const [tone, word] = fates[fate]
  const places = found.map(({ query, rank, score }) =>
    queries === 1 ? `score ${score}` : `query ${query + 1}: place ${rank}, score ${score}`,
  )
  return html`<li>
    <details>
      <summary>
        <strong>${title}</strong>${heading === null ? '' : html` › ${heading}`}
        ${fate === 'shown' ? '' : html`<span class="badge ${tone}">${word}</span>`}
        <small class="muted">${path} · ${places.join('; ')}</small>
      </summary>
      <pre class="source">${content}</pre>
    </details>
  </li>`
}

function steps(calls: readonly TracedCall[]): Html {
  return table(
    'Steps of models',
    ['After', 'Model', 'First piece', 'Took', 'Tokens read', 'Tokens written', 'Cost'],
    calls.map(
      (call) =>
        html`<tr>
          <td class="counts">${seconds(call.at)}</td>
          <td class="wide">
            <code>${call.model}</code> ${tasks[call.task]}${call.refused ? ', refused' : ''}
            ${call.tools.map(({ name, input }) => html`<br /><small class="muted">${toolWords(name, input)}</small>`)}
          </td>
          <td class="counts">${seconds(call.first)}</td>
          <td class="counts">${call.milliseconds === null ? 'given up' : seconds(call.milliseconds)}</td>
          <td class="counts">${whole(call.inputTokens)}</td>
          <td class="counts">${whole(call.outputTokens)}</td>
          <td class="counts">${dollars(call.cost)}</td>
        </tr>`,
    ),
  )
}

function toolWords(name: string, input: string): string {
  const argument = /:\s*"((?:[^"\\]|\\.)*)"/.exec(input)?.[1] ?? input
  const excerpt = shortened(argument, 120)
  if (name === 'search') return `searches for “${excerpt}”`
  return name === 'read_page' ? `reads ${excerpt}` : `${name} ${excerpt}`
}
