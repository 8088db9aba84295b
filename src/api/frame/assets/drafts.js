// What somebody has typed into a long field and not sent is there again when the page is, in this tab alone. Browsers do
// not keep it themselves, because no page may stay in their cache.

/** The lines that a comment is about stand in the address. */
const keyOf = ({ id }) =>
  `docwright-draft ${location.pathname} ${new URLSearchParams(location.search).get('comment') ?? ''} ${id}`
const fields = () => document.querySelectorAll('textarea[data-draft]')

addEventListener('pagehide', () => {
  for (const field of fields())
    if (field.value !== field.defaultValue) sessionStorage.setItem(keyOf(field), field.value)
    // Some browsers bring back a page as it was left, with what is kept of it.
    else sessionStorage.removeItem(keyOf(field))
})

for (const field of fields()) {
  const typed = sessionStorage.getItem(keyOf(field))
  sessionStorage.removeItem(keyOf(field))
  if (typed !== null && field.value === field.defaultValue) field.value = typed
}
