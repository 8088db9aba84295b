// Opens files of a change, and more of their lines, in place. Without this file each link leads to a page that shows the
// same.
const waiting = new Set()
let busy = false

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
  const link = event.target instanceof Element ? event.target.closest('a[data-review]') : null
  if (!link) return
  event.preventDefault()
  void open(link)
})

// A file that is unfolded and has not come yet.
document.addEventListener(
  'toggle',
  ({ target }) => {
    const link = target.open ? target.querySelector('.review-unopened a') : null
    if (link && target.parentElement.matches('.review-file')) void open(link)
  },
  true,
)

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
  tell(section)
}

async function read(address) {
  const url = new URL(address)
  url.searchParams.set('alone', '1')
  try {
    const response = await fetch(url, { credentials: 'same-origin' })
    if (!response.ok) return null
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return page.querySelector('.review-file')
  } catch {
    return null
  }
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
  section.querySelector('.review-content').replaceWith(fresh.querySelector('.review-content'))
  const [tool, other] = [section, fresh].map((one) => one.querySelector('.review-as'))
  if (tool && other) tool.replaceWith(other)
  else if (other) section.querySelector('.review-tools')?.prepend(other)
  section.dataset.version = fresh.dataset.version
  section.querySelector('details').open = true
  keep(section)
}

// A live page that changes leaves what was opened here, because it comes without it.
function keep(section) {
  const content = section.querySelector('.review-content')
  content.setAttribute('data-keep', section.dataset.version)
}

document.addEventListener('morphed', () => {
  for (const content of document.querySelectorAll('.review-content[data-keep]')) {
    const section = content.closest('.review-file')
    if (section.dataset.version !== content.dataset.keep) void renew(section)
  }
})

/** Shows the present version of a file that has changed meanwhile. */
async function renew(section) {
  const address = new URL(location.href)
  address.search = new URLSearchParams({ ...tokenOf(address), file: section.dataset.path }).toString()
  const fresh = await read(address.href)
  if (!fresh) return
  replace(section, fresh)
  tell(section)
}

function tokenOf({ searchParams }) {
  const token = searchParams.get('token')
  return token === null ? {} : { token }
}

function append(link, fresh) {
  const row = link.closest('.review-more')
  const rows = [...(fresh.querySelector('.review-rows')?.children ?? [])]
  const section = row.closest('.review-file')
  row.replaceWith(...rows.filter((one) => !one.matches('.review-earlier')))
  keep(section)
}

// Other scripts put marks on what has come.
function tell(section) {
  section.dataset.loaded = ''
  section.dispatchEvent(new CustomEvent('review-loaded', { bubbles: true }))
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
    if (!fresh || !link.isConnected) continue
    keepPlace(() => replace(section, fresh))
    tell(section)
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
