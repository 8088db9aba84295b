import { html } from 'hono/html'
import { builtinFixes, fixPrompt } from '../../features/docs/problems/fix-prompt.ts'
import type { SiteChecks } from '../../features/docs/problems/site-checks.ts'
import type { FoundProblems, StoredCheck } from '../../features/docs/problems/stored-check.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import type { Models } from '../../integrations/models/model.ts'
import { counted, countedPlural } from '../../lib/text/counted.ts'
import { ignoreEntry, writeIgnoreFile } from '../../site/checks/whole/ignore-entry.ts'
import { ignorePath } from '../../site/checks/whole/ignored-problems.ts'
import {
  siteProblemKinds,
  type SiteProblem,
  type SiteProblemKind,
} from '../../site/checks/whole/site-problem.ts'
import type { PageLists } from '../../api/docs/navigation/page-list.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { buttonForm, copyableBlock, csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { linkFor, mayPress } from '../../api/frame/html/may-press.ts'
import { ago, sentence } from '../../api/frame/html/parts.ts'
import { progressBar } from '../../api/frame/html/progress.ts'
import { show } from '../../api/frame/html/respond.ts'
import type { Pages } from '../../api/frame/pages.ts'
import { docsPath } from '../../api/render/docs-path.ts'
import { visible, visiblePath } from '../../api/frame/html/visible.ts'
import { kindTexts } from './kinds.ts'

export interface ProblemPorts {
  models: Models
  now(): Date
  siteChecks: SiteChecks
  pagesOf: PageLists
}

/** Pages with problems that are shown of one kind. */
const mostPages = 100
const mostOfOverview = 10

export function showProblemsEndpoint(pages: Pages, ports: ProblemPorts): Endpoint {
  return pages.projectPage(
    '/projects/{domain}/problems',
    'listProblems',
    async ({ context, session, project }) => {
      const check = await ports.siteChecks.look(project)
      const kind = siteProblemKinds.find((one) => one === context.req.query('kind'))
      const path = (context.req.query('path') ?? '').slice(0, 1000)
      const isDoubtful = context.req.query('sure') === 'no'
      const base = `/projects/${project.domain}/problems`
      const findings = check?.found
      const { pages } = await ports.pagesOf(project)
      const view: View = {
        session,
        mayFix: mayPress(session, 'createJob', project),
        base,
        kind,
        path,
        isDoubtful,
        urls: new Map(pages.map((page) => [page.path, docsPath(project.domain, page.url)])),
        model: project.settings.model ?? ports.models.defaultModel,
      }
      const body = html`<div class="heading">
          <h1>Problems</h1>
          ${check?.progress || !findings ? '' : buttonForm(session, { action: `${base}/check`, label: 'Check again' })}
        </div>
        <p class="muted">Problems across your site that affect readers.</p>
        ${stateOf(project, check, session, base)}
        ${findings ? html`${summary(findings, ports.now())} ${listing(findings, view)}` : ''}`
      return show(
        context,
        {
          title: 'Problems',
          session,
          project,
          tab: 'problems',
          styles: ['manage.css'],
          live: check === undefined || check.progress !== undefined,
        },
        body,
      )
    },
  )
}

interface View {
  session: Session
  /** Whether this person may start jobs. */
  mayFix: boolean
  base: string
  kind: SiteProblemKind | undefined
  /** What the path of a page has to hold. */
  path: string
  /** What may be meant so is shown, and not what surely is wrong. */
  isDoubtful: boolean
  /** Where the pages are shown, by their paths. */
  urls: ReadonlyMap<string, string>
  /** The model of this project's jobs. */
  model: string
}

function stateOf(project: Project, check: StoredCheck | undefined, session: Session, base: string): Html {
  if (check === undefined)
    return html`<p class="empty">
      ${
        project.sync.state === 'failed'
          ? html`The repository could not be read: see the
              <a href="/projects/${project.domain}">overview</a>.`
          : 'Waiting for the first sync. The check starts automatically.'
      }
    </p>`
  if (check.progress) return progressBar('Checking the site', check.progress)
  if (check.error === undefined) return html``
  return html`<p class="failure"><strong>The check didn’t finish.</strong> ${check.error}.</p>
    ${buttonForm(session, { action: `${base}/check`, label: 'Try again' })}`
}

function sum(counts: ReadonlyMap<SiteProblemKind, number>): number {
  return [...counts.values()].reduce((all, count) => all + count, 0)
}

