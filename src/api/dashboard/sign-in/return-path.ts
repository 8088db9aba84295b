/** A place on this server that a person may be sent back to after signing in; anything else becomes `/`. */
export function safeReturnPath(value: string | undefined): string {
  if (value === undefined || value.length > 500 || !/^\/[\x21-\x7e]*$/.test(value) || value.includes('\\'))
    return '/'
  const origin = 'http://own.invalid'
  const url = URL.canParse(value, origin) ? new URL(value, origin) : undefined
  // Back to the sign-in page itself would lead nowhere.
  if (url?.origin !== origin || url.pathname.startsWith('/sign-')) return '/'
  const path = `${url.pathname}${url.search}`
  // `/x/..//evil` only becomes `//evil` once its dots are resolved.
  return path.startsWith('//') ? '/' : path
}
