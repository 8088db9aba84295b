// The form of the playground works without this file. With it, the text of the answer is shown as it comes, and the page
// that the server renders takes its place at the end.
import { postForm, readPage } from './fetch-page.js'
import { problemLine, problemOf } from './problems.js'

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.matches('[data-ask]') || event.defaultPrevented) return
  event.preventDefault()
  void ask(form)
})

async function ask(form) {
  const region = document.getElementById('playground')
  const body = new URLSearchParams(new FormData(form))
  const pending = pendingAnswers(region, body)
  const leaving = new AbortController()
  const [send, stop] = [form.querySelector('button.primary'), form.querySelector('[data-stop]')]
  form.querySelector('[data-problem]')?.remove()
  send.disabled = true
  stop.hidden = false
  stop.addEventListener('click', () => leaving.abort(), { once: true })
  tell(form, 'Generating answer…')
  let problem
  try {
    const headers = { Accept: 'application/x-ndjson' }
    const { signal } = leaving
    const response = await postForm(form, { headers, signal })
    if (response.headers.get('Content-Type') !== 'application/x-ndjson')
      problem = problemOf(await readPage(response))
    else
      for await (const line of linesOf(response.body)) {
        if (line.html !== undefined) {
          region.innerHTML = line.html
          const answer = region.querySelector('[data-answer]')
          answer?.focus({ preventScroll: true })
          tell(region, 'The answer is complete.')
          return
        }
        if (line.problem !== undefined) problem = problemLine(line.problem)
        else if (line.status !== undefined) pending.wait(line.answer, line.status)
        else pending.add(line.answer, line.text)
      }
    problem ??= problemLine('The answer was interrupted. Ask again.')
  } catch {
    problem = leaving.signal.aborted ? problemLine('Stopped.') : problemOf()
  }
  pending.remove()
  say(form, problem)
  send.disabled = false
  stop.hidden = true
}

function pendingAnswers(region, body) {
  const part = document.createElement('div')
  part.append(region.querySelector('[data-pending]').content.cloneNode(true))
  const list = part.querySelector('.answers')
  if (body.get('compare') === 'yes' && body.get('against') !== body.get('model')) {
    list.classList.add('compared')
    list.append(list.firstElementChild.cloneNode(true))
  }
  const texts = [...part.querySelectorAll('[data-text]')]
  const waits = [...part.querySelectorAll('[data-status]')]
  const question = document.createElement('div')
  question.className = 'asked'
  question.append(Object.assign(document.createElement('p'), { textContent: body.get('question') }))
  question.firstChild.className = 'question'
  part.prepend(question)
  region.prepend(part)
  part.scrollIntoView({ block: 'nearest' })
  return {
    add(answer, text) {
      texts[answer]?.append(text)
      if (waits[answer]) waits[answer].textContent = ''
    },
    wait(answer, why) {
      if (waits[answer]) waits[answer].textContent = why
    },
    remove: () => part.remove(),
  }
}

async function* linesOf(stream) {
  let rest = ''
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop()
    for (const line of lines) yield JSON.parse(line)
  }
}

function tell(parent, message) {
  const status = parent.querySelector('[data-progress]')
  if (status) status.textContent = message
}

function say(form, problem) {
  form.querySelector('.buttons').before(problem)
  tell(form, '')
}
