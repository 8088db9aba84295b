import { addressOf } from './address.js'

/** Fetches a page of the dashboard, as the form or the page that asks for it would show it. */
export async function fetchPage(address, headers = {}) {
  return readPage(await fetch(address, { credentials: 'same-origin', headers }))
}

/** Fetches the page that is shown once more. What has not changed of its large parts comes empty. */
export function fetchAgain(address = location.href) {
  return fetchPage(address, namesShown())
}

/** Header lines may not be longer in front of some servers. */
const longestNames = 6000

/** Names what is shown of a review: its files and folders, and what stands at lines. */
export function namesShown() {
  const names = [...document.querySelectorAll('.review-below :is(.remark,.comment-form)')].map(({ id }) => id)
  for (const { dataset } of document.querySelectorAll('[data-shown]')) names.push(dataset.shown)
  const text = names.join(' ')
  const end = text.length > longestNames ? text.lastIndexOf(' ', longestNames) : text.length
  return { 'Docwright-Shown': text.slice(0, end) }
}

/** Sends a form. One that a page of an earlier session has made is sent again with the token of the present one. */
export async function postForm(form, { action = form.action, ...options } = {}) {
  const post = () => {
    const body = new URLSearchParams(new FormData(form))
    return fetch(action, { method: 'POST', credentials: 'same-origin', body, ...options })
  }
  const response = await post()
  return response.status === 403 && (await renewToken(form)) ? post() : response
}

async function renewToken(form) {
  const fresh = (await fetchAgain()).page.querySelector('[name=csrf]')?.value
  const field = form.elements.csrf
  if (fresh === undefined || fresh === field.value) return false
  field.value = fresh
  return true
}

export async function readPage(response) {
  const isSignedOut = response.status === 401 || response.url.split('?', 1)[0] === addressOf('/sign-in')
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return {
    page,
    isSignedOut,
    isFine: response.ok && !isSignedOut,
    status: response.status,
    url: response.url,
  }
}
