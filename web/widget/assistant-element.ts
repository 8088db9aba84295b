import { readOptions, writeOptions, type Options } from './options.ts'
import { createWidget, type Widget } from './view/widget.ts'

/** What a page can do with an assistant, whether the element is there or was mounted by a script. */
type AssistantHandle = Omit<Widget, 'stop'>

const tag = 'docwright-assistant'
/** Names of conversations in use: elements of one project on one page have conversations of their own. */
const taken = new Set<string>()

function takeName(wanted: string): string {
  let name = wanted
  for (let n = 2; taken.has(name); n++) name = `${wanted}:${n}`
  taken.add(name)
  return name
}

/** @param home the server that the script came from */
export function defineAssistant(home: string): void {
  if (customElements.get(tag)) return
  class AssistantElement extends HTMLElement implements AssistantHandle {
    #widget: Widget | undefined
    #name = ''
    readonly #shadow = this.attachShadow({ mode: 'open' })

    connectedCallback(): void {
      if (this.#widget) {
        taken.add(this.#name)
        return
      }
      const options = readOptions(this)
      if (options.domain === '') {
        console.error('Docwright: missing required attribute "domain" on <docwright-assistant>')
        return
      }
      const server = options.server ?? home
      this.#name = takeName(`docwright:${server}:${options.domain}${options.inline ? ':inline' : ''}`)
      this.#widget = createWidget(this, this.#shadow, { ...options, server }, this.#name)
    }

    disconnectedCallback(): void {
      taken.delete(this.#name)
      // Frameworks move elements: only one that stays away has ended.
      setTimeout(() => {
        if (this.isConnected) return
        this.#widget?.stop()
        this.#widget = undefined
        this.#shadow.replaceChildren()
      })
    }

    open(question?: string): void {
      this.#widget?.open(question)
    }

    close(): void {
      this.#widget?.close()
    }

    ask(question: string): void {
      this.#widget?.ask(question)
    }

    on: AssistantHandle['on'] = (name, listener) => this.#widget?.on(name, listener) ?? (() => undefined)
  }
  customElements.define(tag, AssistantElement)
}

export interface MountOptions extends Options {
  /** Where the element goes; the end of the page when absent. */
  target?: Element
}

export type Mounted = AssistantHandle & { element: HTMLElement; remove(): void }

/** Puts an assistant on the page. */
export function mountAssistant(home: string, { target, ...options }: MountOptions): Mounted {
  defineAssistant(home)
  const element = document.createElement(tag) as HTMLElement & AssistantHandle
  writeOptions(element, options)
  ;(target ?? document.body).append(element)
  return {
    element,
    open: (question) => element.open(question),
    close: () => element.close(),
    ask: (question) => element.ask(question),
    on: (name, listener) => element.on(name, listener),
    remove: () => element.remove(),
  }
}
