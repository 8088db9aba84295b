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

// Secrets do not come back with a page, so the page stays until the form is taken.
async function send(form) {
  const button = form.querySelector('button:not([type="button"])')
  const label = button.textContent
  form.querySelector('[data-problem]')?.remove()
  button.disabled = true
  button.textContent = form.dataset.stay
  try {
    const body = new URLSearchParams(new FormData(form))
    const response = await fetch(form.action, { method: 'POST', body, credentials: 'same-origin' })
    if (response.ok) {
      location.assign(response.url)
      return
    }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    say(form, button, page.querySelector('[data-problem]')?.textContent ?? 'That did not work.')
  } catch {
    say(form, button, 'The server cannot be reached. Nothing that you typed is lost: try again.')
  }
  button.disabled = false
  button.textContent = label
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
  if (document.visibilityState === 'visible' && !isBusy(main)) {
    try {
      const response = await fetch(location.href, { credentials: 'same-origin' })
      const fresh = response.ok
        ? new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main')
        : null
      if (fresh && !isBusy(main)) replace(main, fresh)
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
  if (fresh.innerHTML !== main.innerHTML) main.replaceWith(fresh)
}

// Nothing is taken from under somebody who writes or selects.
function isBusy(main) {
  const typed = [...main.querySelectorAll('input,textarea')].some(
    (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked,
  )
  const selected = String(getSelection()) !== ''
  return (
    typed ||
    selected ||
    (main.contains(document.activeElement) && document.activeElement.matches('input,textarea,select'))
  )
}

setTimeout(() => void refresh(), 3000)
