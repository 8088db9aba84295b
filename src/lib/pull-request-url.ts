/** The full URL of a pull request. Links to those on this server are stored as paths. */
export function pullRequestUrl(publicUrl: string, link: string): string {
  return link.startsWith('/') ? `${publicUrl}${link}` : link
}
