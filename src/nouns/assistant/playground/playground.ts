import { html } from 'hono/html'
import { z } from '@hono/zod-openapi'
import type { TracedAnswer, TracedPiece } from '../../../features/assistant/trace-answer.ts'
import type { Project } from '../../../features/projects/projects.ts'
import type { Session } from '../../../features/projects/sign-in.ts'
import type { Models } from '../../../integrations/models/model.ts'
import { AppError } from '../../../lib/errors.ts'
import { checkInput } from '../../../lib/text/issue-sentence.ts'
import { preferredType } from '../../../api/accept.ts'
import type { AskPorts } from '../../../api/discovery/ask-assistant.ts'
import { longestQuestion, searchFilter, tracedQuestion } from '../inputs.ts'
import { storableJson, textStream } from '../../../api/discovery/text-stream.ts'
import type { Endpoint, RequestContext, Visitor } from '../../../api/endpoint.ts'
import type { Html } from '../../../api/frame/html/html.ts'
import { printHtml } from '../../../api/frame/html/print-html.ts'
import { securePage } from '../../../api/frame/html/respond.ts'
import { typedInto, type Pages } from '../../../api/frame/pages.ts'
import { fieldOf } from '../../../api/frame/read-form.ts'
import type { ReadMarkdown } from '../../../api/render/markdown/read-markdown.ts'
import { readTraced } from '../trace-answer.ts'
import { answersPart } from './answer-part.ts'
import type { Asked } from './asked.ts'
import { baseOf, showAssistant } from '../../../api/frame/assistant-tab.ts'
import { playgroundForm } from './playground-form.ts'
import { readTogether, type Piece } from './read-together.ts'

interface Ports {
  models: Models
  now(): Date
  assistant: AskPorts<Project>['assistant']
  /** Of questions to the assistant. */
  assistantLimits: AskPorts<Project>['limits']
  readMarkdown: ReadMarkdown
}

const path = '/projects/{domain}/assistant/playground'

export function showPlaygroundEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectPage(path, 'traceAnswer', async ({ context, session, project }) => {
    const typed = typedInto(context, `${baseOf(project)}/playground`)
    const fields = typed.size > 0 ? typed : new URLSearchParams(context.req.query())
    const values = {
      question: (fields.get('question') ?? '').slice(0, longestQuestion),
      currentPath: (fields.get('page') ?? '').slice(0, 200),
      models: [fields.get('model') ?? '', fields.get('against') ?? ''],
      history: typed.size > 0 ? historyIn(typed) : [],
    }
    return showPage(context, session, project, playgroundForm(ports, session, project, values))
  })
}

function showPage(
  context: RequestContext,
  session: Visitor,
  project: Project,
  region: Html,
): Promise<Response> {
  const body = html`<h1>Playground</h1>
    <p class="muted">
      Test the assistant as a reader would and see how each answer is built. Questions here aren’t recorded,
      but they count toward usage limits and model costs.
    </p>
    <div id="playground">${region}</div>`
  const page = { context, session, project, part: '/playground', title: 'Playground' } as const
  return showAssistant({ ...page, scripts: ['playground.js'] }, body)
}

/** Answers with the page, or with pieces of text as they come and the rendered region at the end. */
export function askPlaygroundEndpoint(pages: Pages, ports: Ports): Endpoint {
  return pages.projectForm(
    path,
    'traceAnswer',
    async ({ context, session, project, form }) => {
      const request = readAsked(form)
      await ports.assistantLimits.look(context, project)
      const pieces = readTogether(
        request.models.map((model) =>
          readTraced({ assistant: ports.assistant, limits: ports.assistantLimits }, context, project, {
            ...request,
            model,
            filter: searchFilter.parse(undefined),
          }),
        ),
      )
      const region = (answers: TracedAnswer[]): Promise<Html> =>
        regionOf(ports, session, project, request, answers)
      // A refusal comes with the first piece.
      const first = await pieces.next()
      context.header('Vary', 'Accept')
      if (preferredType(context, ['text/html', 'application/x-ndjson']) === 'application/x-ndjson')
        return streamed(context, linesOf(first, pieces, region))
      let next = first
      while (next.done !== true) next = await pieces.next()
      return showPage(context, session, project, await region(next.value))
    },
    showPlaygroundEndpoint(pages, ports),
  )
}

function readAsked(form: URLSearchParams): Asked {
  const history = historyIn(form)
  const [model, against] = ['model', 'against'].map((name) => fieldOf(form, name))
  const { question, currentPath = '' } = checkInput(
    tracedQuestion.pick({ question: true, history: true, currentPath: true, model: true }),
    { question: fieldOf(form, 'question'), history, currentPath: fieldOf(form, 'page'), model },
    (path) => (path.startsWith('history') ? 'The conversation' : 'What you wrote'),
  )
  const second = form.get('compare') === 'yes' && against !== undefined && against !== model
  return {
    question,
    currentPath,
    history,
    models: [model ?? '', ...(second ? [against] : [])],
  }
}

const said = z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() }))

function historyIn(form: URLSearchParams): Asked['history'] {
  try {
    return said.parse(JSON.parse(form.get('history') || '[]'))
  } catch {
    throw new AppError('invalid', 'The conversation of this page cannot be read; begin a new one')
  }
}

async function regionOf(
  ports: Ports,
  session: Session,
  project: Project,
  asked: Asked,
  answers: TracedAnswer[],
): Promise<Html> {
  const history = [
    ...asked.history,
    { role: 'user' as const, text: asked.question },
    { role: 'assistant' as const, text: (answers[0]?.text ?? '').slice(0, 100_000) },
  ]
  const [model = '', against = ''] = asked.models
  return html`${await answersPart(ports, project, asked, answers)}
  ${playgroundForm(ports, session, project, { ...asked, question: '', models: [model, against], history })}`
}

async function* linesOf(
  first: IteratorResult<Piece<TracedPiece>, TracedAnswer[]>,
  rest: AsyncGenerator<Piece<TracedPiece>, TracedAnswer[], undefined>,
  region: (answers: TracedAnswer[]) => Promise<Html>,
): AsyncGenerator<string, void, undefined> {
  const line = (value: unknown): string => `${storableJson(value)}\n`
  try {
    let next = first
    while (next.done !== true) {
      yield line(next.value)
      next = await rest.next()
    }
    yield line({ html: await printHtml(await region(next.value)) })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    yield line({ problem: error.message })
  } finally {
    await rest.return([])
  }
}

function streamed(context: RequestContext, lines: AsyncGenerator<string, void, undefined>): Response {
  securePage(context)
  context.header('Cache-Control', 'no-store')
  context.header('X-Accel-Buffering', 'no')
  context.header('Content-Type', 'application/x-ndjson')
  return context.body(textStream(lines, () => undefined))
}
