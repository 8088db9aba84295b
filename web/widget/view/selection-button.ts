import { element, icon } from '../dom.ts'
import type { Selection } from '../talk/exchange.ts'
import { currentPath } from '../talk/current-path.ts'
import type { Texts } from '../texts/en.ts'

const [shortest, longest] = [3, 4000]

/** The text that is selected in the page, outside of the widget and of fields. */
export function selectedText(host: Element): Selection | undefined {
  const selection = getSelection()
  const node = selection?.anchorNode
  if (!selection || !node || selection.isCollapsed || host.contains(node)) return undefined
  const place = node instanceof Element ? node : node.parentElement
  if (!place || place.closest('input, textarea, [contenteditable=""], [contenteditable=true]'))
    return undefined
  if (document.activeElement === host) return undefined
  const value = selection.toString().trim()
  if (value.length < shortest || value.length > longest) return undefined
  return {
    type: place.closest('pre, code') ? 'code' : 'textSelection',
    value,
    path: currentPath(),
  }
}

/** A small button beside what is selected in the page. */
export function createSelectionButton(
  host: Element,
  texts: Texts,
  take: (selection: Selection) => void,
): { node: HTMLElement; stop(): void } {
  const stopper = new AbortController()
  const options = { signal: stopper.signal, passive: true }
  let timer: ReturnType<typeof setTimeout> | undefined
  let isPressed = false
  const node = element(
    'button',
    {
      type: 'button',
      class: 'about',
      hidden: true,
      // The selection would go with the press.
      pointerdown: (event) => event.preventDefault(),
      click: () => {
        const selection = selectedText(host)
        node.hidden = true
        if (selection) take(selection)
      },
    },
    icon('ask'),
    texts.selection,
  )
  const hide = (): void => {
    node.hidden = true
  }
  const show = (): void => {
    const range = selectedText(host) ? getSelection()?.getRangeAt(0) : undefined
    const place = range?.getBoundingClientRect()
    if (isPressed || !place || place.bottom < 0 || place.top > innerHeight) return hide()
    node.hidden = false
    const { width, height } = node.getBoundingClientRect()
    const below = place.bottom + height + 12 < innerHeight
    node.style.top = `${below ? place.bottom + 8 : Math.max(8, place.top - height - 8)}px`
    node.style.left = `${Math.max(8, Math.min(place.left, innerWidth - width - 8))}px`
  }
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(show, 250)
  }
  document.addEventListener('selectionchange', soon, options)
  document.addEventListener('pointerdown', () => (isPressed = true), options)
  document.addEventListener(
    'pointerup',
    () => {
      isPressed = false
      soon()
    },
    options,
  )
  document.addEventListener('pointercancel', () => (isPressed = false), options)
  addEventListener('scroll', hide, { ...options, capture: true })
  addEventListener('resize', hide, options)
  return {
    node,
    stop: () => {
      clearTimeout(timer)
      stopper.abort()
    },
  }
}
