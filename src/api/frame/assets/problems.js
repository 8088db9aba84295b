// What people are told when something did not work, in the same words everywhere.
import { addressOf } from './address.js'

/** Why a form was refused, to be shown beside it. Without an answer, the server could not be reached. */
export function problemOf(answer) {
  if (!answer) return problemLine('Can’t reach the server. Your text is saved on this page. Try again.')
  if (!answer.isSignedOut)
    return problemLine(
      answer.page.querySelector('[data-problem]')?.textContent ?? 'Something went wrong. Try again.',
    )
  return problemLine(
    'You’ve been signed out. Your text is saved on this page. ',
    signInLink('sign in again'),
    ', then send this once more.',
  )
}

/** Opens another tab, which leads to the same page after signing in, so that this one keeps what was typed. */
export function signInLink(textContent) {
  const back = new URLSearchParams({ return: location.pathname + location.search })
  return Object.assign(document.createElement('a'), {
    href: addressOf(`/sign-in?${back}`),
    target: '_blank',
    textContent,
  })
}

/** The same as the server prints beside a form that it refuses. */
export function problemLine(...contents) {
  const problem = document.createElement('p')
  problem.className = 'failure'
  problem.setAttribute('role', 'alert')
  problem.setAttribute('data-problem', '')
  problem.append(...contents)
  return problem
}
