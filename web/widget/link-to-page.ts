import { element } from './dom.ts'

/**
 * A link to a page. Pages of this site open in this tab, where the conversation goes on; others in a tab of their own.
 * @param heading of the section that the browser marks, where it can
 */
export function linkToPage(
  address: string,
  heading: string | undefined,
  ...inside: (Node | string)[]
): HTMLAnchorElement {
  const own = address.startsWith(`${location.origin}/`)
  return element(
    'a',
    own
      ? { href: withMark(address, heading) }
      : { href: withMark(address, heading), target: '_blank', rel: 'noopener noreferrer' },
    ...inside,
  )
}

function withMark(address: string, heading: string | undefined): string {
  if (heading === undefined || heading === '' || !('fragmentDirective' in document)) return address
  // A hyphen has a meaning of its own in such a fragment.
  const text = encodeURIComponent(heading).replaceAll('-', '%2D')
  return `${address}${address.includes('#') ? '' : '#'}:~:text=${text}`
}
