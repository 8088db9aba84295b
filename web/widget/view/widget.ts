import { element, icon, setAttribute } from '../dom.ts'
import { createEmitter, type Emitter } from '../events.ts'
import type { Options } from '../options.ts'
import { createConversation } from '../talk/conversation.ts'
import type { Exchange } from '../talk/exchange.ts'
import { currentPath } from '../talk/current-path.ts'
import { createHistory } from '../talk/history.ts'
import { createServer } from '../talk/server.ts'
import { chooseLanguage } from '../texts/texts.ts'
import { followTheme } from '../theme.ts'
import { createPanel } from './panel.ts'
import { createSelectionButton, selectedText } from './selection-button.ts'
import { shortcutOf } from './shortcut.ts'
import { addStyles } from './styles.ts'

export interface Widget {
  /** @param question what stands in the field */
  open(question?: string): void
  close(): void
  ask(question: string): void
  on: Emitter['on']
  /** Ends everything that the widget has begun. */
  stop(): void
}

/** Narrower windows show the panel alone. */
const narrow = '(max-width: 36rem), (max-height: 30rem)'

/** Builds the widget in the shadow of its element. */
export function createWidget(host: HTMLElement, shadow: ShadowRoot, options: Options, name: string): Widget {
  const { texts, direction, ...language } = chooseLanguage([
    options.lang,
    document.documentElement.lang,
    ...navigator.languages,
  ])
  const events = createEmitter(host)
  const history = createHistory(name, options.csrf)
  const server = createServer({
    server: (options.server ?? location.origin).replace(/(?<!\/)\/+$/, ''),
    domain: options.domain,
    key: options.key,
    csrf: options.csrf,
  })
  const conversation = createConversation({
    server,
    history,
    fp: options.fp ?? 'anonymous',
    onChange: (exchange) => panel.changed(exchange),
    onEnd: ended,
  })
  function ended(exchange: Exchange): void {
    const { state, text, question, outcome, sources } = exchange
    panel.ended(exchange)
    if (state === 'done')
      events.emit('answered', { question, text, outcome, threadId: conversation.threadId, sources })
  }
  const panel = createPanel({
    texts,
    options,
    conversation,
    ask(question) {
      conversation.ask(question)
      panel.announce(texts.looking)
      events.emit('asked', { question: question.text })
    },
    async rate(exchange, rating, why) {
      await conversation.rate(exchange, rating, why)
      events.emit('feedback', {
        rating: rating ?? null,
        reason: why?.reason,
        threadId: conversation.threadId,
      })
    },
    starters: () => server.starters(currentPath()),
    close: () => close(),
  })

  const box = options.inline
    ? element('section', { class: 'panel', 'aria-labelledby': 'title' }, ...panel.nodes)
    : element('dialog', { class: 'panel', 'aria-labelledby': 'title' }, ...panel.nodes)
  const launcher = element(
    'button',
    {
      type: 'button',
      class: 'launcher',
      'aria-haspopup': 'dialog',
      'aria-expanded': 'false',
      click: () => open(),
    },
    icon('ask'),
    options.label ?? texts.open,
  )
  const root = element(
    'div',
    { class: options.inline ? 'root inline' : 'root', dir: direction, lang: language.name },
    options.inline ? undefined : launcher,
    box,
  )
  setAttribute(root, 'data-position', options.position)
  if (options.accent !== undefined) root.style.setProperty('--accent', options.accent)
  addStyles(shadow, options.nonce)
  shadow.append(root)

  let before: Element | null = null
  const isSmall = matchMedia(narrow)
  const show = (): void => {
    if (!(box instanceof HTMLDialogElement)) return
    if (box.open) box.close()
    if (isSmall.matches) box.showModal()
    else box.show()
  }
  const open = (question?: string): void => {
    if (question !== undefined) panel.composer.write(question)
    if (box instanceof HTMLDialogElement && !box.open) {
      before = document.activeElement
      show()
      launcher.setAttribute('aria-expanded', 'true')
      history.setOpen(true)
      panel.begin()
      events.emit('opened', {})
    }
    panel.composer.focus()
  }
  const close = (): void => {
    if (!(box instanceof HTMLDialogElement) || !box.open) return
    box.close()
    launcher.setAttribute('aria-expanded', 'false')
    history.setOpen(false)
    const back =
      before instanceof HTMLElement && before !== host && before !== document.body ? before : launcher
    back.focus({ preventScroll: true })
    events.emit('closed', {})
  }
  const about = createSelectionButton(host, texts, (selection) => {
    panel.attach(selection)
    open()
  })
  const hasSelection = options.selection === undefined ? !options.inline : options.selection !== 'off'
  if (hasSelection) root.append(about.node)
  else about.stop()

  const stopper = new AbortController()
  const { signal } = stopper
  // A modal dialog asks this way whether it may close.
  box.addEventListener('cancel', (event) => {
    event.preventDefault()
    close()
  })
  root.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.isComposing || options.inline) return
    event.stopPropagation()
    close()
  })
  const isShortcut = shortcutOf(options.inline ? 'off' : options.shortcut)
  addEventListener(
    'keydown',
    (event) => {
      if (!isShortcut(event, host)) return
      event.preventDefault()
      if (box instanceof HTMLDialogElement && box.open) return close()
      const selection = hasSelection ? selectedText(host) : undefined
      if (selection) panel.attach(selection)
      open()
    },
    { signal },
  )
  isSmall.addEventListener('change', () => box instanceof HTMLDialogElement && box.open && show(), { signal })
  addEventListener(
    'online',
    () => {
      if (conversation.exchanges.at(-1)?.problem?.kind === 'offline') conversation.retry()
    },
    { signal },
  )
  const unfollow = followTheme(options.theme, (scheme) => root.setAttribute('data-scheme', scheme))

  panel.changed(undefined)
  conversation.resume()
  if (options.inline) panel.begin()
  else if (history.isOpen() && !isSmall.matches && box instanceof HTMLDialogElement) {
    // The focus is the page's: nobody has pressed anything here.
    const { activeElement } = document
    box.show()
    launcher.setAttribute('aria-expanded', 'true')
    if (activeElement instanceof HTMLElement && activeElement !== document.body) activeElement.focus()
    else host.blur()
    panel.begin()
  }
  return {
    open,
    close,
    ask(question) {
      if (!options.inline) open()
      if (conversation.isBusy()) conversation.stop()
      conversation.ask({ text: question })
      events.emit('asked', { question })
    },
    on: events.on,
    stop() {
      stopper.abort()
      conversation.leave()
      about.stop()
      unfollow()
    },
  }
}
