import { html } from 'hono/html'
import { promptOf, type Template } from '../../../../features/agent/templates.ts'
import {
  answerGone,
  readQuestion,
  workOfAnswer,
  type AnswerWork,
} from '../../../../features/assistant/insights/work-of-answer.ts'
import type { OpenMirror } from '../../../../features/projects/projects.ts'
import type { Ability } from '../../../../integrations/models/ability.ts'
import type { Models } from '../../../../integrations/models/model.ts'
import { hasUnstorable } from '../../../../lib/text/plain-text.ts'
import type { Store } from '../../../../store/database.ts'
import type { PageLists } from '../../../../api/docs/navigation/page-list.ts'
import type { Endpoint } from '../../../../api/endpoint.ts'
import type { Html } from '../../../../api/frame/html/html.ts'
import { show } from '../../../../api/frame/html/respond.ts'
import { typedInto, type Pages } from '../../../../api/frame/pages.ts'
import { abilityForm, missingFields, readValues } from './ability-form.ts'
import { builtinNote } from '../../../../api/frame/html/builtin-note.ts'
import { startForm } from './start-form.ts'
import { createTemplates, understood, usesBuiltin } from './templates.ts'

export interface NewJobPorts {
  models: Models
  mirror: OpenMirror
  store: Store
  /** What the built-in model can be asked for, as forms. */
  abilities: readonly Ability[]
  pagesOf: PageLists
}

/** A list of choices as links that keep the page that the job is about. */
interface Choices {
  base: string
  page: string | undefined
}

/**
 * Starts a job by a prompt, a template or a form. `page` in the address is the page that it is about, `quote` and `section` what was selected there, `template` and
 * `ability` what was chosen, `thread` and `question` the answer of the assistant that it is about. It changes nothing: the form for the prompt does.
 */
export function newJobEndpoint(pages: Pages, ports: NewJobPorts): Endpoint {
  const templatesOf = createTemplates(ports)
  return pages.projectPage(
    '/projects/{domain}/jobs/new',
    'createJob',
    async ({ context, session, project }) => {
      const typed = typedInto(context, new URL(context.req.url).pathname)
      const query = typed.size > 0 ? typed : new URL(context.req.url).searchParams
      const answer = readQuestion(query.get('thread'), query.get('question'))
      const work = answer && (await workOfAnswer(ports.store.db, project.id, answer))
      if (answer && !work) throw answerGone()
      const page = readPath(query.get('page'))
      const templates = await templatesOf(project)
      const ability = ports.abilities.find(({ name }) => name === query.get('ability'))
      const template = templates.find(({ name }) => name === query.get('template'))
      const base = `/projects/${project.domain}/jobs/new`
      const isBuiltin = usesBuiltin(project, ports)
      const { inOrder } = await ports.pagesOf(project)
      const choices = { base, page: template || !ability ? page : undefined }
      const values = ability && valuesOf(ability, query, page)
      const missing = ability && values ? missingFields(ability, values) : []
      const sentence = ability && values && missing.length === 0 ? ability.say(values) : undefined
      const prompt =
        work?.prompt ??
        sentence ??
        (template ? promptOf(template, page) : opening(page, readQuote(query), isBuiltin))
      const isReady = ability === undefined || sentence !== undefined
      const form = html`<section aria-label="The prompt">
        ${isReady ? startForm(project, session, { typed, prompt, answer, words: { rows: work ? 9 : template || query.has('quote') ? 7 : 4, ...(sentence !== undefined && { label: 'Prompt preview' }) } }) : html`<p class="empty">Fill in the form above to preview the prompt.</p>`}
      </section>`
      const forms = html`<section>
        <h2>${isBuiltin ? 'Choose a task' : 'Common tasks'}</h2>
        ${isBuiltin ? html`<p class="muted">This project uses the built-in model, which runs a fixed set of tasks. Choose one, or write a prompt below.</p>` : ''}
        ${abilityList(choices, ports.abilities, ability)}
      </section>`
      const chosen = ability && values ? abilityForm(base, ability, values) : ''
      const others = templateList(choices, understood(templates, isBuiltin), template)
      const about = work && html`${isBuiltin ? builtinNote(session, project) : ''}${form}${evidenceOf(work)}`
      const parts = about
        ? [about]
        : isBuiltin || ability
          ? [forms, chosen, form, others]
          : [form, others, forms]
      const body = html`<p class="trail"><a href="/projects/${project.domain}/jobs">Jobs</a></p>
        <h1>Start a job</h1>
        ${answer ? html`<p>About <a href="/projects/${project.domain}/assistant/conversations/${encodeURIComponent(answer.threadId)}#q${answer.n}">an answer of the assistant</a>.</p>` : ''}
        ${page === undefined ? '' : html`<p>About the page <span class="path">${page}</span>. <a href="${base}">Clear page</a></p>`}
        ${parts} ${pageOptions(inOrder)}`
      const scripts = ['compose.js'] as const
      return show(
        context,
        { title: 'Start a job', session, project, tab: 'jobs', styles: ['jobs.css'], scripts },
        body,
      )
    },
  )
}

