/** Fetches a page of the dashboard, as the form or the page that asks for it would show it. */
export async function fetchPage(address, options = {}) {
  const response = await fetch(address, { credentials: 'same-origin', ...options })
  const isSignedOut = new URL(response.url).pathname === '/sign-in'
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return {
    page,
    isSignedOut,
    isFine: response.ok && !isSignedOut,
    status: response.status,
    url: response.url,
  }
}
