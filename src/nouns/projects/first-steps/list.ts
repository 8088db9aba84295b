import { html } from 'hono/html'
import { mayDo } from '../../../features/projects/allow.ts'
import { changeFirstSteps } from './run.ts'
import type { FirstSteps } from './table.ts'
import type { Verb } from '../../../features/projects/rights.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Store } from '../../../store/database.ts'
import type { Endpoint } from '../../../api/endpoint.ts'
import { buttonForm, copyable } from '../../../api/frame/html/form.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import type { Pages } from '../../../api/frame/pages.ts'
import type { Models } from '../../../integrations/models/model.ts'
import { serverForm } from '../../../verbs/form.ts'

interface Ports {
  store: Store
  models: Pick<Models, 'defaultModel'>
}

/** A request that the built-in model understands, and that shows in the demo's first pages. */
const firstPrompt =
  'Add a tip to the quickstart page: "Press Ctrl-K in the dashboard to find any page, job or action."'

export function hideFirstStepsForm(pages: Pages, ports: Ports): Endpoint {
  return serverForm(pages, ports, '/first-steps', changeFirstSteps, {
    given: ({ form }) => ({ hidden: form.get('hidden') === 'yes' }),
    done: ({ context }) => context.redirect('/projects', 303),
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
      ${buttonForm(session, { action: '/first-steps', label: `Show the first steps (${done} of ${all.length} done)`, fields: { hidden: 'no' } })}
    </div>`
  const next = all.find(({ isDone }) => !isDone)
  return html`<section class="card first-steps" aria-labelledby="first-steps">
    <div class="heading">
      <h2 id="first-steps">First steps <span class="count">${done} of ${all.length} done</span></h2>
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
      title: 'Let the agent change a page',
      verb: 'createJob',
      isDone: steps.hasJob,
      text: html`<p>
          A job ends in a pull request. This one adds a tip to the quickstart page of the demo; it takes
          seconds and needs no key.
        </p>
        ${demo ? buttonForm(session, { action: `/projects/${demo.domain}/jobs`, label: 'Start the first job', kind: 'primary', fields: { prompt: firstPrompt } }) : ''}`,
    },
    {
      title: 'Look at its pull request',
      verb: 'mergePullRequest',
      isDone: steps.hasReviewed,
      text: openPull
        ? html`<p>See what changed, comment on it, and merge or close it.</p>
            <p>
              <a class="button" href="/projects/${openPull.domain}/pulls/${openPull.number}"
                >Open the pull request</a
              >
            </p>`
        : html`<p>See what changed, comment on it, and merge or close it.</p>`,
    },
  ]
  return [
    ...(demo || steps.hasJob ? ofJobs : []),
    {
      title: 'Add your own repository',
      verb: 'addProject',
      isDone: steps.hasOwnProject,
      text: html`<p>By its address on GitHub, GitLab, Gitea, Bitbucket or any other git host.</p>
        <p><a class="button" href="/add-project">Add a project</a></p>`,
    },
    {
      title: 'Set a model',
      verb: 'changeSettings',
      isDone: steps.hasModel,
      text: html`<p>
        The built-in model knows a list of requests. One that writes needs a key in the server’s environment,
        such as
        <code>ANTHROPIC_API_KEY</code>, and its name:
        ${copyable('DOCWRIGHT_MODEL=anthropic:claude-sonnet-5-5', 'the variable')}
      </p>`,
    },
    {
      title: 'Put the assistant on your site',
      verb: 'createKey',
      isDone: steps.hasAssistant,
      text: html`<p>
          It is one script in your pages, with a key that may stand there. You can try it here first; this is
          done once somebody asks it on a page of your site.
        </p>
        ${newest ? html`<p><a class="button" href="/projects/${newest.domain}/widget">Get the script</a></p>` : ''}`,
    },
  ]
}
