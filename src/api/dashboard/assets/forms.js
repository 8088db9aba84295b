// Forms work without this file: it asks before what cannot be undone, and keeps what was typed into a form that is
// refused.
import { fetchPage } from './fetch-page.js'

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
    const { page, isSignedOut, isFine, status, url } = await fetchPage(form.action, { method: 'POST', body })
    if (isFine) {
      location.assign(url)
      return
    }
    const problem = page.querySelector('[data-problem]')?.textContent
    const signIn =
      'You are signed out. Sign in again in another tab of this browser, then send this once more.'
    say(form, button, isSignedOut ? signIn : (problem ?? 'That did not work.'))
    // A form of an earlier session is refused: its token is the one of the present session next time.
    if (status === 403) await renewToken(form)
    else if (isSignedOut) addEventListener('focus', () => void renewToken(form), { once: true })
  } catch {
    say(form, button, 'The server cannot be reached. Nothing that you typed is lost: try again.')
  }
  button.disabled = false
  button.textContent = label
}

async function renewToken(form) {
  const fresh = (await fetchPage(location.href)).page.querySelector('[name=csrf]')
  if (fresh) form.elements.csrf.value = fresh.value
}

function say(form, button, message) {
  const problem = document.createElement('p')
  problem.className = 'failure'
  problem.setAttribute('role', 'alert')
  problem.setAttribute('data-problem', '')
  problem.textContent = message
  const place = button.closest('.buttons') ?? button
  place.before(problem)
}
