// A page of documentation: what a search finds shows while one types, and the navigation stands at the page. Without this file the
// search is a form.
const pause = 120

const navigation = document.querySelector('.docs .pages')
const here = navigation?.querySelector('[aria-current]')
if (here) navigation.scrollTop = here.offsetTop - navigation.clientHeight / 2

const form = document.querySelector('.docs-bar .search')
const field = form?.querySelector('input')
if (field) listenTo(form, field)

const article = document.querySelector('article[data-change]')
if (article) offerChanges(article)

/** A link beside what somebody selects in the page: a job about that text. */
function offerChanges(page) {
  const link = Object.assign(document.createElement('a'), {
    className: 'button change-this',
    textContent: 'Change this',
    hidden: true,
  })
  page.append(link)
  const mostCharacters = 2000
  const hide = () => {
    link.hidden = true
  }
  // Its own words are no text of the page.
  link.style.userSelect = 'none'
  const offer = () => {
    const selection = getSelection()
    const range = selection && !selection.isCollapsed ? selection.getRangeAt(0) : undefined
    const text = selection?.toString().trim() ?? ''
    if (!range || !page.contains(range.commonAncestorContainer) || text.length < 3) return hide()
    const before = [...page.querySelectorAll('h2,h3,h4,h5,h6')].filter(
      (heading) => range.comparePoint(heading, 0) < 0,
    )
    const section = before.at(-1)?.firstChild?.textContent?.trim() ?? ''
    const about = new URLSearchParams({ quote: text.slice(0, mostCharacters), ...(section && { section }) })
    link.href = `${page.dataset.change}&${about}`
    link.hidden = false
    const place = range.getBoundingClientRect()
    const above = place.top - link.offsetHeight - 8
    link.style.top = `${scrollY + (above > 64 ? above : place.bottom + 8)}px`
    link.style.left = `${Math.max(8, Math.min(place.right - link.offsetWidth, innerWidth - link.offsetWidth - 16))}px`
  }
  let timer
  document.addEventListener('selectionchange', () => {
    clearTimeout(timer)
    timer = setTimeout(offer, 250)
  })
  // The selection would go with the press.
  link.addEventListener('pointerdown', (event) => event.preventDefault())
  addEventListener('resize', hide)
}

function listenTo(form, field) {
  const box = Object.assign(document.createElement('div'), {
    className: 'search-results',
    hidden: true,
    id: 'found',
  })
  form.append(box)
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
  }))
    field.setAttribute(name, value)
  let timer
  let asked = 0

  const show = (isOpen) => {
    box.hidden = !isOpen
    field.setAttribute('aria-expanded', String(isOpen))
    if (!isOpen) field.removeAttribute('aria-activedescendant')
  }
  const choices = () => [...box.querySelectorAll('[role=option]')]
  const choose = (choice) => {
    for (const one of choices()) one.setAttribute('aria-selected', String(one === choice))
    if (choice) field.setAttribute('aria-activedescendant', choice.id)
    else field.removeAttribute('aria-activedescendant')
    choice?.scrollIntoView({ block: 'nearest' })
  }
  const find = async () => {
    const query = field.value.trim()
    const turn = ++asked
    if (query.length < 2) return show(false)
    const response = await fetch(`${form.action}?${new URLSearchParams({ q: query, typing: '1' })}`).catch(
      () => undefined,
    )
    // What was typed meanwhile is asked for by itself; a search that is refused is left to the form.
    if (turn !== asked || !response?.ok) return
    box.innerHTML = await response.text()
    show(document.activeElement === field)
  }

  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void find(), pause)
  })
  field.addEventListener('focus', () => show(box.childElementCount > 0 && field.value.trim().length > 1))
  field.addEventListener('blur', () => setTimeout(() => show(false), 150))
  field.addEventListener('keydown', (event) => {
    const all = choices()
    const at = all.findIndex((one) => one.getAttribute('aria-selected') === 'true')
    if (event.key === 'Escape') show(false)
    else if (box.hidden || all.length === 0) return
    else if (event.key === 'ArrowDown') choose(all[(at + 1) % all.length])
    else if (event.key === 'ArrowUp') choose(all[(at - 1 + all.length) % all.length])
    else if (event.key === 'Enter' && at !== -1) location.assign(all[at].dataset.href)
    else return
    event.preventDefault()
  })
  box.addEventListener('mousedown', (event) => {
    const choice = event.target.closest('[role=option]')
    if (choice) location.assign(choice.dataset.href)
  })
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element &&
      event.target.closest('input, textarea, select, [contenteditable], docwright-assistant')
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    event.preventDefault()
    field.focus()
  })
}
