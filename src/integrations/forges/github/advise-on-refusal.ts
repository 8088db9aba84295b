/**
 * What to do about a 403 of GitHub. A header tells fine-grained tokens and apps which permissions are needed, with
 * semicolons between alternatives: `x-accepted-github-permissions: pull_requests=write; contents=read`.
 */
export function adviseOnRefusal({
  headers,
  detail,
}: {
  headers: Headers
  detail: string
}): string | undefined {
  if (/archived/i.test(detail)) return 'it is archived, so unarchive it or remove the project'
  if (headers.get('x-github-sso') !== null) {
    return 'its organization requires single sign-on. Authorize the token for it in the token settings'
  }
  const accepted = headers.get('x-accepted-github-permissions')?.slice(0, 500) ?? ''
  const ways = accepted
    .split(';')
    .map((way) => way.split(',').flatMap((permission) => readable(permission)))
    .filter((way) => way.length > 0)
    .map((way) => way.join(' and '))
  if (ways.length > 0) return `it needs the permission ${ways.join(' or ')}`
  const scopes = headers.get('x-accepted-oauth-scopes')?.slice(0, 200).trim() ?? ''
  return /^\w[\w:, ]*$/.test(scopes) ? `it needs one of the scopes ${scopes}` : undefined
}

function readable(permission: string): string[] {
  const [, name, level] = /^\s*(\w+)\s*=\s*(\w+)\s*$/.exec(permission) ?? []
  return name === undefined || level === undefined ? [] : [permissionName(name, level)]
}

/** The name of a permission in GitHub's settings: `"Pull requests: write"`. */
export function permissionName(name: string, level: string): string {
  const words = name.replaceAll('_', ' ')
  return `"${words.charAt(0).toUpperCase()}${words.slice(1)}: ${level}"`
}
