import { element, iconButton } from '../dom.ts'
import type { Options } from '../options.ts'
import type { Conversation, Question } from '../talk/conversation.ts'
import type { Exchange, Selection } from '../talk/exchange.ts'
import type { Texts } from '../texts/en.ts'
import { createComposer, type Composer } from './composer.ts'
import { chips, createExchangeView, type ExchangeView } from './exchange-view.ts'
import type { Rate } from './feedback-view.ts'

interface Ports {
  texts: Texts
  options: Options
  conversation: Conversation
  rate: Rate
  ask(question: Question): void
  starters(): Promise<string[]>
  close(): void
}

/** Everything between the heading and the field for questions. */
export interface Panel {
  nodes: HTMLElement[]
  composer: Pick<Composer, 'focus' | 'write'>
  /** The next question is about this text of the page. */
  attach(selection: Selection): void
  /** Shows what has changed, with the next frame of the browser. @param exchange undefined: all of it */
  changed(exchange: Exchange | undefined): void
  /** Says an answer to screen readers, as soon as its end is shown. */
  ended(exchange: Exchange): void
  /** Says this to screen readers. */
  announce(text: string): void
  /** Looks up questions to begin with, if the conversation is empty. */
  begin(): void
}

/** Pixels from the end within which what arrives is kept in sight, and pixels above a question. */
const [near, gap] = [90, 16]

export function createPanel(ports: Ports): Panel {
  const { texts, options, conversation } = ports
  const views = new Map<Exchange, ExchangeView>()
  const dirty = new Set<Exchange>()
  let isWaiting = false
  let unsaid: Exchange | undefined
  let startersOf: string | undefined

  const live = element('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' })
  const starters = element('div', { class: 'chips', role: 'group', 'aria-label': texts.begin })
  const empty = element(
    'div',
    { class: 'empty' },
    element('p', { class: 'welcome' }, texts.welcome),
    starters,
  )
  const list = element('div', { class: 'list' })
  const log = element(
    'div',
    { class: 'log', tabindex: '0', role: 'group', 'aria-label': texts.title },
    empty,
    list,
  )
  const composer = createComposer({ texts, files: options.files, ask: ports.ask, stop: conversation.stop })
  const fresh = iconButton('fresh', texts.fresh, () => {
    conversation.clear()
    composer.focus()
    begin()
  })
  const head = element(
    'div',
    { class: 'head' },
    element('h2', { id: 'title' }, options.heading ?? texts.title),
    fresh,
    options.inline ? undefined : iconButton('close', texts.close, ports.close),
  )
  const ask = (text: string): void => {
    ports.ask({ text })
    composer.focus()
  }
  const draw = (): void => {
    isWaiting = false
    const { exchanges } = conversation
    const isNear = log.scrollHeight - log.scrollTop - log.clientHeight < near
    let isNew = false
    for (const [exchange, { node }] of views) {
      if (exchanges.includes(exchange)) continue
      node.remove()
      views.delete(exchange)
    }
    for (const exchange of exchanges) {
      let view = views.get(exchange)
      if (!view) {
        view = createExchangeView({ texts, conversation, rate: ports.rate, ask }, exchange)
        views.set(exchange, view)
        list.append(view.node)
        isNew = true
        dirty.add(exchange)
        const before = exchanges[exchanges.indexOf(exchange) - 1]
        if (before) dirty.add(before)
      }
    }
    for (const exchange of dirty) views.get(exchange)?.update(exchange === exchanges.at(-1))
    dirty.clear()
    const ended = unsaid && views.get(unsaid)
    if (ended) live.textContent = ended.spoken()
    unsaid = undefined
    empty.hidden = exchanges.length > 0
    fresh.hidden = exchanges.length === 0
    composer.update(conversation.isBusy())
    const last = list.lastElementChild
    // An answer grows until its question is at the top; then it stays, and is read from its beginning.
    if (last && (isNew || isNear))
      log.scrollTop += last.getBoundingClientRect().top - log.getBoundingClientRect().top - gap
  }
  const changed = (exchange: Exchange | undefined): void => {
    if (exchange) dirty.add(exchange)
    else for (const one of conversation.exchanges) dirty.add(one)
    if (isWaiting) return
    isWaiting = true
    if (document.hidden) setTimeout(draw, 200)
    else requestAnimationFrame(draw)
  }
  const begin = (): void => {
    if (conversation.exchanges.length > 0 || startersOf === location.pathname) return
    startersOf = location.pathname
    ports.starters().then(
      (questions) => starters.replaceChildren(...chips(questions, ask)),
      // Whoever asks is told what is wrong.
      () => starters.replaceChildren(),
    )
  }
  return {
    nodes: [
      head,
      log,
      element('div', { class: 'foot' }, composer.node, element('p', { class: 'notice' }, texts.notice)),
      live,
    ],
    composer,
    attach: composer.attach,
    changed,
    ended(exchange) {
      unsaid = exchange
      changed(exchange)
    },
    announce(text) {
      live.textContent = text
    },
    begin,
  }
}
