// Checks an address and a token without leaving the form, so that the token need not be typed again.
import { postForm, readPage } from './fetch-page.js'
import { problemOf } from './problems.js'

const form = document.getElementById('add-project')
const result = document.getElementById('check-result')

form?.querySelector('[data-check]')?.addEventListener('click', (event) => {
  event.preventDefault()
  const button = event.currentTarget
  if (!form.reportValidity() || button.disabled) return
  void check(button)
})

async function check(button) {
  const label = button.textContent
  button.disabled = true
  button.textContent = 'Checking…'
  form.querySelector('[data-problem]')?.remove()
  const answer = await postForm(form, { action: button.formAction })
    .then(readPage)
    .catch(() => undefined)
  const found = answer?.isFine ? answer.page.getElementById('check-result') : undefined
  found?.querySelector('[data-without-scripts]')?.remove()
  result.replaceChildren(...(found?.childNodes ?? [problemOf(answer)]))
  button.disabled = false
  button.textContent = label
}
