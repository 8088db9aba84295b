import { html } from 'hono/html'
import { mayDo } from '../../../features/projects/allow.ts'
import { hideFirstSteps, type FirstSteps } from './table.ts'
import type { Verb } from '../../../features/projects/rights.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Store } from '../../../store/database.ts'
import type { Endpoint } from '../../../api/endpoint.ts'
import { buttonForm, copyable } from '../../../api/frame/html/form.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import type { Pages } from '../../../api/frame/pages.ts'

interface Ports {
  store: Store
}

/** A request that the built-in model understands, and that shows in the demo's first pages. */
const firstPrompt =
  'Add a tip to the quickstart page: "Press Ctrl-K in the dashboard to find any page, job or action."'

export function hideFirstStepsForm(pages: Pages, ports: Ports): Endpoint {
  return pages.form('/first-steps', 'changeFirstSteps', async ({ context, caller, form }) => {
    const isHidden = form.get('hidden') === 'yes'
    await ports.store.transaction((tx) => hideFirstSteps(tx, caller, isHidden))
    return context.redirect('/projects', 303)
  })
}

interface Step {
  title: string
  /** What one has to be allowed to do it. */
  verb: Verb
  isDone: boolean
  text: Html
}

/** What to do first, until it is done or hidden. */
export function firstStepsList(steps: FirstSteps, session: Session): Html {
  const all = stepsOf(steps, session).filter(({ verb }) =>
    mayDo({ kind: 'person', person: session.person }, verb, session.organization?.id),
  )
  const done = all.filter(({ isDone }) => isDone).length
  if (done === all.length) return html``
  if (steps.isHidden)
    return html`<div class="steps-hidden">
      ${buttonForm(session, { action: '/first-steps', label: `Show setup checklist (${done} of ${all.length})`, fields: { hidden: 'no' } })}
    </div>`
  const next = all.find(({ isDone }) => !isDone)
  return html`<section class="card first-steps" aria-labelledby="first-steps">
    <div class="heading">
      <h2 id="first-steps">Get started <span class="count">${done} of ${all.length} done</span></h2>
      ${buttonForm(session, { action: '/first-steps', label: 'Hide', fields: { hidden: 'yes' } })}
    </div>
    <ol>
      ${all.map(
        (step) =>
          html`<li class="${step.isDone ? 'done' : step === next ? 'next' : ''}">
            <h3>
              ${step.title}
              <span class="hidden">${step.isDone ? '(done)' : '(to do)'}</span>
            </h3>
            ${step.isDone ? '' : step.text}
          </li>`,
      )}
    </ol>
  </section>`
}

function stepsOf(steps: FirstSteps, session: Session): Step[] {
  const { demo, openPull, newest } = steps
  const ofJobs: Step[] = [
    {
      title: 'Start your first job',
      verb: 'createJob',
      isDone: steps.hasJob,
      text: html`<p>
          Each job opens a pull request. This one adds a tip to the demo’s quickstart page. It takes a few
          seconds and needs no API key.
        </p>
        ${demo ? buttonForm(session, { action: `/projects/${demo.domain}/jobs`, label: 'Start the first job', kind: 'primary', fields: { prompt: firstPrompt } }) : ''}`,
    },
    {
      title: 'Review the pull request',
      verb: 'mergePullRequest',
      isDone: steps.hasReviewed,
      text: openPull
        ? html`<p>Read the diff, leave comments, then merge or close.</p>
            <p>
              <a class="button" href="/projects/${openPull.domain}/pulls/${openPull.number}"
                >Open the pull request</a
              >
            </p>`
        : html`<p>Read the diff, leave comments, then merge or close.</p>`,
    },
  ]
  return [
    ...(demo || steps.hasJob ? ofJobs : []),
    {
      title: 'Add your own repository',
      verb: 'addProject',
      isDone: steps.hasOwnProject,
      text: html`<p>Connect a repository on GitHub, GitLab, Gitea, Bitbucket, or any git host.</p>
        <p><a class="button" href="/add-project">Add project</a></p>`,
    },
    {
      title: 'Connect a model',
      verb: 'changeSettings',
      isDone: steps.hasModel,
      text: html`<p>
        The built-in model handles a fixed set of maintenance tasks. To have the agent write new content, set
        a provider’s API key, such as
        <code>ANTHROPIC_API_KEY</code>, and its name:
        ${copyable('DOCWRIGHT_MODEL=anthropic:claude-sonnet-5-5', 'the variable')}
      </p>`,
    },
    {
      title: 'Add the assistant to your site',
      verb: 'createKey',
      isDone: steps.hasAssistant,
      text: html`<p>
          Add one script tag with a public key. Try the widget here first. This step completes when a reader
          asks a question on your site.
        </p>
        ${newest ? html`<p><a class="button" href="/projects/${newest.domain}/widget">Get the script</a></p>` : ''}`,
    },
  ]
}
