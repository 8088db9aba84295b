import { visiblePath } from '../../../api/frame/html/visible.ts'
import { html } from 'hono/html'
import type { Job } from '../../../features/agent/jobs.ts'
import type { Turn } from '../../../features/agent/turns.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import { counted } from '../../../lib/text/counted.ts'
import type { ApprovalColumn, ViolationColumn } from '../../../store/columns.ts'
import { buttonForm } from '../../../api/frame/html/form.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { mayPress } from '../../../api/frame/html/may-press.ts'

/** What was not published: why, what a person can allow, and how to publish it. Empty where nothing is kept. */
export function keptChanges(project: Project, session: Session, job: Job, turns: readonly Turn[]): Html {
  const { kept, failure, status } = job
  const leftOut = job.checks.filter(({ check }) => check === 'policy')
  const files = failure?.files?.length ? failure.files : leftOut
  const isEnded = status === 'failed' || status === 'completed'
  const open = isEnded && mayPress(session, 'publishJob', project)
  const held = [...(failure?.files ?? []), ...leftOut]
  const allowed = open ? approvals(project, session, job, held) : undefined
  if (kept === undefined && allowed === undefined) return html``
  const isPart = turns.find(({ n }) => n === kept?.turn)?.outcome === 'changed'
  const subject = isPart ? 'Some changes are' : 'The changes are'
  return html`<section>
    <h2>Unpublished changes</h2>
    <div class="notice warning">
      ${kept === undefined ? '' : html`<p><strong>${subject} saved but not in a pull request yet.</strong></p>`}
      ${files.length === 0 ? '' : wrongList(files)} ${allowed ?? ''}
      ${kept === undefined || !open ? '' : publishKeptForm(project, session, job)}
      ${status === 'active' ? html`<p>The next prompt picks up from these changes.</p>` : ''}
    </div>
  </section>`
}

type Wrong = Pick<ViolationColumn, 'path' | 'line' | 'message'>

/** One cause can be found at hundreds of lines. */
const namedAtOnce = 5
const mostNamed = 200

function wrongList(files: readonly Wrong[]): Html {
  const rest = files.slice(namedAtOnce, mostNamed)
  return html`<p>Problems:</p>
    ${wrongPlaces(files.slice(0, namedAtOnce))}
    ${
      rest.length === 0
        ? ''
        : html`<details data-key="what is wrong">
            <summary>${counted(rest.length, 'more place')}</summary>
            ${wrongPlaces(rest)}
          </details>`
    }`
}

function wrongPlaces(files: readonly Wrong[]): Html {
  return html`<ul class="plain">
    ${files.map(
      ({ path, line, message }) =>
        html`<li>
          <span class="path"
            >${path === '' ? 'All changes' : visiblePath(path)}${line === null ? '' : `:${line}`}</span
          >
          ${message}
        </li>`,
    )}
  </ul>`
}

const allowLabels = { host: 'Load from', import: 'Import', part: 'Have' } as const

/** Offers to allow what the policy refused only because the site has nothing like it. */
function approvals(
  project: Project,
  session: Session,
  { id, kept, failure, question: asked }: Job,
  refused: readonly { approval?: ApprovalColumn }[],
): Html | undefined {
  const byValue = new Map(refused.flatMap(({ approval }) => (approval ? [[approval.value, approval]] : [])))
  if (byValue.size === 0) return undefined
  const isLast = kept !== undefined && refused.every(({ approval }) => approval !== undefined)
  const publishes = isLast && asked === undefined && (failure === undefined || failure.code === 'policy')
  return html`<p>
      These are new to your site and need approval.
      ${publishes ? 'Changes publish once everything is allowed.' : 'Applies from this job’s next prompt.'}
    </p>
    ${approvalList(project, session, id, [...byValue.values()])}`
}

function approvalList(
  project: Project,
  session: Session,
  jobId: string,
  allowed: readonly ApprovalColumn[],
): Html {
  return html`<ul class="plain">
    ${allowed.map(
      ({ kind, value }) =>
        html`<li>
          ${allowLabels[kind]} <code>${value}</code>
          <div class="buttons">
            ${[
              { label: 'Allow for this job', always: '' },
              { label: 'Always allow in this project', always: 'yes' },
            ].map(({ label, always }) =>
              buttonForm(session, {
                action: `/projects/${project.domain}/jobs/${jobId}/approve`,
                label,
                fields: { kind, value, always },
              }),
            )}
          </div>
        </li>`,
    )}
  </ul>`
}

/** What was published as a draft for a person to look at, and what of it can be allowed from now on. */
export function toLookAt(project: Project, session: Session, job: Job): Html {
  const looked = job.checks.filter(({ check }) => check === 'look')
  if (looked.length === 0) return html``
  const byValue = new Map(looked.flatMap(({ approval }) => (approval ? [[approval.value, approval]] : [])))
  const isEnded = job.status === 'failed' || job.status === 'completed'
  return html`<section>
    <h2>To look at</h2>
    <div class="notice">
      <p>These are new to your site and need approval. Look at it before you merge.</p>
      ${wrongPlaces(looked.slice(0, mostNamed))}
      ${
        isEnded && mayPress(session, 'publishJob', project)
          ? approvalList(project, session, job.id, [...byValue.values()])
          : ''
      }
    </div>
  </section>`
}

function publishKeptForm(project: Project, session: Session, { id, question: asked }: Job): Html {
  return html`<p>
      ${asked ? 'The agent continues from them after your answer.' : 'A follow-up continues from them.'} Or
      publish now as a draft. The draft lists open problems and excludes changes that policy blocks.
    </p>
    ${buttonForm(session, {
      action: `/projects/${project.domain}/jobs/${id}/publish`,
      label: 'Publish as a draft',
      confirm: 'Publish these changes as a draft pull request?',
    })}`
}
