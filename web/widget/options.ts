/** What a site sets, as attributes of the element, or as `data-` attributes of the script. */
export interface Options {
  /** Address of the Docwright server; where the script came from when absent. */
  server?: string | undefined
  /** Domain of the project. */
  domain: string
  /** A public assistant key. */
  key?: string | undefined
  /** Token of the session, on the server's own pages. */
  csrf?: string | undefined
  /** Stands in the page, without a button to open it. */
  inline?: boolean | undefined
  /** One of the languages of the widget; the page's or the browser's when absent. */
  lang?: string | undefined
  /** `light`, `dark`, or `auto`: as the page says, or the system. */
  theme?: string | undefined
  /** A colour for buttons and links, as CSS writes it. */
  accent?: string | undefined
  /** `start` or `end`: the side of the page on which the button is. */
  position?: string | undefined
  /** Keys that open it, such as `ctrl+i`; `off` for none. */
  shortcut?: string | undefined
  /** `off`: no button beside selected text. */
  selection?: string | undefined
  /** `text`, or `text images` where the project takes images: readers may attach files. */
  files?: string | undefined
  /** Above the conversation. */
  heading?: string | undefined
  /** Text of the button. */
  label?: string | undefined
  /** Who asks, for the conversations on the server: `anonymous` when absent. */
  fp?: string | undefined
  /** For pages whose policy allows style sheets by nonce only, in browsers without constructable ones. */
  nonce?: string | undefined
}

const names = [
  'server',
  'domain',
  'key',
  'csrf',
  'lang',
  'theme',
  'accent',
  'position',
  'shortcut',
  'selection',
  'files',
  'heading',
  'label',
  'fp',
  'nonce',
] as const satisfies readonly (keyof Options)[]

/** Frameworks keep `key` of elements for themselves. */
const keyName = 'assistant-key'

/** The options that an element or a script has. @param prefix `data-` for scripts */
export function readOptions(from: Element, prefix: '' | 'data-' = ''): Options {
  const given: Partial<Options> = {}
  for (const name of names) {
    const value = from.getAttribute(`${prefix}${name}`)
    if (value !== null && value !== '') given[name] = value
  }
  given.key ??= from.getAttribute(`${prefix}${keyName}`) ?? undefined
  return { ...given, domain: given.domain ?? '', inline: from.hasAttribute(`${prefix}inline`) }
}

export function writeOptions(to: Element, options: Options): void {
  for (const name of names) {
    const value = options[name]
    if (value !== undefined) to.setAttribute(name === 'key' ? keyName : name, value)
  }
  to.toggleAttribute('inline', options.inline === true)
}
