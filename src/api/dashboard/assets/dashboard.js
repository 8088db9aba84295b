// Everything works without this file: it copies, asks before what cannot be undone, keeps live pages fresh, and keeps
// what was typed into a form that is refused.
document.documentElement.classList.add('js')

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('[data-copy]') : null
  const source = button?.parentElement?.querySelector('code')
  if (!button || !source) return
  void copy(source).then((copied) => {
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
})

document.addEventListener('submit', (event) => {
  const question = event.target instanceof Element ? event.target.getAttribute('data-confirm') : null
  // oxlint-disable-next-line no-alert
  if (question !== null && !confirm(question)) event.preventDefault()
  if (event.defaultPrevented || !event.target.matches('form[data-stay]')) return
  event.preventDefault()
  void send(event.target)
})

// The page stays until the form is taken: nothing that was typed is lost, and secrets do not come back with a page.
async function send(form) {
  const button = form.querySelector('button:not([type="button"])')
  const label = button.textContent
  form.querySelector('[data-problem]')?.remove()
  button.disabled = true
  button.textContent = form.dataset.stay
  try {
    const body = new URLSearchParams(new FormData(form))
    const response = await fetch(form.action, { method: 'POST', body, credentials: 'same-origin' })
    const isSignedOut = new URL(response.url).pathname === '/sign-in'
    if (response.ok && !isSignedOut) {
      location.assign(response.url)
      return
    }
    const problem = (await read(response)).querySelector('[data-problem]')?.textContent
    const signIn =
      'You are signed out. Sign in again in another tab of this browser, then send this once more.'
    say(form, button, isSignedOut ? signIn : (problem ?? 'That did not work.'))
    // A form of an earlier session is refused: its token is the one of the present session next time.
    if (response.status === 403) await renewToken(form)
    else if (isSignedOut) addEventListener('focus', () => void renewToken(form), { once: true })
  } catch {
    say(form, button, 'The server cannot be reached. Nothing that you typed is lost: try again.')
  }
  button.disabled = false
  button.textContent = label
}

async function renewToken(form) {
  const fresh = (await read(await fetch(location.href, { credentials: 'same-origin' }))).querySelector(
    '[name=csrf]',
  )
  if (fresh) form.elements.csrf.value = fresh.value
}

async function read(response) {
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

function say(form, button, message) {
  const problem = document.createElement('p')
  problem.className = 'failure'
  problem.setAttribute('role', 'alert')
  problem.setAttribute('data-problem', '')
  problem.textContent = message
  form.insertBefore(problem, button)
}

async function copy(source) {
  try {
    await navigator.clipboard.writeText(source.textContent)
    return true
  } catch {
    // Plain http on another machine: browsers give no clipboard, so the text is at least selected.
    const range = document.createRange()
    range.selectNodeContents(source)
    const selection = getSelection()
    selection.removeAllRanges()
    selection.addRange(range)
    return false
  }
}

async function refresh() {
  const main = document.querySelector('main[data-live]')
  if (!main) return
  const wait = Number(main.getAttribute('data-live'))
  if (document.visibilityState === 'visible' && !isSelecting()) {
    try {
      const response = await fetch(location.href, { credentials: 'same-origin' })
      const fresh = response.ok ? (await read(response)).querySelector('main') : null
      if (fresh && !isSelecting()) replace(main, fresh)
    } catch {
      // The server restarts, or the network is away: the next round tries again.
    }
  }
  setTimeout(() => void refresh(), wait)
}

function replace(main, fresh) {
  const open = new Set([...main.querySelectorAll('details[open][data-key]')].map((item) => item.dataset.key))
  for (const item of fresh.querySelectorAll('details[data-key]')) {
    if (open.has(item.dataset.key)) item.open = true
  }
  const used = [...main.querySelectorAll('form')].filter(isUsed)
  if (used.length === 0) {
    if (fresh.innerHTML === main.innerHTML) return
    const path = pathOf(main, document.activeElement)
    main.replaceWith(fresh)
    // Whoever works with the keyboard stays at the same button or link.
    path?.reduce((node, index) => node?.children[index], fresh)?.focus({ preventScroll: true })
    return
  }
  const [form, ...others] = used
  const twin = [...fresh.querySelectorAll('form')].find(({ action }) => action === form.action)
  // Nothing is taken from under somebody who writes.
  if (others.length === 0 && twin) replaceAround(form, twin, main, fresh)
}

// A form that is moved loses the focus and the place of the cursor, so that everything around it is replaced instead.
function replaceAround(form, twin, main, fresh) {
  let [old, next] = [main, fresh]
  while (old !== form && next !== twin) {
    const [kept, counterpart] = [childWith(old, form), childWith(next, twin)]
    const after = [...next.childNodes]
    const place = after.indexOf(counterpart)
    for (const side of ['previousSibling', 'nextSibling']) while (kept[side]) kept[side].remove()
    kept.before(...after.slice(0, place))
    kept.after(...after.slice(place + 1))
    ;[old, next] = [kept, counterpart]
  }
  if (!fresh.hasAttribute('data-live')) main.removeAttribute('data-live')
}

function childWith(parent, node) {
  return [...parent.childNodes].find((child) => child.contains(node))
}

// The places of an element and its parents among their siblings.
function pathOf(main, element) {
  if (!element || element === main || !main.contains(element)) return undefined
  const path = []
  for (let node = element; node !== main; node = node.parentElement)
    path.unshift([...node.parentElement.children].indexOf(node))
  return path
}

function isSelecting() {
  return String(getSelection()) !== '' && !document.activeElement?.matches('input,textarea')
}

function isUsed(form) {
  return (
    (form.contains(document.activeElement) && document.activeElement.matches('input,textarea,select')) ||
    [...form.querySelectorAll('input,textarea')].some(
      (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked,
    )
  )
}

setTimeout(() => void refresh(), 3000)
