// Forms work without this file: it asks before what cannot be undone, and keeps what was typed into a form that is
// refused.
import { postForm, readPage } from './fetch-page.js'
import { problemOf } from './problems.js'

document.addEventListener('submit', (event) => {
  const form = event.target
  if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return
  const question = form.dataset.confirm
  if (question !== undefined && !confirmed.delete(form)) {
    event.preventDefault()
    ask(question, event.submitter, () => {
      confirmed.add(form)
      form.requestSubmit(event.submitter)
    })
    return
  }
  if (!form.matches('[data-stay]')) return
  event.preventDefault()
  void send(form)
})

/** Forms whose question was answered with yes. */
const confirmed = new WeakSet()

function ask(question, button, onYes) {
  const dialog = Object.assign(document.createElement('dialog'), { className: 'dialog' })
  const text = Object.assign(document.createElement('p'), { textContent: question, id: 'dialog-text' })
  const yes = Object.assign(document.createElement('button'), {
    type: 'button',
    textContent: button?.textContent.trim() || 'OK',
    className: button?.matches('.danger') ? 'danger confirm' : 'primary confirm',
  })
  const no = Object.assign(document.createElement('button'), { type: 'button', textContent: 'Cancel' })
  const buttons = Object.assign(document.createElement('div'), { className: 'buttons' })
  buttons.append(no, yes)
  dialog.append(text, buttons)
  dialog.setAttribute('aria-labelledby', text.id)
  document.body.append(dialog)
  dialog.addEventListener('close', () => dialog.remove())
  no.addEventListener('click', () => dialog.close())
  yes.addEventListener('click', () => {
    dialog.close()
    onYes()
  })
  dialog.showModal()
}

// Ctrl+Enter sends the form that somebody types into.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
  const form = event.target instanceof Element ? event.target.closest('form') : null
  const button = form?.querySelector('button:not([type="button"])')
  if (!button || button.disabled) return
  event.preventDefault()
  form.requestSubmit(button)
})

// The page stays until the form is taken: nothing that was typed is lost, and secrets do not come back with a page.
async function send(form) {
  const button = form.querySelector('button:not([type="button"])')
  const label = button.textContent
  form.querySelector('[data-problem]')?.remove()
  button.disabled = true
  button.ariaBusy = 'true'
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
  button.ariaBusy = null
  button.textContent = label
}
