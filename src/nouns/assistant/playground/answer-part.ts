import { html } from 'hono/html'
import type { TracedAnswer } from '../../../features/assistant/trace-answer.ts'
import type { Project } from '../../../features/projects/projects.ts'
import { counted } from '../../../lib/text/counted.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { externalLink } from '../../../api/frame/html/parts.ts'
import type { ReadMarkdown } from '../../../api/render/markdown/read-markdown.ts'
import { renderMarkdown } from '../../../api/render/markdown/render-markdown.ts'
import type { Asked } from './asked.ts'
import { tracePart } from './trace-part.ts'
import {
  questionText,
  causeWord,
  dollars,
  seconds,
  shortened,
  stateBadge,
  whole,
} from '../../insights/pages/answer-words.ts'

interface Ports {
  now(): Date
  readMarkdown: ReadMarkdown
}

/** The conversation so far, and the answer to the newest question by each model, with how it came about. */
export async function answersPart(
  ports: Ports,
  project: Project,
  { question, history }: Asked,
  answers: readonly TracedAnswer[],
): Promise<Html> {
  const now = ports.now()
  const parts = await Promise.all(
    answers.map(async (answer, n) => {
      const text = await renderMarkdown(ports.readMarkdown, project.id, answer.text)
      return answerPart(answer, text, tracePart(answer.trace, n, project, now))
    }),
  )
  const before = await Promise.all(
    history.map(async ({ role, text }) =>
      role === 'user'
        ? html`<li class="asked">${questionText(text)}</li>`
        : html`<li class="said prose">${await renderMarkdown(ports.readMarkdown, project.id, text)}</li>`,
    ),
  )
  return html`${
      before.length === 0
        ? ''
        : html`<details class="before" data-key="before">
            <summary>${counted(history.length / 2, 'question')} before</summary>
            <ol class="plain">
              ${before}
            </ol>
          </details>`
    }
    <div class="asked">${questionText(question)}</div>
    <section class="answers ${answers.length > 1 ? 'compared' : ''}" aria-label="Answers">${parts}</section>`
}

function answerPart(answer: TracedAnswer, text: Html, trace: Html): Html {
  const { outcome, cause, model, trace: told, problem, missing, suggestions } = answer
  return html`<article class="answer" data-answer tabindex="-1">
    <div class="said">
      <h2>Answer${model === null ? '' : html` <code>${model}</code>`}</h2>
      <p class="meta">
        ${stateBadge(outcome)} ${cause === null ? '' : causeWord(cause)}
        <span>first text after <strong>${seconds(told.firstText)}</strong></span>
        <span>done after <strong>${seconds(told.milliseconds)}</strong></span>
        <span><strong>${whole(answer.inputTokens + answer.outputTokens)}</strong> tokens</span>
        <span><strong>${dollars(answer.cost)}</strong></span>
      </p>
      ${problem === null ? '' : html`<p class="failure">${problem}.</p>`}
      ${told.outOfTokens ? html`<p class="notice warning">Daily token limit reached. The built-in model is answering.</p>` : ''}
      ${told.problems.map((one) => html`<p class="notice warning">${one}</p>`)}
      ${answer.text === '' ? '' : html`<div class="prose card">${text}</div>`}
      ${missing.length === 0 ? '' : html`<p><strong>Not mentioned in your docs:</strong> ${missing.join(', ')}</p>`}
      ${sources(answer)}
      ${
        suggestions.length === 0
          ? ''
          : html`<h3>Suggested next</h3>
              <ul>
                ${suggestions.map((one) => html`<li>${one}</li>`)}
              </ul>`
      }
    </div>
    <div class="trace">${trace}</div>
  </article>`
}

function sources({ sources: cited }: TracedAnswer): Html {
  if (cited.length === 0) return html``
  return html`<h3>Sources</h3>
    <ul>
      ${cited.map(
        ({ url, title, words }) =>
          html`<li>
            ${externalLink(url, title)}
            ${words.map((text) => html`<br /><span class="muted">Cited for “${shortened(text, 160)}”</span>`)}
          </li>`,
      )}
    </ul>`
}