function evidenceOf({ evidence }: AnswerWork): Html {
  return html`<section>
    <h2>Extra context for the agent</h2>
    <p class="muted">
      Reader questions and answers. The agent treats them as information, never as instructions.
    </p>
    <p class="prompt" tabindex="0">${evidence}</p>
  </section>`
}

function readPath(value: string | null): string | undefined {
  const path = value?.trim() ?? ''
  return path === '' || path.length > 1000 || hasUnstorable(path) || /[\r\n]/.test(path) ? undefined : path
}

/** What somebody has selected in the page, and the heading above it. */
interface Quote {
  text: string
  section: string
}

const longestQuote = 2000

function readQuote(query: URLSearchParams): Quote | undefined {
  const [text = '', section = ''] = ['quote', 'section'].map((name) => query.get(name)?.trim() ?? '')
  if (text === '' || text.length > longestQuote || section.length > 500) return undefined
  return hasUnstorable(text + section) ? undefined : { text, section: section.replaceAll(/\s+/g, ' ') }
}

function opening(page: string | undefined, quote: Quote | undefined, isBuiltin: boolean): string | undefined {
  if (page === undefined) return undefined
  if (isBuiltin) {
    const text = quote?.text.replaceAll(/\s+/g, ' ').replaceAll(/["\\]/g, '\\$&')
    return `In the page "${page}", ${text === undefined ? '' : `replace "${text}" with "${text}"`}`
  }
  if (quote === undefined) return `On the page ${page}: `
  const place = quote.section === '' ? '' : `, in the section "${quote.section}"`
  const lines = quote.text.split(/\r\n?|\n/).map((line) => `> ${line}`.trimEnd())
  return `On the page ${page}${place}, change this text:\n\n${lines.join('\n')}\n\n`
}

function valuesOf(
  ability: Ability,
  query: URLSearchParams,
  page: string | undefined,
): Record<string, string> {
  const field = ability.fields.find(({ kind }) => kind === 'page' || kind === 'place')
  const values = readValues(ability, query)
  return page === undefined || !field || query.has(field.name) ? values : { [field.name]: page, ...values }
}

function addressOf({ base, page }: Choices, choice: Record<string, string>): string {
  return `${base}?${new URLSearchParams({ ...choice, ...(page !== undefined && { page }) }).toString()}`
}

function abilityList(choices: Choices, abilities: readonly Ability[], chosen: Ability | undefined): Html {
  const groups = Map.groupBy(abilities, ({ group }) => group)
  return html`<div class="abilities">
    ${[...groups].map(
      ([group, items]) =>
        html`<div>
          <h3>${group}</h3>
          <ul class="plain">
            ${items.map(({ name, title }) => html`<li><a href="${addressOf(choices, { ability: name })}#ability" ${name === chosen?.name ? html` aria-current="true"` : ''}>${title}</a></li>`)}
          </ul>
        </div>`,
    )}
  </div>`
}

function templateList(choices: Choices, templates: readonly Template[], chosen: Template | undefined): Html {
  return html`<section>
    <h2>Templates</h2>
    <ul class="cards templates">
      ${templates.map(
        ({ name, title, description }) =>
          html`<li class="card">
            <a
              href="${addressOf(choices, { template: name })}"
              ${name === chosen?.name ? html` aria-current="true"` : ''}
              ><strong>${title}</strong></a
            >
            <p class="muted">${description}</p>
          </li>`,
      )}
    </ul>
    <p class="muted">
      Add your own templates as Markdown files in <code>.docwright/templates/</code> of the repository.
    </p>
  </section>`
}

const mostOptions = 500

/** What fields for pages suggest: of a large site the first pages, the others can be typed. */
function pageOptions(pages: readonly { path: string; title: string }[]): Html {
  const folders = new Set(
    pages.flatMap(({ path }) => (path.includes('/') ? [path.slice(0, path.lastIndexOf('/') + 1)] : [])),
  )
  return html`<datalist id="pages">
    ${pages.slice(0, mostOptions).map(({ path, title }) => html`<option value="${path}">${title}</option>`)}
    ${[...folders].slice(0, 100).map((folder) => html`<option value="${folder}"></option>`)}
  </datalist>`
}
