import { visiblePath } from '../../api/frame/html/visible.ts'
import { inJobs } from '../../api/frame/jobs-tab.ts'
import { html } from 'hono/html'
import type { Endpoint } from '../../api/endpoint.ts'
import { buttonForm } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { mayPress } from '../../api/frame/html/may-press.ts'
import { badge, sentence } from '../../api/frame/html/parts.ts'
import { show } from '../../api/frame/html/respond.ts'
import type { Pages } from '../../api/frame/pages.ts'
import { fieldOf } from '../../api/frame/read-form.ts'
import { longestAboutChange } from '../../features/agent/about-change.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import type { Project } from '../../features/projects/projects.ts'
import { AppError } from '../../lib/errors.ts'
import { counted } from '../../lib/text/counted.ts'
import { verbForm } from '../../verbs/form.ts'
import { mapView } from './map-view.ts'
import { impactOf, keepPage, type ImpactBody, type ImpactPorts } from './run.ts'

const path = '/projects/{domain}/impact'
const mostNames = 20

/** Which pages a change touches, with forms that start a job from it or say that a page is still true. */
export function impactPages(pages: Pages, ports: ImpactPorts): Endpoint[] {
  const page = pages.projectPage(path, 'getImpact', async ({ context, session, project }) => {
    const change = (context.req.query('change') ?? '').slice(0, 600).trim()
    const view = { session, project, change }
    const body = html`<p class="trail"><a href="/projects/${project.domain}/jobs">Jobs</a></p>
      <h1>Impact of a change</h1>
      <p class="muted">
        Shows which pages a code change affects, ranked by names, paths, and history. Uses no model.
        <a href="${addressOf(project)}/map">What history says of code and pages</a>
      </p>
      ${changeForm(view)} ${change === '' ? '' : await result(ports, view)}`
    return show(
      context,
      {
        title: 'Impact of a change',
        session,
        project,
        ...inJobs(session, project, 'impact'),
        styles: ['manage.css'],
      },
      body,
    )
  })
  const mapPage = pages.projectPage(`${path}/map`, 'getImpactMap', async ({ context, session, project }) => {
    const body = html`<p class="trail"><a href="${addressOf(project)}">Impact of a change</a></p>
      <h1>Map from code to pages</h1>
      ${mapView(await ports.readMap(project))}`
    return show(
      context,
      {
        title: 'Map from code to pages',
        session,
        project,
        ...inJobs(session, project, 'impact'),
        styles: ['manage.css'],
      },
      body,
    )
  })
  return [
    page,
    mapPage,
    verbForm(pages, ports, `${path}/still-true`, keepPage, {
      shownOn: page,
      given: ({ form }) => ({ commit: fieldOf(form, 'commit'), path: form.get('path') ?? '' }),
      done: ({ context, project, form }) =>
        context.redirect(
          `${addressOf(project)}?${new URLSearchParams({ change: fieldOf(form, 'change') }).toString()}`,
          303,
        ),
    }),
  ]
}

interface View {
  session: Session
  project: Project
  change: string
}

function addressOf({ domain }: Project): string {
  return `/projects/${domain}/impact`
}

function changeForm({ project, change }: View): Html {
  return html`<form class="stack card" action="${addressOf(project)}" role="search">
    <label for="change">Code change</label>
    <input
      id="change"
      name="change"
      value="${change}"
      maxlength="${longestAboutChange}"
      placeholder="4f2c9e1, #128 or v2.1..v2.2"
      aria-describedby="change-hint"
      autocomplete="off"
      spellcheck="false"
      required
    />
    <p class="muted" id="change-hint">
      A commit, pull request, or range. For a context repository, start with <code>@name</code>.
    </p>
    <button>Show pages</button>
  </form>`
}

async function result(ports: ImpactPorts, view: View): Promise<Html> {
  try {
    return report(await impactOf(ports, view.project, view.change), view)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return html`<p class="failure" role="alert">${sentence(error.message)}</p>`
  }
}