function summary(found: FoundProblems, now: Date): Html {
  const doubtful = sum(found.doubtful)
  const total = sum(found.counts) - doubtful
  const of = `${counted(found.pages, 'page')} and ${counted(found.checkedLinks, 'link')} were checked`
  const passed = found.notLookedAt.filter(({ count }) => count > 0)
  return html`${
      total === 0
        ? html`<p class="all-well"><strong>No problems found in ${counted(found.pages, 'page')}.</strong></p>`
        : html`<p class="tally">
            <strong>${counted(total, 'problem')}</strong
            >${doubtful === 0 ? '' : html` <span class="muted">and ${doubtful.toLocaleString('en')} that may be intentional</span>`}
          </p>`
    }
    <p class="muted">
      ${of} ${ago(found.at, now)}${found.isCurrent ? '' : ', before the last change'}.
      ${passed.length === 0 ? '' : html`Not checked: ${passed.map(({ kind, count }) => countedPlural(count, kind)).join(', ')}.`}
      ${found.ignored.count === 0 ? '' : html`Ignored: ${counted(found.ignored.count, 'problem')} (<code>${ignorePath}</code>).`}
    </p>
    ${
      found.ignored.wrong.length === 0
        ? ''
        : html`<div class="notice warning">
            <p>Some entries of <code>${ignorePath}</code> are not used:</p>
            <ul>
              ${found.ignored.wrong.map(({ line, message }) => html`<li><span class="muted line">line ${line}</span> ${message}.</li>`)}
            </ul>
          </div>`
    }`
}

function listing(found: FoundProblems, view: View): Html {
  if (found.counts.size === 0) return html``
  const counts = countsOf(found, view)
  const wanted = found.problems.filter(
    ({ kind, path, isWarning = false }) =>
      isWarning === view.isDoubtful &&
      (view.kind ?? kind) === kind &&
      path.toLowerCase().includes(view.path.toLowerCase()),
  )
  const groups = Map.groupBy(wanted, ({ kind }) => kind)
  return html`${found.doubtful.size === 0 ? '' : certainty(found, view)}
    <nav class="filter" aria-label="Kind of problem">
      ${filterLink(view, undefined, 'All')}
      ${[...counts].map(([kind, count]) => filterLink(view, kind, `${kindTexts[kind].title} ${count.toLocaleString('en')}`))}
    </nav>
    <form class="narrow-down" action="${view.base}" role="search">
      ${view.kind === undefined ? '' : html`<input type="hidden" name="kind" value="${view.kind}" />`}
      ${view.isDoubtful ? html`<input type="hidden" name="sure" value="no" />` : ''}
      <label for="path">File path contains</label>
      <input
        id="path"
        name="path"
        value="${view.path}"
        maxlength="1000"
        autocomplete="off"
        spellcheck="false"
      />
      <button>Filter</button>
      ${view.path === '' ? '' : html`<a href="${addressOf(view, view.kind, '')}">Show all</a>`}
    </form>
    ${wanted.length === 0 ? html`<p class="empty">No problems match this filter.</p>` : ''}
    <div class="${view.isDoubtful ? 'doubtful' : ''}">
      ${siteProblemKinds.map((kind) => group(kind, groups.get(kind) ?? [], counts.get(kind) ?? 0, view))}
    </div>`
}

/** How many problems of each kind are shown. */
function countsOf({ counts, doubtful }: FoundProblems, { isDoubtful }: View): Map<SiteProblemKind, number> {
  const wanted = [...counts].map(([kind, count]): [SiteProblemKind, number] => {
    const unsure = doubtful.get(kind) ?? 0
    return [kind, isDoubtful ? unsure : count - unsure]
  })
  return new Map(wanted.filter(([, count]) => count > 0))
}

function certainty({ counts, doubtful }: FoundProblems, view: View): Html {
  const unsure = sum(doubtful)
  const choice = (isDoubtful: boolean, label: string, count: number): Html =>
    html`<a
      href="${addressOf({ ...view, isDoubtful }, undefined, view.path)}"
      ${isDoubtful === view.isDoubtful ? html` aria-current="true"` : ''}
      >${label} <span class="how-many">${count.toLocaleString('en')}</span></a
    >`
  return html`<nav class="segments" aria-label="Certainty">
    ${choice(false, 'Sure', sum(counts) - unsure)}${choice(true, 'May be intentional', unsure)}
  </nav>`
}

function addressOf({ base, isDoubtful }: View, kind: SiteProblemKind | undefined, path: string): string {
  const query = new URLSearchParams({
    ...(kind && { kind }),
    ...(path !== '' && { path }),
    ...(isDoubtful && { sure: 'no' }),
  }).toString()
  return query === '' ? base : `${base}?${query}`
}

function filterLink(view: View, kind: SiteProblemKind | undefined, label: string): Html {
  return html`<a
    href="${addressOf(view, kind, view.path)}"
    ${kind === view.kind ? html` aria-current="true"` : ''}
    >${label}</a
  >`
}

