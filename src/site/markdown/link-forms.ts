/**
 * How the target of a link in a framework's own notation is looked up: by the name of a page as Hugo does, by the path
 * of a file from the top of the site, by an address, by the path of a document without extension, or by a label.
 */
export type LinkFormKind =
  | 'name'
  | 'file'
  | 'address'
  | 'document'
  | 'label'
  | 'resource'
  /** A file, from the folder of the page or the top of the site. */
  | 'source'
  | 'term'

/** A link that is written by a call of a template language or by a role. */
export interface LinkForm {
  kind: LinkFormKind
  target: string
  /** Of a resource: what AsciiDoc takes from there, where it is no page. */
  family?: 'include' | 'image'
  /** A fragment behind the call, with its `#`. */
  suffix: string
  /** The same call with another target. */
  write(target: string): string
}

const maxLength = 2000

/** Undefined for plain addresses and for calls that name no page. */
export function readLinkForm(href: string): LinkForm | undefined {
  if (href.length > maxLength) return undefined
  if (href.startsWith('xref:') || href.startsWith('<<')) return asciidocReference(href)
  for (const family of ['include', 'image'] as const)
    if (href.startsWith(`${family}:`)) {
      const start = family.length + (href[family.length + 1] === ':' ? 2 : 1)
      return { ...formOf('resource', href, start, href.length), family }
    }
  if (href.startsWith('{{<') || href.startsWith('{{%')) return shortcode(href)
  if (href.startsWith('{%')) return liquidTag(href, 0)
  if (href.startsWith('{{')) return liquidValue(href)
  if (href.startsWith(':')) return restructuredRole(href)
  return href.startsWith('{') ? role(href) : undefined
}

/** What `xref:` or a reference between angles names in AsciiDoc: a page, or the id of a place on the own one. */
function asciidocReference(href: string): LinkForm {
  const sign = href.startsWith('xref:') ? 'xref:' : '<<'
  const start = sign.length + (href[sign.length] === '#' ? 1 : 0)
  const form = formOf('resource', href, start, href.length)
  const isPage =
    start === sign.length && (/[#$]|\.[a-z]\w{0,9}$/i.test(form.target) || form.target.endsWith(':'))
  return isPage ? form : { ...form, target: `#${form.target}` }
}

/** A role of reStructuredText: :doc:`/guide/x`, :ref:`Title <label>` */
function restructuredRole(href: string): LinkForm | undefined {
  const [whole, name = '', text = ''] =
    /^:(?:std:)?(doc|ref|numref|term|download):`([^`]+)`$/.exec(href) ?? []
  if (whole === undefined) return undefined
  const start = href.indexOf('`') + 1
  const kind =
    name === 'doc' ? 'document' : name === 'download' ? 'source' : name === 'term' ? 'term' : 'label'
  const open = text.endsWith('>') ? text.lastIndexOf('<') : -1
  return open === -1
    ? formOf(kind, href, start, start + text.length)
    : formOf(kind, href, start + open + 1, start + text.length - 1)
}

/** `{{< ref "guide/x.md#part" >}}`, `{{% relRef path="x" lang="en" %}}`: Hugo finds its own shortcodes in any case. */
function shortcode(href: string): LinkForm | undefined {
  const inside = href.slice(3)
  const [call = ''] = /^\s{0,20}(?:ref|relref)\s{1,20}(?:path\s{0,5}=\s{0,5})?/i.exec(inside) ?? []
  return call === '' ? undefined : quotedOrWord('name', href, 3 + call.length)
}

/** `{% link _docs/x.md %}` */
function liquidTag(href: string, from: number): LinkForm | undefined {
  const [call = ''] = /^\{%-?\s{0,20}link\s{1,20}/.exec(href.slice(from)) ?? []
  return call === '' ? undefined : quotedOrWord('file', href, from + call.length)
}

/** `{{ site.baseurl }}/x`, `{{ site.url }}{{ site.baseurl }}{% link x.md %}`, `{{ "/x" | relative_url }}` */
function liquidValue(href: string): LinkForm | undefined {
  const value =
    /^\{\{-?\s{0,20}(?:site\.(?:baseurl|url)|(["'])([^"'{}]{1,1000})\1\s{0,20}\|\s{0,20}(?:relative|absolute)_url)\s{0,20}-?\}\}/.exec(
      href,
    )
  if (value === null) return undefined
  const [call, , text] = value
  if (text !== undefined) {
    const at = call.search(/["']/) + 1
    return formOf('address', href, at, at + text.length)
  }
  const rest = href.slice(call.length)
  if (!rest.startsWith('{'))
    return rest.startsWith('/') ? formOf('address', href, call.length, href.length) : undefined
  const inner = rest.startsWith('{%') ? liquidTag(href, call.length) : liquidValue(rest)
  if (inner === undefined || rest.startsWith('{%')) return inner
  return { ...inner, write: (target) => `${call}${inner.write(target)}` }
}

/** A role of MyST around its target: {doc}`/guide/x`, {ref}`Title <label>` */
function role(href: string): LinkForm | undefined {
  const match = /^\{(doc|ref|numref|std:doc|std:ref)\}(`+)([^`]+)\2$/.exec(href)
  if (match === null) return undefined
  const [, name = '', ticks = '', text = ''] = match
  const start = name.length + 2 + ticks.length
  const kind = name.endsWith('doc') ? 'document' : 'label'
  const open = text.endsWith('>') ? text.lastIndexOf('<') : -1
  if (open === -1) return formOf(kind, href, start, start + text.length)
  return formOf(kind, href, start + open + 1, start + text.length - 1)
}

function quotedOrWord(kind: LinkFormKind, href: string, at: number): LinkForm | undefined {
  const quote = href[at]
  if (quote === '"' || quote === "'" || quote === '`') {
    const end = href.indexOf(quote, at + 1)
    return end === -1 ? undefined : formOf(kind, href, at + 1, end)
  }
  const [word = ''] = /^[^\s{}%<>]+/.exec(href.slice(at)) ?? []
  return word === '' ? undefined : formOf(kind, href, at, at + word.length)
}

function formOf(kind: LinkFormKind, href: string, start: number, end: number): LinkForm {
  return {
    kind,
    target: href.slice(start, end),
    suffix: /(?:%\}|>\}\}|\}\})(#[^{}]*)$/.exec(href)?.[1] ?? '',
    write: (target) => `${href.slice(0, start)}${target}${href.slice(end)}`,
  }
}

/** The end of an address that starts with a call of a template language: calls may hold spaces. */
export function endOfTemplate(text: string, start: number): number | undefined {
  let at = start
  const limit = Math.min(text.length, start + maxLength)
  while (at < limit) {
    const close = text.startsWith('{{', at) ? '}}' : text.startsWith('{%', at) ? '%}' : undefined
    if (close !== undefined) {
      const end = text.indexOf(close, at + 2)
      if (end === -1 || end >= limit) return undefined
      at = end + 2
    } else if (/[\s()<>]/.test(text[at] ?? '')) break
    else at++
  }
  return at
}