function report(impact: ImpactBody, view: View): Html {
  const { pages, edited, stillTrue, names, undocumented } = impact
  const [open, folded] = [
    pages.filter(({ level }) => level !== 'look'),
    pages.filter(({ level }) => level === 'look'),
  ]
  const count = (level: string): number => pages.filter((page) => page.level === level).length
  const gone = names.filter(({ isGone }) => isGone).slice(0, mostNames)
  return html`<div class="heading">
      <p class="tally">
        <strong
          >${count('certain')} certain, ${count('likely')} likely, ${edited.length} edited already</strong
        >
      </p>
      ${startJob(view)}
    </div>
    <p class="muted">
      ${counted(impact.commits, 'commit')} compared with
      ${counted(impact.compared, 'page')}.${impact.leftOut.length === 0 ? '' : ` Left out: ${impact.leftOut.map(({ why, count: pages }) => `${pages} ${outWords.get(why) ?? why}`).join(', ')}.`}
      ${stillTrue === 0 ? '' : `${counted(stillTrue, 'page')} found still true.`}
      ${impact.isPartial ? 'Not all of the code could be read, so nothing is certain.' : ''}
      ${impact.mapProblem === null ? '' : html`<code>.docwright/map.yml</code> is not used: ${sentence(impact.mapProblem)}`}
    </p>
    ${open.length === 0 ? html`<p class="empty">No page is certain or likely to be touched.</p>` : list(open, view)}
    ${
      folded.length === 0
        ? ''
        : html`<section>
            <details data-key="look">
              <summary>${counted(folded.length, 'page')} to look at, if there is time</summary>
              ${list(folded, view)}
            </details>
          </section>`
    }
    ${nameList('Gone from the code', gone)}
    ${nameList('New, and on no page', undocumented.slice(0, mostNames))}
    ${
      edited.length === 0
        ? ''
        : html`<section>
            <h2>Edited by the change itself</h2>
            <ul>
              ${edited.map((page) => html`<li class="path">${visiblePath(page.path)}</li>`)}
            </ul>
          </section>`
    }`
}

const outWords: ReadonlyMap<string, string> = new Map([
  ['changes', 'change notes'],
  ['proposal', 'proposals'],
  ['version', 'of other versions'],
  ['translation', 'translations'],
  ['generated', 'generated'],
  ['map', 'by .docwright/map.yml'],
])

function startJob({ session, project, change }: View): Html {
  if (!mayPress(session, 'createJob', project)) return html``
  return buttonForm(session, {
    action: `/projects/${project.domain}/jobs`,
    label: 'Start a job from this change',
    kind: 'primary',
    fields: { about: change, prompt: '' },
  })
}

function list(pages: ImpactBody['pages'], view: View): Html {
  return html`<ul class="problem-pages">
    ${pages.map((page) => item(page, view))}
  </ul>`
}

function item({ path: file, level, commit, why, sections }: ImpactBody['pages'][number], view: View): Html {
  const { session, project, change } = view
  return html`<li>
    <div class="problem-page">
      <span>${level === 'look' ? '' : badge(level)} <span class="path">${visiblePath(file)}</span></span>
      ${
        mayPress(session, 'keepPage', project)
          ? buttonForm(session, {
              action: `${addressOf(project)}/still-true`,
              label: html`Still true<span class="hidden"> ${file}</span>`,
              fields: { commit, path: file, change },
            })
          : ''
      }
    </div>
    <ul>
      ${why.map((reason) => html`<li>${inCode(reason)}</li>`)}
      ${sections.map(({ heading, names }) =>
        names
          .slice(0, 2)
          .map(
            ({ line, text }) =>
              html`<li>
                <span class="muted line">line ${line}</span> ${heading === '' ? '' : html`${heading}: `}<code
                  >${text}</code
                >
              </li>`,
          ),
      )}
    </ul>
  </li>`
}

/** Our sentences, in which names stand between backticks. */
function inCode(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`
}

function nameList(title: string, names: ImpactBody['names']): Html {
  if (names.length === 0) return html``
  return html`<section>
    <h2>${title}</h2>
    <ul>
      ${names.map((one) => {
        const place = one.before ?? one.after
        return html`<li>
          <code>${one.name}</code> ${inCode(one.words)}
          ${place === null ? '' : html`<span class="muted path">${visiblePath(place.path)}:${place.line}</span>`}
        </li>`
      })}
    </ul>
  </section>`
}
