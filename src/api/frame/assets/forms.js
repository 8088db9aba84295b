// Forms work without this file: it asks before what cannot be undone, and keeps what was typed into a form that is
// refused.
import { postForm, readPage } from './fetch-page.js'
import { problemOf } from './problems.js'

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
  const answer = await postForm(form)
    .then(readPage)
    .catch(() => undefined)
  if (answer?.isFine) {
    // What was sent is no draft any more.
    form.reset()
    location.assign(answer.url)
    return
  }
  const place = button.closest('.buttons') ?? button
  place.before(problemOf(answer))
  button.disabled = false
  button.textContent = label
}
