// Everything on a page with a review works without this file: it opens forms in place, keeps the place on the page
// when one is sent, and moves between files and changes by keys.

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a.review-comment,a[data-open]') : null
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  const open = document.querySelector('#comment-form textarea')
  // What somebody has written is not thrown away by a click beside another line.
  if (link.matches('.review-comment') && open && open.value !== open.defaultValue) {
    event.preventDefault()
    open.focus()
    return
  }
  event.preventDefault()
  void openPlace(link.href)
})

document.addEventListener('submit', (event) => {
  const form = event.target instanceof HTMLFormElement ? event.target : null
  if (event.defaultPrevented || !form?.closest('[data-in-place]')) return
  event.preventDefault()
  void send(form)
})

async function openPlace(href) {
  const page = await fetchPage(href).catch(() => undefined)
  if (!page?.ok) {
    location.assign(href)
    return
  }
  history.replaceState(null, '', href.split('#', 1)[0])
  showPage(page.content)
  document.querySelector('.comment-form textarea')?.focus()
}

async function send(form) {
  const button = form.querySelector('button:not([type="button"])')
  form.querySelector('[data-problem]')?.remove()
  button.disabled = true
  const path = form.matches('[data-view-mark]') ? form.elements.path.value : undefined
  try {
    const page = await fetchPage(form.action, {
      method: 'POST',
      body: new URLSearchParams(new FormData(form)),
    })
    if (page.ok && !page.isSignIn) {
      history.replaceState(null, '', page.url)
      showPage(page.content, form)
      if (path !== undefined) fold(path)
      return
    }
    const problem = page.content.querySelector('[data-problem]')?.textContent
    const signedOut =
      'You are signed out. Sign in again in another tab of this browser, then send this once more.'
    say(form, page.isSignIn ? signedOut : (problem ?? 'That did not work.'))
  } catch {
    say(form, 'The server cannot be reached. Nothing that you typed is lost: try again.')
  }
  button.disabled = false
}

async function fetchPage(address, options = {}) {
  const response = await fetch(address, { ...options, credentials: 'same-origin' })
  const content = new DOMParser().parseFromString(await response.text(), 'text/html')
  const isSignIn = new URL(response.url).pathname === '/sign-in'
  return { ok: response.ok, url: response.url, content, isSignIn }
}

// The page as it is now, at the same place: what is open stays open.
function showPage(page, sent) {
  const [main, fresh] = [document.querySelector('main'), page.querySelector('main')]
  if (!main || !fresh) return
  for (const item of main.querySelectorAll('details[data-key]')) {
    const twin = [...fresh.querySelectorAll('details[data-key]')].find(
      ({ dataset }) => dataset.key === item.dataset.key,
    )
    if (twin) twin.open = item.open
  }
  for (const file of files()) if (!sent || !file.contains(sent)) keepOpened(file, fresh)
  const seen = files().find((file) => file.getBoundingClientRect().bottom > 0)
  const before = seen?.getBoundingClientRect().top
  const top = scrollY
  main.replaceWith(fresh)
  const now = seen && document.getElementById(seen.id)
  const moved = now ? now.getBoundingClientRect().top - before : top - scrollY
  scrollBy({ top: moved, behavior: 'instant' })
}

// A file that was opened on demand is not in a page that comes new.
function keepOpened(file, fresh) {
  const twin = [...fresh.querySelectorAll('.review-file')].find(
    ({ dataset }) => dataset.path === file.dataset.path,
  )
  const isSame = twin?.dataset.version === file.dataset.version && twin.querySelector('.review-unopened')
  const content = file.querySelector('.review-content')
  if (isSame && content && !file.querySelector('.review-unopened'))
    twin.querySelector('.review-content').replaceWith(content.cloneNode(true))
}

function fold(path) {
  const file = files().find(({ dataset }) => dataset.path === path)
  const details = file?.querySelector('details')
  if (details) details.open = file.querySelector('[data-view-mark] [aria-pressed=true]') === null
  file?.querySelector('[data-view-mark] button')?.focus({ preventScroll: true })
  file?.scrollIntoView({ block: 'nearest' })
}

function say(form, message) {
  const problem = document.createElement('p')
  problem.className = 'failure'
  problem.setAttribute('role', 'alert')
  problem.setAttribute('data-problem', '')
  problem.textContent = message
  form.prepend(problem)
}

const files = () => [...document.querySelectorAll('.review-file')]
const changes = () => [...document.querySelectorAll('[data-change]')].filter((row) => row.checkVisibility())
let current

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
  if (event.key === 'Escape') {
    closeForm()
    return
  }
  const isTyping =
    event.target instanceof Element && event.target.closest('input,textarea,select,[contenteditable]')
  if (isTyping || !usesKeys()) return
  const act = acts[event.key]
  if (!act || !document.querySelector('.review-file')) return
  event.preventDefault()
  act()
})

const acts = {
  j: () => step(changes(), 1),
  k: () => step(changes(), -1),
  ']': () => step(files(), 1),
  '[': () => step(files(), -1),
  c: () => {
    const part = current?.isConnected ? current : changes()[0]
    const place = part?.matches('.review-file') ? part.querySelector('[data-change]') : part
    // Of a page before and after, the text after is meant.
    ;[...(place?.querySelectorAll('.review-comment') ?? [])].at(-1)?.click()
  },
  v: () => (currentFile() ?? files()[0])?.querySelector('[data-view-mark] button')?.click(),
  s: () => goTo('#send-comments'),
  m: () => goTo('#merge'),
  '?': () => {
    const keys = document.getElementById('review-keys')
    if (!keys) return
    keys.open = !keys.open
    if (keys.open) keys.querySelector('summary').focus()
  },
}

/** The next or previous of these, from the one that was chosen last or else from what is on the screen. */
function step(parts, by) {
  if (parts.length === 0) return
  const from = current?.isConnected ? parts.indexOf(current) : -1
  const next = from === -1 ? nearest(parts, by) : parts[from + by]
  if (next) choose(next)
}

function nearest(parts, by) {
  const edge = current?.isConnected ? current.getBoundingClientRect().top + by : 80
  const isBeyond = (part) => (part.getBoundingClientRect().top - edge) * by > 0
  return by > 0 ? parts.find(isBeyond) : parts.findLast(isBeyond)
}

function choose(part) {
  document.querySelector('.current')?.classList.remove('current')
  current = part
  part.classList.add('current')
  part.setAttribute('tabindex', '-1')
  part.focus({ preventScroll: true })
  part.scrollIntoView({ block: part.matches('.review-file') ? 'start' : 'center' })
}

function currentFile() {
  return current?.isConnected ? current.closest('.review-file') : undefined
}

function goTo(selector) {
  const part = document.querySelector(selector)
  part?.scrollIntoView({ block: 'center' })
  part?.querySelector('button,textarea,input:not([type=hidden]),a')?.focus({ preventScroll: true })
}

function closeForm() {
  const keys = document.getElementById('review-keys')
  if (keys?.open) {
    keys.open = false
    return
  }
  const form = document.activeElement?.closest('.comment-form')
  const text = form?.querySelector('textarea')
  if (text && text.value === text.defaultValue) form.querySelector('[data-open]')?.click()
}

const kept = 'docwright-review-keys'
function usesKeys() {
  return localStorage.getItem(kept) !== 'off'
}
document.addEventListener('change', (event) => {
  if (event.target instanceof HTMLInputElement && event.target.matches('[data-use-keys]'))
    localStorage.setItem(kept, event.target.checked ? 'on' : 'off')
})
const box = document.querySelector('[data-use-keys]')
if (box) box.checked = usesKeys()
