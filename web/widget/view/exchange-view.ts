import { element, setAttribute } from '../dom.ts'
import { copyButton, createMarkdownView } from '../markdown/show-markdown.ts'
import { safeAddress } from '../markdown/read-markdown.ts'
import type { Conversation } from '../talk/conversation.ts'
import type { Exchange } from '../talk/exchange.ts'
import type { Texts } from '../texts/en.ts'
import { createFeedbackView, type Rate } from './feedback-view.ts'
import { linkToPage } from '../link-to-page.ts'

interface Ports {
  texts: Texts
  conversation: Conversation
  rate: Rate
  ask(question: string): void
}

/** Characters of an answer that screen readers are told. */
const mostSpoken = 1500

/** A question and its answer. */
export interface ExchangeView {
  node: HTMLElement
  /** @param isLast only the last one can be asked again, and leads on */
  update(isLast: boolean): void
  /** The answer as a screen reader says it: what is seen of it, without the signs of Markdown. */
  spoken(): string
}

export function createExchangeView(ports: Ports, exchange: Exchange): ExchangeView {
  const { texts, conversation } = ports
  const markdown = createMarkdownView(texts)
  const activity = element('p', { class: 'activity' })
  const trouble = element('div', { class: 'trouble' })
  const sources = element('div', { class: 'sources' })
  const feedback = createFeedbackView(texts, exchange, ports.rate)
  const actions = element(
    'div',
    { class: 'actions' },
    copyButton(texts, texts.copyAnswer, () => exchange.text),
    feedback.buttons,
  )
  const contact = element('p', { class: 'contact' })
  const next = element('div', { class: 'chips' })
  const answer = element(
    'div',
    { class: 'answer' },
    element('span', { class: 'hidden' }, `${texts.assistant}: `),
    activity,
    markdown.node,
    trouble,
    contact,
    sources,
    actions,
    feedback.form,
    next,
  )
  const node = element('article', { class: 'exchange' }, questionOf(texts, exchange), answer)
  let sourceCount = -1
  return {
    node,
    update(isLast) {
      const { state, text } = exchange
      const isOver = state !== 'waiting' && state !== 'writing'
      setAttribute(answer, 'aria-busy', isOver ? undefined : 'true')
      activity.hidden = isOver || (state === 'writing' && !exchange.activity)
      activity.replaceChildren(...activityOf(texts, exchange))
      markdown.node.hidden = text === ''
      markdown.write(text, exchange.sources, isOver)
      trouble.hidden = !(state === 'stopped' || state === 'failed')
      if (!trouble.hidden) trouble.replaceChildren(...troubleOf(texts, exchange, conversation, isLast))
      const shown = isOver ? exchange.sources.length : 0
      sources.hidden = shown === 0
      if (shown !== sourceCount) sources.replaceChildren(...sourceList(texts, exchange))
      sourceCount = shown
      actions.hidden = !isOver || text === ''
      feedback.update(state === 'done' && exchange.answerId !== undefined)
      const address = safeAddress(exchange.contact?.url)
      contact.hidden = address === undefined || !isOver
      if (address !== undefined && contact.childNodes.length === 0)
        contact.append(
          linkToPage(address, undefined, texts.contact.replace('{name}', exchange.contact?.name || address)),
        )
      const suggestions = isLast && isOver ? exchange.suggestions : []
      next.hidden = suggestions.length === 0
      if (suggestions.length !== next.childElementCount)
        next.replaceChildren(...chips(suggestions, ports.ask))
      setAttribute(next, 'aria-label', texts.next)
      setAttribute(next, 'role', 'group')
    },
    spoken() {
      const said = markdown.node.innerText.slice(0, mostSpoken)
      const end = exchange.state === 'done' ? texts.done : trouble.innerText
      return `${texts.assistant}: ${said} ${end}`
    },
  }
}

/** Questions that can be asked with one press. */
export function chips(questions: readonly string[], ask: (question: string) => void): Node[] {
  return questions.map((question) =>
    element('button', { type: 'button', class: 'chip', dir: 'auto', click: () => ask(question) }, question),
  )
}

function questionOf(texts: Texts, { question, selection, files }: Exchange): Node {
  return element(
    'div',
    { class: 'question' },
    element('span', { class: 'hidden' }, `${texts.you}: `),
    selection ? element('blockquote', { dir: 'auto' }, selection.value.slice(0, 300)) : undefined,
    element('p', { dir: 'auto' }, question),
    files.length > 0 ? element('p', { class: 'files' }, files.join(', ')) : undefined,
  )
}

function activityOf(texts: Texts, { activity, status }: Exchange): (Node | string)[] {
  const dots = element('span', { class: 'dots', 'aria-hidden': 'true' })
  if (status?.state === 'waiting') return [dots, texts.queued.replace('{n}', String(status.ahead))]
  if (status?.state === 'reading') return [dots, texts.modelReads]
  if (!activity?.what) return [dots, texts.looking]
  const what = element('q', { dir: 'auto' }, activity.what.slice(0, 80))
  return [dots, activity.tool === 'search' ? texts.searching : texts.reading, ' ', what]
}

function troubleOf(
  texts: Texts,
  exchange: Exchange,
  conversation: Conversation,
  isLast: boolean,
): (Node | string)[] {
  const retry = element(
    'button',
    { type: 'button', class: 'plain', click: () => conversation.retry() },
    texts.retry,
  )
  const { problem } = exchange
  if (!problem) return [element('p', {}, texts.stopped), ...(isLast ? [retry] : [])]
  const seconds = (): number => Math.ceil(((problem.until ?? 0) - Date.now()) / 1000)
  const sentence = (): string => {
    if (problem.kind === 'limit' && seconds() > 0) return texts.wait.replace('{n}', String(seconds()))
    return problem.kind === 'limit' ? texts.failed : texts[problem.kind]
  }
  const words = element('p', {}, sentence())
  const count = (): void => {
    const isEarly = seconds() > 0
    retry.disabled = isEarly
    words.textContent = sentence()
    if (isEarly && words.isConnected) setTimeout(count, 1000)
  }
  if (problem.until !== undefined) setTimeout(count)
  return [
    words,
    ...(problem.message === '' || problem.kind === 'limit'
      ? []
      : [element('p', { class: 'detail', dir: 'auto' }, problem.message)]),
    ...(isLast ? [retry] : []),
  ]
}

function sourceList(texts: Texts, { sources }: Exchange): Node[] {
  const items = sources.flatMap(({ url, title, heading }) => {
    const address = safeAddress(url)
    if (address === undefined) return []
    const label = heading === '' ? title : `${title} › ${heading}`
    return [element('li', {}, linkToPage(address, heading, element('span', { dir: 'auto' }, label)))]
  })
  return items.length === 0 ? [] : [element('h3', {}, texts.sources), element('ol', {}, ...items)]
}
