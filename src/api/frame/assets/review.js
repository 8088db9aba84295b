// Opens files of a change, and more of their lines, in place. Without this file each link leads to a page that shows the
// same.
import { addressOf } from './address.js'
import { fetchPage } from './fetch-page.js'
import { morphPart } from './morph-page.js'

const waiting = new Set()
let busy = false

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
  const link = event.target instanceof Element ? event.target.closest('a[data-review]') : null
  if (!link) return
  event.preventDefault()
  void open(link)
})

// A file that somebody unfolds and that has not come yet. Browsers tell of `toggle` for each part that is open from the
// beginning, too.
document.addEventListener('click', ({ target }) => {
  const details = target instanceof Element ? target.closest('summary')?.parentElement : null
  const link = details?.open === false ? details.querySelector('.review-unopened a') : null
  if (link && details.parentElement.matches('.review-file')) void open(link)
})

async function open(link) {
  const section = link.closest('.review-file')
  if (!section || link.getAttribute('aria-busy') === 'true') return
  link.setAttribute('aria-busy', 'true')
  const fresh = await read(link.href)
  if (!fresh) {
    link.removeAttribute('aria-busy')
    // The page that the link leads to says what is wrong.
    location.assign(link.href)
    return
  }
  const hasFocus = document.activeElement === link
  if (link.dataset.review === 'more') append(link, fresh)
  else replace(section, fresh)
  if (hasFocus && !section.contains(document.activeElement)) section.querySelector('summary')?.focus()
}

async function read(address) {
  const url = new URL(address, location.href)
  url.searchParams.set('alone', '1')
  try {
    const { page, isFine } = await fetchPage(url)
    return isFine ? page.querySelector('.review-file') : null
  } catch {
    return null
  }
}

/**
 * Brings a part of a file up to date, without the rest of the page.
 * @param link an address whose form is open in it
 * @returns whether it came
 */
export async function renewPart(part, link) {
  const address = new URL(addressOf(part.dataset.part))
  const { searchParams: wanted } = new URL(link ?? location.href)
  for (const name of ['comment', 'edit'])
    if (wanted.has(name)) address.searchParams.set(name, wanted.get(name))
  const fresh = await read(address)
  if (!fresh || !part.isConnected) return false
  const section = part.closest('.review-file')
  const next = fresh.querySelector('.review-part')
  if (!next) {
    replace(section, fresh)
    return true
  }
  delete part.dataset.stale
  // The file may have got longer behind its last part.
  if (!part.nextElementSibling?.matches('.review-part')) {
    section.querySelector('.review-more')?.remove()
    part.after(...fresh.querySelectorAll('.review-more'))
  }
  section.querySelector('.review-content').setAttribute('data-keep', '')
  // What a person has selected is brought up to date with the next change.
  if (morphPart(part, next)) part.dataset.stale = ''
  return true
}

// What somebody looks at stays in its place when a file above it opens.
function keepPlace(change) {
  const seen = [...document.querySelectorAll('.review-file')].find(
    (one) => one.getBoundingClientRect().top >= 0,
  )
  const before = seen?.getBoundingClientRect().top ?? 0
  change()
  const after = seen?.getBoundingClientRect().top ?? 0
  if (seen && before < innerHeight) scrollBy({ top: after - before, behavior: 'instant' })
}

// Only what stands below the heading is replaced: somebody may be about to press a button in it.
function replace(section, fresh) {
  const content = fresh.querySelector('.review-content')
  section.querySelector('.review-content').replaceWith(content)
  const [tool, other] = [section, fresh].map((one) => one.querySelector('.review-as'))
  if (tool && other) tool.replaceWith(other)
  else if (other) section.querySelector('.review-tools')?.prepend(other)
  section.dataset.version = fresh.dataset.version
  section.querySelector('details').open = true
  for (const part of [content, other]) part?.setAttribute('data-keep', '')
}

// A live page that changes leaves what was opened here as it is, because it comes without it. Where it has become
// another, each part is asked for again as soon as it is seen.
document.addEventListener('morphed', () => {
  for (const content of document.querySelectorAll('.review-content[data-printed]')) {
    const section = content.closest('.review-file')
    if (section.dataset.version === content.dataset.printed) continue
    content.dataset.printed = section.dataset.version
    const parts = content.querySelectorAll('.review-part')
    for (const part of parts) {
      part.dataset.stale = ''
      seen.unobserve(part)
      seen.observe(part)
    }
    if (parts.length === 0) void renew(section, content)
  }
})

const seen = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries)
    if (isIntersecting && target.dataset.stale !== undefined) {
      delete target.dataset.stale
      void renewPart(target)
    }
})

async function renew(section, content) {
  const address = new URL(location.href)
  const query = new URLSearchParams({ file: section.dataset.path })
  if (address.searchParams.has('token')) query.set('token', address.searchParams.get('token'))
  address.search = query.toString()
  const fresh = await read(address.href)
  if (fresh && content.isConnected) replace(section, fresh)
}

function append(link, fresh) {
  const row = link.closest('.review-more')
  const rows = [...(fresh.querySelector('.review-rows')?.children ?? [])]
  const section = row.closest('.review-file')
  row.replaceWith(...rows.filter((one) => !one.matches('.review-earlier')))
  section.querySelector('.review-content').setAttribute('data-keep', '')
}

// Files open by themselves when they are about to be seen, one after the other.
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) waiting.add(target)
      else waiting.delete(target)
    }
    void next()
  },
  { rootMargin: '400px' },
)

async function next() {
  if (busy) return
  busy = true
  while (waiting.size > 0) {
    const [section] = waiting
    waiting.delete(section)
    const link = section.querySelector('.review-unopened a')
    if (!link || section.dataset.viewed !== undefined) continue
    const fresh = await read(link.href)
    if (!fresh) continue
    if (link.isConnected) keepPlace(() => replace(section, fresh))
    // The page has changed meanwhile, and the observer does not tell again of what stays in sight.
    else if (section.isConnected) waiting.add(section)
  }
  busy = false
}

function watch() {
  for (const section of document.querySelectorAll('.review-file')) {
    if (section.querySelector('.review-unopened')) observer.observe(section)
  }
}

watch()
// A live page may bring new files.
new MutationObserver(watch).observe(document.body, { childList: true, subtree: true })
