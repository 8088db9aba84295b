// Everything works without this file: it copies, asks before what cannot be undone, and keeps live pages fresh.
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
})

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
  const typed = [...main.querySelectorAll('textarea')].some((field) => field.value !== field.defaultValue)
  const selected = String(getSelection()) !== ''
  return (
    typed ||
    selected ||
    (main.contains(document.activeElement) && document.activeElement.matches('input,textarea,select'))
  )
}

setTimeout(() => void refresh(), 3000)
