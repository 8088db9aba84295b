// Everything on a page with a review works without this file: it opens forms in place, keeps the place on the page
// when one is sent, and moves between files and changes by keys.
import { fetchAgain, namesShown, postForm, readPage } from './fetch-page.js'
import { morphPage } from './morph-page.js'
import { problemOf } from './problems.js'
import { renewPart } from './review.js'

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
  void openPlace(link)
})

document.addEventListener('submit', (event) => {
  const form = event.target instanceof HTMLFormElement ? event.target : null
  if (event.defaultPrevented || !form?.closest('[data-in-place]')) return
  event.preventDefault()
  void send(form)
})

async function openPlace(link) {
  const part = link.closest('.review-part')
  // Also what was typed into a form that is cancelled.
  for (const form of document.querySelectorAll('.comment-form')) form.reset()
  const isOpen = part ? await openInPart(link, part) : await openOnPage(link)
  if (!isOpen) {
    location.assign(link.href)
    return
  }
  const field = document.querySelector('.comment-form textarea')
  // A file that was viewed is folded.
  field?.closest('.review-file > details')?.setAttribute('open', '')
  field?.focus()
}

async function openInPart(link, part) {
  const place = part.closest('.review-file')
  leave(link)
  const others = [...document.querySelectorAll('.comment-form')].filter((form) => !part.contains(form))
  if (!(await renewPart(part, link.href))) return false
  history.replaceState(null, '', link.href.split('#', 1)[0])
  // A form that is open at another place makes room.
  for (const form of others) {
    const other = form.closest('.review-part')
    if (other) await renewPart(other)
    else form.remove()
  }
  if (document.activeElement === document.body) focusPart(place.contains(current) ? current : place)
  return true
}

async function openOnPage(link) {
  const answer = await fetchAgain(link.href).catch(() => undefined)
  if (!answer?.isFine) return false
  showPage(link, answer.page, link.href.split('#', 1)[0])
  return true
}

function leave(pressed) {
  const focused = document.activeElement
  if (pressed.contains(focused) || focused.closest('.comment-form')) focused.blur()
}

async function send(form) {
  const button = form.querySelector('button:not([type="button"])')
  form.querySelector('[data-problem]')?.remove()
  button.disabled = true
  const known = new Set(remarks())
  const place = form.closest('.review-file')
  const path = form.matches('[data-view-mark]') ? form.elements.path.value : undefined
  const answer = await postForm(form, { headers: namesShown() })
    .then(readPage)
    .catch(() => undefined)
  button.disabled = false
  if (answer?.isFine) {
    const part = form.closest('.review-part')
    form.reset()
    // First the lines: the page then knows what stands there.
    history.replaceState(null, '', answer.url)
    leave(form)
    const isRenewed = part?.isConnected === true && (await renewPart(part))
    const again = isRenewed ? await fetchAgain().catch(() => undefined) : undefined
    showPage(form, again?.isFine ? again.page : answer.page, answer.url)
    focusNew(known, place)
    if (path !== undefined) fold(path)
    return
  }
  form.prepend(problemOf(answer))
}

/**
 * The page as it is now, at the same place. What is open of the files stays.
 * @param pressed the link or form that has led to it
 */
function showPage(pressed, page, address) {
  history.replaceState(null, '', address)
  leave(pressed)
  pressed.closest('.review-content')?.setAttribute('data-keep', '')
  const seen = files().find((file) => file.getBoundingClientRect().bottom > 0)
  const before = seen?.getBoundingClientRect().top
  morphPage(page)
  if (seen?.isConnected) scrollBy({ top: seen.getBoundingClientRect().top - before, behavior: 'instant' })
}

/** Who has pressed a button that is gone goes on from what came of it. */
function focusNew(known, place) {
  if (document.activeElement !== document.body) return
  const left = place?.contains(current) ? current : place
  focusPart(remarks().find((one) => !known.has(one)) ?? left)
}

function focusPart(part) {
  part?.setAttribute('tabindex', '-1')
  part?.focus({ preventScroll: true })
}

function fold(path) {
  const file = files().find(({ dataset }) => dataset.path === path)
  const details = file?.querySelector('details')
  if (details) details.open = file.querySelector('[data-view-mark] [aria-pressed=true]') === null
  file?.querySelector('[data-view-mark] button')?.focus({ preventScroll: true })
  file?.scrollIntoView({ block: 'nearest' })
}

const files = () => [...document.querySelectorAll('.review-file')]
const remarks = () => [...document.querySelectorAll('.review-file .remark')]
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
    const part = current?.isConnected ? current : (changes()[0] ?? document.querySelector('[data-change]'))
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
  const isBeyond = current?.isConnected
    ? (part) => (current.compareDocumentPosition(part) & (by > 0 ? following : preceding)) !== 0
    : (part) => (part.getBoundingClientRect().top - 80) * by > 0
  const next = by > 0 ? parts.find(isBeyond) : parts.findLast(isBeyond)
  if (next) choose(next)
}

const { DOCUMENT_POSITION_FOLLOWING: following, DOCUMENT_POSITION_PRECEDING: preceding } = Node

function choose(part) {
  document.querySelector('.current')?.classList.remove('current')
  current = part
  part.classList.add('current')
  focusPart(part)
  part.scrollIntoView({ block: part.matches('.review-file') ? 'start' : 'center' })
}

// A page that comes new knows nothing of it.
document.addEventListener('morphed', () => {
  if (current?.isConnected === false) current = document.getElementById(current.id)
  if (!current) return
  current.classList.add('current')
  current.setAttribute('tabindex', '-1')
})

function currentFile() {
  return current?.isConnected ? current.closest('.review-file') : undefined
}

function goTo(selector) {
  const part = document.querySelector(selector)
  part?.scrollIntoView({ block: 'center' })
  const field = part?.querySelector('button,textarea,input:not([type=hidden])') ?? part?.querySelector('a')
  field?.focus({ preventScroll: true })
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
