// Shows the request that a form makes while somebody fills it in. Without this file its button does.
import { fetchPage } from './fetch-page.js'
import { morphPage } from './morph-page.js'

let timer

document.addEventListener('input', (event) => {
  const form = event.target instanceof Element ? event.target.closest('form[data-compose]') : null
  if (!form) return
  clearTimeout(timer)
  timer = setTimeout(() => void compose(form), 300)
})

async function compose(form) {
  const address = `${form.getAttribute('action')}?${new URLSearchParams(new FormData(form)).toString()}`
  try {
    const { page, isFine } = await fetchPage(address)
    if (isFine) morphPage(page)
  } catch {
    // The button of the form still works.
  }
}
