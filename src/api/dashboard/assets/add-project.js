// Checks an address and a token without leaving the form, so that the token need not be typed again.
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
  try {
    const response = await fetch(button.formAction, {
      method: 'POST',
      body: new URLSearchParams(new FormData(form)),
      credentials: 'same-origin',
    })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const found = page.getElementById('check-result')
    found?.querySelector('[data-without-scripts]')?.remove()
    const problem = page.querySelector('[data-problem]')
    if (new URL(response.url).pathname === '/sign-in')
      say('You are signed out. Sign in again in another tab.')
    else if (problem || !found) say(problem?.textContent ?? 'That did not work.')
    else result.replaceChildren(...found.childNodes)
  } catch {
    say('The server cannot be reached. Nothing that you typed is lost: try again.')
  }
  button.disabled = false
  button.textContent = label
}

function say(message) {
  const problem = Object.assign(document.createElement('p'), { className: 'failure', textContent: message })
  result.replaceChildren(problem)
}
