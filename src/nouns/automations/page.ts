import { inJobs } from '../../api/frame/jobs-tab.ts'
import { html } from 'hono/html'
import type { Endpoint } from '../../api/endpoint.ts'
import { buttonForm, copyableBlock, csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { linkButtonFor, mayOpen, mayPress } from '../../api/frame/html/may-press.ts'
import { ago, badge, externalLink, sentence, table } from '../../api/frame/html/parts.ts'
import { show } from '../../api/frame/html/respond.ts'
import { typedInto, type Pages, type Visit } from '../../api/frame/pages.ts'
import * as rules from '../../features/automations/automations.ts'
import { presets, textOfPreset } from '../../features/automations/rules/presets.ts'
import { presetNames } from '../../features/automations/rules/preset-names.ts'
import { listRuns } from '../../features/automations/runs.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import { idCursor } from '../../lib/list-query.ts'
import { verbFields, verbForm } from '../../verbs/form.ts'
import type { AutomationBody, RunBody } from './answers.ts'
import * as deeds from './run.ts'
import { changeAutomation, createAutomation, runAutomation } from './verbs.ts'

interface Ports extends deeds.AutomationPorts {
  now(): Date
}

const path = '/projects/{domain}/automations'
const one = `${path}/{automation}`
const typed = { only: ['source'], required: ['source'] } as const
const pageSize = 25

/** Rules with what they did, and forms that make, change and run them. */
export function automationPages(pages: Pages, ports: Ports): Endpoint[] {
  const write = writePage(pages)
  const page = showPage(pages, ports)
  const named = ({ context }: Visit): { automation: string } => ({
    automation: context.req.param('automation') ?? '',
  })
  const backTo =
    (done: string) =>
    ({ context, project }: Visit & { project: Project }): Response =>
      context.redirect(`${baseOf(project)}/${context.req.param('automation') ?? ''}?done=${done}`, 303)
  return [
    listPage(pages, ports),
    write,
    page,
    verbForm(pages, ports, `${path}/new`, deeds.createAutomation, {
      typed,
      shownOn: write,
      given: () => ({}),
      done: ({ context, project }, { id }) =>
        context.redirect(`${baseOf(project)}/${id}?done=automation-created`, 303),
    }),
    verbForm(pages, ports, one, deeds.changeAutomation, {
      typed,
      shownOn: page,
      given: named,
      done: backTo('automation-changed'),
    }),
    verbForm(pages, ports, `${one}/enabled`, deeds.changeAutomation, {
      given: (visit) => ({ ...named(visit), enabled: visit.form.get('enabled') === 'true' }),
      done: backTo('automation-changed'),
    }),
    verbForm(pages, ports, `${one}/run`, deeds.runAutomation, {
      typed: { only: ['change'] },
      shownOn: page,
      given: named,
      done: ({ context, project }, { jobId }) =>
        context.redirect(`/projects/${project.domain}/jobs/${jobId}`, 303),
    }),
    verbForm(pages, ports, `${one}/delete`, deeds.deleteAutomation, {
      given: named,
      done: ({ context, project }) => context.redirect(`${baseOf(project)}?done=automation-deleted`, 303),
    }),
  ]
}

function baseOf({ domain }: Project): string {
  return `/projects/${domain}/automations`
}

interface View {
  session: Session
  project: Project
  now: Date
}

function listPage(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(path, 'listAutomations', async ({ context, session, project }) => {
    const view = { session, project, now: ports.now() }
    const { db } = ports.store
    const all = (await rules.listAutomations(db, project.id)).map((rule) =>
      deeds.presentAutomation(project, rule),
    )
    const cursor = idCursor('run').safeParse(context.req.query('after')).data
    const { runs, nextCursor } = await listRuns(db, project.id, { limit: pageSize, cursor })
    const body = html`<p class="trail"><a href="/projects/${project.domain}/jobs">Jobs</a></p>
      <div class="heading">
        <h1>Automations</h1>
        ${linkButtonFor(session, `${baseOf(project)}/new`, 'Create automation')}
      </div>
      <p class="muted">
        Rules that start jobs when something happens. Each keeps one pull request open and updates it.
      </p>
      ${all.length === 0 ? noneYet(view) : automationTable(all, view)}
      <section>
        <h2>Runs</h2>
        ${runs.length === 0 ? html`<p class="empty">No runs yet. A run appears here when an automation starts.</p>` : runTable(runs.map(deeds.presentRun), view)}
        ${nextCursor === undefined ? '' : html`<p><a class="button" href="${baseOf(project)}?after=${nextCursor}">Older runs</a></p>`}
      </section>`
    return show(
      context,
      {
        title: 'Automations',
        session,
        project,
        ...inJobs(session, project, 'automations'),
        styles: ['manage.css'],
      },
      body,
    )
  })
}

function noneYet({ session, project }: View): Html {
  if (!mayOpen(session, `${baseOf(project)}/new`)) return html`<p class="empty">No automations yet.</p>`
  return html`<div class="empty">
      <p>
        No automations yet. Choose what to automate, or add a file to <code>.docwright/automations/</code> in
        the repository.
      </p>
    </div>
    ${presetList(project)}`
}

function presetList(project: Project): Html {
  return html`<ul class="problem-pages">
    ${presetNames.map((name) => {
      const { label, use, isPlain } = presets[name]
      return html`<li>
        <a href="${baseOf(project)}/new?type=${name}">${label}</a>
        <p class="muted">${use}${isPlain ? ' Works without a model.' : ''}</p>
      </li>`
    })}
  </ul>`
}

function automationTable(all: readonly AutomationBody[], { project, now }: View): Html {
  return table(
    'Automations',
    ['Automation', 'Runs on', 'State'],
    all.map(
      ({ id, name, path: file, triggers, nextAt, problems, enabled }) =>
        html`<tr>
          <td class="wide">
            <a href="${baseOf(project)}/${id}">${name}</a>
            ${file === null ? '' : html`<br /><small class="muted path">${file}</small>`}
          </td>
          <td>
            ${triggers.length === 0 ? 'Nothing' : triggers.join(', ')}
            ${nextAt === null || !enabled ? '' : html`<br /><small class="muted">Next ${ago(new Date(nextAt), now)}</small>`}
          </td>
          <td>${stateOf({ problems, enabled })}</td>
        </tr>`,
    ),
  )
}

function stateOf({ problems, enabled }: Pick<AutomationBody, 'problems' | 'enabled'>): Html {
  if (problems.length > 0) return badge('failed', 'Has problems')
  return enabled ? badge('ready', 'On') : badge('off')
}

const tones: Readonly<Record<RunBody['state'], readonly [tone: string, word: string]>> = {
  running: ['running', 'Running'],
  review: ['open', 'Review'],
  accepted: ['merged', 'Accepted'],
  closed: ['closed', 'Closed'],
  failed: ['failed', 'Failed'],
  no_change: ['no change', 'No change'],
}

function runTable(runs: readonly RunBody[], { project, now }: View): Html {
  return table(
    'Runs',
    ['Run', 'State', 'Cause', 'Result', 'Cost'],
    runs.map((run) => {
      const { automation, state, cause, reasons, jobId, pullRequest, cost } = run
      return html`<tr>
        <td>
          ${jobId === null ? automation.name : html`<a href="/projects/${project.domain}/jobs/${jobId}">${automation.name}</a>`}<br />
          <small class="muted">${ago(new Date(run.createdAt), now)}</small>
        </td>
        <td>${badge(...tones[state])}</td>
        <td class="wide">
          ${cause.words}
          ${cause.title === null ? '' : html`<br /><small class="muted">${cause.title}</small>`}
        </td>
        <td class="wide">
          ${pullRequest === null ? '' : pullLink(project, pullRequest)}
          ${reasons.map((reason) => html`<div>${sentence(firstLine(reason))}</div>`)}
          ${run.dueAt === null || new Date(run.dueAt) <= now ? '' : html`<div>Starts ${ago(new Date(run.dueAt), now)}</div>`}
        </td>
        <td>${cost === null ? 'Unknown' : `$${cost.toFixed(2)}`}</td>
      </tr>`
    }),
  )
}

/** Summaries of jobs have lists below their first line, which their page shows. */
function firstLine(text: string): string {
  const [line = ''] = text.split('\n', 1)
  return line.length > 200 ? `${line.slice(0, 200).toWellFormed()}…` : line
}

function pullLink(project: Project, { number, link }: { number: number; link: string }): Html {
  return link.startsWith('/')
    ? html`<a href="/projects/${project.domain}/pulls/${number}">#${number}</a>`
    : externalLink(link, `#${number}`)
}

function writePage(pages: Pages): Endpoint {
  return pages.projectPage(`${path}/new`, 'createAutomation', ({ context, session, project }) => {
    const action = `${baseOf(project)}/new`
    const values = typedInto(context, action)
    const type = presetNames.find((name) => name === context.req.query('type'))
    if (values.size === 0) values.set('source', type === undefined ? emptyRule : textOfPreset(type))
    const body = html`<p class="trail"><a href="${baseOf(project)}">Automations</a></p>
      <h1>Create automation</h1>
      <nav class="filter" aria-label="Type">
        ${presetNames.map((name) => html`<a href="${action}?type=${name}" ${name === type ? html` aria-current="page"` : ''}>${presets[name].label}</a>`)}
      </nav>
      <p class="muted">
        ${type === undefined ? 'Choose a type, or write your own rule.' : presets[type].use}
      </p>
      ${type === undefined ? '' : html`<p class="muted">The agent is told: “${presets[type].instructions}” ${presets[type].isWhole === true ? 'Words below the front matter replace this.' : 'Words below the front matter follow this.'}</p>`}
      ${ruleForm(session, { action, values, label: 'Create automation' })}`
    return show(
      context,
      {
        title: 'Create automation',
        session,
        project,
        ...inJobs(session, project, 'automations'),
        styles: ['manage.css'],
      },
      body,
    )
  })
}

const emptyRule =
  '---\nname: Weekly review\non:\n  schedule:\n    cron: 0 9 * * 1\n    zone: UTC\n---\n\nDescribe what the agent should do.\n'

function ruleForm(
  session: Session,
  { action, values, label }: { action: string; values: URLSearchParams; label: string },
): Html {
  return html`<form method="post" action="${action}" class="stack card" data-stay="Saving…">
    ${csrfField(session)} ${verbFields(createAutomation, { ...typed, typed: values })}
    <button class="primary">${label}</button>
  </form>`
}

function showPage(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(one, 'getAutomation', async ({ context, session, project }) => {
    const { db } = ports.store
    const stored = await rules.getAutomation(db, project.id, context.req.param('automation') ?? '')
    const automation = deeds.presentAutomation(project, stored)
    const view = { session, project, now: ports.now() }
    const { runs } = await listRuns(db, project.id, { automationId: stored.id, limit: pageSize })
    const base = `${baseOf(project)}/${automation.id}`
    const body = html`<p class="trail"><a href="${baseOf(project)}">Automations</a></p>
      <div class="heading">
        <h1>${automation.name}</h1>
        <div class="buttons">
          ${buttonForm(session, {
            action: `${base}/enabled`,
            label: automation.enabled ? 'Switch off' : 'Switch on',
            fields: { enabled: automation.enabled ? 'false' : 'true' },
          })}
          ${
            automation.path === null
              ? buttonForm(session, {
                  action: `${base}/delete`,
                  label: 'Delete',
                  kind: 'danger',
                  confirm: `Delete the automation “${automation.name}”? Its runs and their jobs stay.`,
                })
              : ''
          }
        </div>
      </div>
      <p class="meta">
        <span>${stateOf(automation)}</span>
        ${automation.triggers.map((words) => html`<span>${words}</span>`)}
        ${automation.nextAt === null || !automation.enabled ? '' : html`<span>Next ${ago(new Date(automation.nextAt), view.now)}</span>`}
        ${automation.path === null ? '' : html`<span class="path">${automation.path}</span>`}
      </p>
      ${automation.problems.map((problem) => html`<p class="failure">${sentence(problem)}</p>`)}
      ${automation.notes.map((note) => html`<p class="muted">${sentence(note)}</p>`)}
      ${mayPress(session, 'runAutomation', project) ? runForm(session, `${base}/run`, typedInto(context, `${base}/run`)) : ''}
      <section>
        <h2>Runs</h2>
        ${runs.length === 0 ? html`<p class="empty">No runs yet.</p>` : runTable(runs.map(deeds.presentRun), view)}
      </section>
      <section>
        <h2>Rule</h2>
        ${automation.path === null && mayPress(session, 'changeAutomation', project) ? changeForm(view, automation, typedInto(context, base)) : copyableBlock(automation.source, 'the rule')}
      </section>`
    return show(
      context,
      {
        title: automation.name,
        session,
        project,
        ...inJobs(session, project, 'automations'),
        styles: ['manage.css'],
      },
      body,
    )
  })
}

function runForm(session: Session, action: string, values: URLSearchParams): Html {
  return html`<details class="create" ${values.size > 0 ? html` open` : ''}>
    <summary>Run now</summary>
    <form method="post" action="${action}" class="stack">
      ${csrfField(session)} ${verbFields(runAutomation, { only: ['change'], typed: values })}
      <button class="primary">Run automation</button>
    </form>
  </details>`
}

function changeForm(
  { session, project }: View,
  { id, source }: AutomationBody,
  values: URLSearchParams,
): Html {
  if (values.size === 0) values.set('source', source)
  return html`<p class="muted">
      To keep the rule in the repository, copy this text to a file below <code>.docwright/automations/</code>.
    </p>
    <form method="post" action="${baseOf(project)}/${id}" class="stack card" data-stay="Saving…">
      ${csrfField(session)} ${verbFields(changeAutomation, { ...typed, typed: values })}
      <button class="primary">Save automation</button>
    </form>`
}
