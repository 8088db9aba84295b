import { visiblePath } from '../../api/frame/html/visible.ts'
import { html } from 'hono/html'
import type { Job } from '../../features/agent/jobs.ts'
import { isLanguageModel } from '../../features/agent/model/reminders.ts'
import { warningsOf, type MergeJudgement, type MergeReason } from '../../features/agent/review/judge-merge.ts'
import type { Project } from '../../features/projects/projects.ts'
import type { Session } from '../../features/projects/sign-in.ts'
import type { MergeStyle } from '../../integrations/forges/merging.ts'
import { buttonForm, csrfField } from '../../api/frame/html/form.ts'
import type { Html } from '../../api/frame/html/html.ts'
import { mayPress } from '../../api/frame/html/may-press.ts'
import { problemList } from '../../api/frame/html/problem-list.ts'

interface Judged {
  project: Project
  /** Undefined for readers who have only the link. */
  session: Session | undefined
  pull: { number: number; base: string; head: string; draft: boolean }
  judgement: MergeJudgement
  conflicts: readonly string[]
  job: Job | undefined
  /** What is said after the merge. */
  merged: Html
}

const headings = {
  ready: 'Ready to merge',
  not_yet: 'Not ready to merge',
  blocked: 'Merging is blocked',
  merged: 'Merged',
  closed: 'Closed without merging',
}

/** Whether a pull request can be merged and should be, why, and the buttons. */
export function mergeBox(judged: Judged): Html {
  const { judgement, session, pull, project } = judged
  const { verdict } = judgement
  const base = `/projects/${project.domain}/pulls/${pull.number}`
  const isOpen = verdict !== 'merged' && verdict !== 'closed'
  return verdictBox(
    verdict,
    html`${verdictReasons(judged)}
    ${session ? actions(judged, session, base) : isOpen ? html`<a class="button" href="/sign-in?return=${encodeURIComponent(base)}">Sign in to merge or close</a>` : ''}`,
  )
}

/** The next step, beside what was done: the button that merges, or the way to what stands against it. */
export function nextStep(judged: Omit<Judged, 'merged'>): Html {
  const { judgement, session, pull, project } = judged
  if (!session || judgement.verdict === 'merged' || judgement.verdict === 'closed') return html``
  if (judgement.verdict === 'ready' && mayPress(session, 'mergePullRequest', project))
    return mergeNow(session, `/projects/${project.domain}/pulls/${pull.number}`, pull)
  return html`${bringUpToDate(judged)} <a class="button" href="#merge">Go to merge</a>`
}

function mergeNow(session: Session, base: string, { number, base: into }: Judged['pull']): Html {
  return buttonForm(session, {
    action: `${base}/merge`,
    label: 'Merge',
    kind: 'primary',
    confirm: `Merge #${number} into ${into}?`,
  })
}

/** The frame of what is said of a merge, under its heading. */
export function verdictBox(
  verdict: MergeJudgement['verdict'],
  body: Html,
  heading: string = headings[verdict],
): Html {
  return html`<section class="card merge ${verdict}" id="merge" tabindex="-1" aria-labelledby="merge-verdict">
    <h2 id="merge-verdict">${heading}</h2>
    ${body}
  </section>`
}

/**
 * The reasons of a judgement. A reason that counts problems is followed by the list of them.
 * @param ready what is said when there is none
 */
export function verdictReasons(
  { judgement: { verdict, reasons }, job, pull }: Pick<Judged, 'judgement' | 'job' | 'pull'>,
  ready = html`No errors found. It can be merged into <code>${pull.base}</code>`,
): Html {
  const problems = (job?.checks ?? []).filter(({ severity }) => severity === 'error')
  return html`${verdict === 'ready' ? html`<p>${ready}.</p>` : ''}
  ${
    reasons.length === 0
      ? ''
      : html`<ul class="reasons">
          ${reasons.map(
            (reason) =>
              html`<li class="is-${reason.weight}">
                <span>${visiblePath(reason.message)}</span> ${reasonLink(reason)}
                ${reason.code === 'problems' ? problemList(problems.slice(0, 20)) : ''}
                ${reason.code === 'warnings' ? problemList(warningsOf(job?.checks ?? []).slice(0, 20)) : ''}
              </li>`,
          )}
        </ul>`
  }`
}