function group(kind: SiteProblemKind, problems: readonly SiteProblem[], total: number, view: View): Html {
  if (problems.length === 0) return html``
  const byPage = [...Map.groupBy(problems, ({ path }) => path)]
  const most = view.kind === undefined ? mostOfOverview : mostPages
  const rest = byPage.length - most
  return html`<section class="problems" aria-labelledby="kind-${kind}">
    <div class="heading">
      <h2 id="kind-${kind}">
        ${kindTexts[kind].title} <span class="count">${total.toLocaleString('en')}</span>
      </h2>
      ${view.isDoubtful ? '' : fixForm(view, kind, undefined, total === 1 ? 'Fix it' : `Fix all ${total.toLocaleString('en')}`)}
    </div>
    <p class="muted">${kindTexts[kind].means} ${whoFixes(view, kind)}</p>
    ${ignoring(view, kind, undefined, 'all of this kind')}
    <ul class="problem-pages">
      ${byPage.slice(0, most).map(([path, found]) => pageItem(view, kind, path, found))}
    </ul>
    ${
      rest <= 0
        ? ''
        : view.kind === undefined
          ? html`<p><a href="${addressOf(view, kind, view.path)}">Show all of this kind</a></p>`
          : html`<p class="muted">
              ${counted(rest, 'more file')}: narrow the list down by a part of the path.
            </p>`
    }
  </section>`
}

const mostOfPage = 5
/** Problems that no line of the page is to blame for. */
const ofWholePage: ReadonlySet<SiteProblemKind> = new Set([
  'unreadable',
  'outside_navigation',
  'title',
  'description',
  'duplicate',
])

function pageItem(view: View, kind: SiteProblemKind, path: string, problems: readonly SiteProblem[]): Html {
  const url = view.urls.get(path)
  // One alone is ignored with its file.
  const isOne = problems.length === 1 || !view.mayFix
  const item = ({ line, message, hint }: SiteProblem): Html =>
    html`<li>
      ${ofWholePage.has(kind) ? '' : html`<span class="muted line">line ${line}</span>`}
      ${visible(sentence(message))} ${hint === undefined ? '' : html`<span class="muted">${hint}.</span>`}
      ${isOne ? '' : html`<button class="quiet small" name="text" value="${message}">Ignore<span class="hidden"> ${message}</span></button>`}
    </li>`
  const list = html`<ul>
      ${problems.slice(0, mostOfPage).map(item)}
    </ul>
    ${
      problems.length > mostOfPage
        ? html`<details data-key="${kind} ${path}">
            <summary>${(problems.length - mostOfPage).toLocaleString('en')} more</summary>
            <ul>
              ${problems.slice(mostOfPage).map(item)}
            </ul>
          </details>`
        : ''
    }`
  return html`<li>
    <div class="problem-page">
      <span class="path"
        >${url === undefined ? visiblePath(path) : html`<a href="${url}">${visiblePath(path)}</a>`}</span
      >
      ${fixForm(view, kind, path, 'Fix')}
    </div>
    ${isOne ? list : ignoreForm(view, kind, path, list)}
    ${ignoring(view, kind, path, problems.length === 1 ? 'this problem' : `all ${problems.length.toLocaleString('en')} in this file`)}
  </li>`
}

/** The entry that makes the checks pass over problems of a file, or of a kind as a whole: a button adds it, or a person. */
function ignoring(view: View, kind: SiteProblemKind, path: string | undefined, what: string): Html {
  return html`<details class="ignore" data-key="ignore ${kind} ${path ?? ''}">
    <summary>Ignore</summary>
    ${
      view.mayFix
        ? html`<p class="muted">
              Opens a pull request that adds the entry to <code>${ignorePath}</code>, without using a model.
              What you ignore until it is merged joins it.
            </p>
            ${ignoreForm(view, kind, path, html`<button>Ignore ${what}</button>`)}
            <p class="muted">Or add the entry yourself. The file has one <code>ignore</code> list.</p>`
        : html`<p class="muted">
            Add this to <code>${ignorePath}</code> on the branch that this project reads. The file has one
            <code>ignore</code> list.
          </p>`
    }
    ${copyableBlock(writeIgnoreFile(ignoreEntry(kind, path)), 'the entry')}
  </details>`
}

/** A form around what can be ignored of a kind and a file: its buttons may add a text of the message. */
function ignoreForm(view: View, kind: SiteProblemKind, path: string | undefined, body: Html): Html {
  return html`<form class="ignoring" method="post" action="${view.base}/ignore">
    ${csrfField(view.session)}
    <input type="hidden" name="kind" value="${kind}" />
    ${path === undefined ? '' : html`<input type="hidden" name="path" value="${path}" />`} ${body}
  </form>`
}

function whoFixes({ session, model, base, mayFix }: View, kind: SiteProblemKind): Html {
  if (!mayFix || model !== 'builtin' || builtinFixes(kind)) return html``
  const settings = base.replace(/problems$/, 'settings/agent')
  return html`The built-in model can’t fix these.
  ${linkFor(session, settings, 'choose another model', 'ask an owner for another model')}, or change them by
  hand.`
}

function fixForm(view: View, kind: SiteProblemKind, path: string | undefined, label: string): Html {
  const prompt = fixPrompt(kind, path)
  if (!view.mayFix || prompt === undefined || (view.model === 'builtin' && !builtinFixes(kind))) return html``
  return buttonForm(view.session, {
    action: `${view.base}/fix`,
    label:
      path === undefined
        ? label
        : html`${label}<span class="hidden"> ${kindTexts[kind].title} in ${path}</span>`,
    fields: { kind, ...(path !== undefined && { path }) },
  })
}
