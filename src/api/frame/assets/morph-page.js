// Brings a page up to date in place. What a person types, has opened, selects or looks at stays as it is.
import { Idiomorph } from './idiomorph.js'

/**
 * Changes `main` into that of a page that was fetched again. Other scripts hear of it by the event `morphed`.
 * @returns whether something was left as it was because a person has selected it
 */
export function morphPage(page) {
  const [main, fresh] = [document.querySelector('main'), page.querySelector('main')]
  if (!main || !fresh) return false
  const isHeld = morphPart(main, fresh)
  renewTokens(page)
  document.title = page.title
  document.dispatchEvent(new Event('morphed'))
  return isHeld
}

/** The same for a part of the page. */
export function morphPart(part, fresh) {
  for (const one of [part, fresh]) nameParts(one)
  const selected = selectedRange(part)
  const focused = pathTo(document.activeElement, part)
  let isHeld = false
  const hold = (node) => {
    const holds = selected?.intersectsNode(node) ?? false
    isHeld ||= holds
    return holds
  }
  Idiomorph.morph(part, fresh, {
    morphStyle: 'outerHTML',
    callbacks: {
      beforeNodeMorphed(node, next) {
        if (node instanceof Text) return node.data === next.data || !hold(node)
        if (!(node instanceof Element)) return true
        return !(isSame(next) || isKept(node, next) || isUsed(node) || node.isEqualNode(next))
      },
      beforeNodeRemoved(node) {
        if (hold(node)) return false
        return (
          !(node instanceof Element) ||
          ![node, ...node.querySelectorAll('form,input,textarea,select,[data-keep]')].some(
            (one) => isKept(one) || isUsed(one),
          )
        )
      },
      beforeAttributeUpdated: (name, element) => !(name === 'open' && element.matches('details,dialog')),
    },
  })
  // With more of the page, another form may be the same.
  for (const form of part.querySelectorAll(`form[id^="${formName}"]`)) form.removeAttribute('id')
  keepFocus(focused)
  return isHeld
}

/** An element with those around it within a part, the innermost first. */
function pathTo(element, part) {
  if (!part.contains(element)) return []
  return element === part ? [part] : [element, ...pathTo(element.parentElement, part)]
}

// Where a button is gone that somebody has reached with the keyboard, they go on from the same place.
function keepFocus([focused, ...around]) {
  if (!focused || focused.isConnected) return
  const near = around.find(({ isConnected }) => isConnected)
  near?.setAttribute('tabindex', '-1')
  near?.focus({ preventScroll: true })
}

/** What the ids of forms begin with while a part is changed. */
const formName = 'form '

// Parts are recognised by their ids. Those that were opened and those that are written in get one by what they are.
function nameParts(part) {
  for (const one of part.querySelectorAll('[data-key]:not([id])')) one.setAttribute('id', one.dataset.key)
  const forms = [...part.querySelectorAll('form:not([id])')]
  for (const form of forms) {
    const name = form.getAttribute('action')
    if (forms.every((other) => other === form || other.getAttribute('action') !== name))
      form.setAttribute('id', `${formName}${name}`)
  }
}

function selectedRange(part) {
  const selection = getSelection()
  const range = selection?.isCollapsed === false ? selection.getRangeAt(0) : undefined
  return range && part.contains(range.commonAncestorContainer) ? range : undefined
}

/** What has not changed comes empty, because the browser has said that it shows it. */
function isSame(next) {
  return next.hasAttribute('data-same')
}

/** What was fetched on demand is not in a page that comes without it. */
function isKept(element, next) {
  return (
    element.hasAttribute('data-keep') ||
    (next !== undefined && element.hasAttribute('data-printed') && !next.hasAttribute('data-printed'))
  )
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