function reasonLink({ code }: MergeReason): Html {
  if (code === 'comments_not_sent') return html`<a href="#send-comments">View unsent comments</a>`
  return code === 'comments_open' ? html`<a href="#review-comments">View comments</a>` : html``
}

/** A follow-up that merges the base into the branch. Only language models resolve conflicts. */
export function bringUpToDate({ project, session, pull, conflicts, job }: Omit<Judged, 'merged'>): Html {
  if (conflicts.length === 0 || !session || !job || job.status === 'archived') return html``
  if (!mayPress(session, 'sendMessage', project)) return html``
  if (!isLanguageModel(job.model))
    return html`<p class="muted">
      The built-in model can’t resolve conflicts. Connect a language model or resolve them by hand.
    </p>`
  const files = conflicts.slice(0, 20).join(', ')
  const prompt = `Bring the branch up to date with ${pull.base}, and resolve the conflicts in ${files}.`
  return buttonForm(session, {
    action: `/projects/${project.domain}/jobs/${job.id}/message`,
    label: 'Let the agent resolve it',
    kind: 'primary',
    fields: { prompt },
  })
}

function actions(judged: Judged, session: Session, base: string): Html {
  const { judgement, pull, project, merged } = judged
  const { number } = pull
  if (judgement.verdict === 'merged') return merged
  if (judgement.verdict === 'closed')
    return html`<p>Its branch <code>${pull.head}</code> is kept.</p>
      ${buttonForm(session, { action: `${base}/reopen`, label: 'Reopen' })}`
  const mayMerge = mayPress(session, 'mergePullRequest', project)
  const close = buttonForm(session, {
    action: `${base}/close`,
    label: 'Close',
    confirm: `Close #${number} without merging?`,
  })
  const canMerge = judgement.verdict !== 'blocked' && mayMerge
  const isPlain = judgement.verdict === 'ready'
  return html`${mayMerge ? '' : html`<p class="muted">Only editors and owners can merge.</p>`}
    <div class="buttons merge-actions">
      ${bringUpToDate(judged)} ${canMerge && !isPlain ? mergeAllTheSame(session, base, pull) : ''}
      ${canMerge && isPlain ? mergeNow(session, base, pull) : ''} ${close}
    </div>`
}

const styleNames: Record<MergeStyle, string> = {
  merge: 'With a merge commit',
  squash: 'Squashed into one commit',
  rebase: 'Rebased, without a merge commit',
}

/** The form by which the host merges what the page shows, and nothing that came later. */
export function mergeByHost(
  { session, project, pull }: Pick<Judged, 'project' | 'pull'> & { session: Session },
  { styles, head, isPlain }: { styles: readonly MergeStyle[]; head: string | undefined; isPlain: boolean },
): Html {
  const { number, base } = pull
  return html`<form
    method="post"
    action="/projects/${project.domain}/pulls/${number}/merge"
    class="stack"
    data-confirm="Merge #${number} into ${base}?"
  >
    ${csrfField(session)}
    ${head === undefined ? '' : html`<input type="hidden" name="headCommit" value="${head}" />`}
    ${
      styles.length < 2
        ? ''
        : html`<label
            >How
            <select name="style">
              ${styles.map((style) => html`<option value="${style}">${styleNames[style]}</option>`)}
            </select></label
          >`
    }
    ${
      isPlain
        ? ''
        : html`<label class="check"
            ><input type="checkbox" name="draft" value="yes" required /> Merge anyway</label
          >`
    }
    <button class="${isPlain ? 'primary' : 'danger'}">Merge</button>
  </form>`
}

/** What should not be merged yet is merged with a second step, by a button that does not invite to it. */
function mergeAllTheSame(
  session: Session,
  base: string,
  { number, base: into, draft }: Judged['pull'],
): Html {
  return html`<form
    method="post"
    action="${base}/merge"
    class="stack"
    data-confirm="Merge #${number} into ${into}?${draft ? ' It is a draft.' : ''}"
  >
    ${csrfField(session)}
    <label class="check"
      ><input type="checkbox" name="draft" value="yes" required />
      ${draft ? 'Merge this draft anyway' : 'Merge anyway'}</label
    >
    <button class="danger">${draft ? 'Merge the draft' : 'Merge'}</button>
  </form>`
}
