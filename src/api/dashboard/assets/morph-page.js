// Brings a page up to date in place. What a person types, has opened, selects or looks at stays as it is.
import { Idiomorph } from './idiomorph.js'

/**
 * Changes `main` into that of a page that was fetched again. Other scripts hear of it by the event `morphed`.
 * @returns whether something was left as it was because a person has selected it
 */
export function morphPage(page) {
  const [main, fresh] = [document.querySelector('main'), page.querySelector('main')]
  if (!main || !fresh) return false
  for (const part of [main, fresh]) nameParts(part)
  const selected = selectedRange(main)
  let isHeld = false
  const hold = (node) => {
    const holds = selected?.intersectsNode(node) ?? false
    isHeld ||= holds
    return holds
  }
  Idiomorph.morph(main, fresh, {
    morphStyle: 'outerHTML',
    ignoreActiveValue: true,
    callbacks: {
      beforeNodeMorphed(node, next) {
        if (node instanceof Text) return node.data === next.data || !hold(node)
        return !(node instanceof Element) || !(isKept(node) || isUsed(node))
      },
      beforeNodeRemoved(node) {
        if (hold(node)) return false
        return (
          !(node instanceof Element) ||
          ![node, ...node.querySelectorAll('form,input,textarea,select,[data-keep]')].some(
            (part) => isKept(part) || isUsed(part),
          )
        )
      },
      beforeAttributeUpdated: (name, element) => !(name === 'open' && element.matches('details,dialog')),
    },
  })
  renewTokens(page)
  document.title = page.title
  document.dispatchEvent(new Event('morphed'))
  return isHeld
}

// Parts are recognised by their ids. Those that were opened and those that are written in get one by what they are.
function nameParts(main) {
  for (const part of main.querySelectorAll('[data-key]:not([id])')) part.setAttribute('id', part.dataset.key)
  const forms = [...main.querySelectorAll('form:not([id])')]
  for (const form of forms) {
    const name = form.getAttribute('action')
    if (forms.every((other) => other === form || other.getAttribute('action') !== name))
      form.setAttribute('id', `form ${name}`)
  }
}

function selectedRange(main) {
  const selection = getSelection()
  const range = selection?.isCollapsed === false ? selection.getRangeAt(0) : undefined
  return range && main.contains(range.commonAncestorContainer) ? range : undefined
}

function isKept(element) {
  return element.hasAttribute('data-keep')
}

/** Whether somebody writes in a form or field, has written in it, or it is being sent. */
function isUsed(element) {
  if (element instanceof HTMLFormElement)
    return [...element.elements].some((field) => isUsed(field) || (field.type === 'submit' && field.disabled))
  if (!element.matches('input:not([type=hidden]),textarea,select')) return false
  return (
    element === document.activeElement ||
    (element.matches('select')
      ? [...element.options].some(
          ({ selected, defaultSelected, index }) =>
            selected !== (hasDefault(element) ? defaultSelected : index === 0),
        )
      : element.value !== element.defaultValue || element.checked !== element.defaultChecked)
  )
}

function hasDefault({ options }) {
  return [...options].some(({ defaultSelected }) => defaultSelected)
}

// The session may be another one than when somebody began to write.
function renewTokens(page) {
  const token = page.querySelector('[name=csrf]')?.value
  if (token === undefined) return
  for (const field of document.querySelectorAll('input[name=csrf]')) field.value = token
}
