import { mountAssistant, defineAssistant, type Mounted } from './assistant-element.ts'
import { readOptions } from './options.ts'

/** What pages call: `docwright.push(['ask', '…'])` works before this script is there, too. */
interface Api extends Omit<Mounted, 'element' | 'remove'> {
  push(call: readonly unknown[]): void
}

interface Page {
  docwright?: unknown
}

const script =
  document.currentScript instanceof HTMLScriptElement
    ? document.currentScript
    : // Some frameworks add scripts in a way that browsers do not name them.
      document.querySelector<HTMLScriptElement>('script[src*="/widget.js"][data-domain]')
const home = (script?.src ?? location.href).replace(/\/widget\.js.*/, '')

function start(): void {
  defineAssistant(home)
  const page = window as Page
  const isThere = typeof page.docwright === 'object' && page.docwright !== null && 'ask' in page.docwright
  if (!script?.dataset['domain']) return
  // The same script twice, as some frameworks add it, is one assistant.
  const options = readOptions(script, 'data-')
  const twin = [...document.querySelectorAll('docwright-assistant:not([inline])')].some(
    (element) => element.getAttribute('domain') === options.domain,
  )
  if (isThere && twin) return
  const nonce = options.nonce ?? script.nonce
  const mounted = mountAssistant(home, { ...options, ...(nonce && { nonce }) })
  keep(mounted.element)
  if (isThere) return
  const waiting: unknown[] = Array.isArray(page.docwright) ? page.docwright : []
  const { element: _element, remove: _remove, ...handle } = mounted
  const api: Api = {
    ...handle,
    push(call) {
      const [name, ...given] = [...call] as [keyof typeof handle, ...never[]]
      const method = handle[name] as ((...given: never[]) => unknown) | undefined
      method?.(...given)
    },
  }
  page.docwright = api
  for (const call of waiting) if (Array.isArray(call)) api.push(call)
}

/** Sites that replace the whole body between pages keep the assistant. */
function keep(element: HTMLElement): void {
  new MutationObserver(() => {
    if (!element.isConnected) document.body?.append(element)
  }).observe(document.documentElement, { childList: true })
}

if (document.body) start()
else document.addEventListener('DOMContentLoaded', start, { once: true })
