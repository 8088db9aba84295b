type Value = string | boolean | undefined | ((event: Event) => void)

/** Makes an element. Functions become listeners, `true` an empty attribute, `undefined` and `false` nothing. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, Value> = {},
  ...children: (Node | string | undefined)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  setAll(made, attributes)
  made.append(...children.filter((child) => child !== undefined))
  return made
}

function setAll(made: Element, attributes: Record<string, Value>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value)
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value)
  }
}

/** Sets an attribute, or removes it for `undefined`. */
export function setAttribute(made: Element, name: string, value: string | undefined): void {
  if (value === undefined) made.removeAttribute(name)
  else if (made.getAttribute(name) !== value) made.setAttribute(name, value)
}

/** Outlines on a grid of 24 by 24. */
const icons = {
  ask: 'M4 5.5h16v10.5h-8.5l-4.5 4v-4h-3zM8.2 9.3h7.6M8.2 12.3h4.8',
  close: 'M6 6l12 12M18 6L6 18',
  fresh: 'M4.5 12a7.5 7.5 0 1 0 2.4-5.5M4.5 4v4h4',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  copy: 'M9 9h10.5v10.5H9zM15 9V4.5H4.5V15H9',
  up: 'M7 11v8.5H4V11zM7 11l4-7c1.6 0 2.4 1.2 2.1 2.6L12.5 10h5.3c1.3 0 2.1 1 1.8 2.2l-1.3 5.6c-.2 1-1 1.7-2 1.7H7',
  down: 'M7 13V4.5H4V13zM7 13l4 7c1.6 0 2.4-1.2 2.1-2.6L12.5 14h5.3c1.3 0 2.1-1 1.8-2.2l-1.3-5.6c-.2-1-1-1.7-2-1.7H7',
  attach:
    'M18.5 11.5l-6.8 6.8a4 4 0 0 1-5.7-5.7l7.5-7.5a2.7 2.7 0 0 1 3.8 3.8l-7.5 7.5a1.3 1.3 0 0 1-1.9-1.9l6.7-6.7',
} as const

export type IconName = keyof typeof icons

export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  setAll(svg, { viewBox: '0 0 24 24', 'aria-hidden': 'true', class: 'icon' })
  const path = document.createElementNS(svg.namespaceURI, 'path')
  path.setAttribute('d', icons[name])
  svg.append(path)
  return svg
}

/** A button that shows only an icon, and says its name to everybody. */
export function iconButton(name: IconName, label: string, press: () => void): HTMLButtonElement {
  return element(
    'button',
    { type: 'button', class: 'round', 'aria-label': label, title: label, click: press },
    icon(name),
  )
}
