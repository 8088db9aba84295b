import type { ActivePart } from './active-part.ts'
import { firstLine, shown, squeezed, withLines } from './active-part.ts'
import { activeScheme, hostsOf, hostsOfSet, isExampleHost, isPlainPicture } from './address.ts'
import { contentHash } from '../../../site/text/content-hash.ts'
import { styleHosts, styleLoads } from './style-hosts.ts'
import type { OpeningTag, TagAttribute } from './read-tags.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const frames = new Set(['iframe', 'frame', 'frameset', 'embed', 'object', 'applet', 'portal', 'fencedframe'])
/** Attributes that hold HTML or code. */
export const writesHtml =
  /^(?:dangerouslysetinnerhtml|innerhtml|outerhtml|srcdoc|set:html|set:text|define:vars|v-html|ping|formaction|xlink:actuate)$/i
/** Attributes and fields whose address a browser fetches by itself. */
export const fetched =
  /^(?:data|background|light|dark|bg|photo|picture|banner)$|(?:src|srcset|image|images|img|icon|logo|poster|cover|thumbnail|avatar|screenshot|favicon)(?:[_-]?ur[il]s?)?$/i
/** What components load by these names. */
const loaded = /^(?:url|(?:spec|embed|video|audio|media|feed)(?:[_-]?ur[il])?|endpoint|file)$/i
/** Libraries that run what attributes of these names say. */
const scripted = /^(?:data-)?hx-|^x-(?:data|init|on|bind|html|text|effect|model|teleport|for|if)\b|^@[a-z]/
const bound =
  /^(?:@|[:.#]$|:\[|v-on\b|v-html|v-bind$|v-bind:\[|:on[a-z]|v-bind:on|(?:v-bind:|[:.])?(?:inner|outer)-?html|(?:v-bind:|[:.])?is$)/
const moving = /^(?:animate|set|animatemotion|animatetransform|animatecolor)$/i
const maxBody = 20_000
/** Who can put this into a page counts as the owner of the site for search engines. */
export const ownership = /(?:site|domain)[-_]?verification|^msvalidate|^verify-v1$/i

/** What the tags of a live text do. In MDX names in capitals are components, never elements. */
export function tagParts(
  text: string,
  tags: readonly OpeningTag[],
  { mdx, vue }: { mdx: boolean; vue: boolean },
): Part[] {
  return tags.flatMap((tag) => {
    const name = mdx ? tag.name : tag.name.toLowerCase()
    return [...elementParts(text, tag, { name, vue }), ...attributePartsOf(tag, { name, vue })]
  })
}

/** What lists of attributes do, as some Markdown dialects give them to elements. */
export function attributeListParts(lists: readonly OpeningTag[], { vue }: { vue: boolean }): Part[] {
  return lists.flatMap((list) => attributePartsOf(list, { name: 'p', vue }))
}

function elementParts(text: string, tag: OpeningTag, { name, vue }: { name: string; vue: boolean }): Part[] {
  const source = text.slice(tag.start, tag.end)
  const part = (what: string, content = source): Part => ({
    key: `tag ${name.endsWith('script') ? withLines(content) : squeezed(content)}`,
    what,
    search: firstLine(content),
    at: tag.start,
  })
  const values = (wanted: RegExp) =>
    tag.attributes.filter((one) => wanted.test(one.name)).map(({ value = '' }) => value)
  // What nobody has read to its end may hold anything.
  if (tag.isCut)
    return [part('a tag that is too long to be read', `${source} ${contentHash(Buffer.from(text))}`)]
  if (/(?:^|:)script$/.test(name)) return [part('a script', contentOf(text, tag, 'script'))]
  if (/(?:^|:)style$/.test(name)) {
    const content = contentOf(text, tag, 'style')
    const isUnread = !text.startsWith(content, tag.start)
    const loads =
      isUnread || (vue && /v-bind/i.test(content)) || styleLoads(content) || styleHosts(content).length > 0
    return loads ? [part('a style that loads something', content)] : []
  }
  if (frames.has(name)) return frameParts(tag, name, part)
  if (name === 'base' || (name === 'meta' && values(/^http-?equiv$/i).length > 0))
    return [part(`an element <${name}>`)]
  if (name === 'meta' && values(/^name$/i).some((value) => ownership.test(value)))
    return [part('a sign of who owns the site')]
  if (name === 'link') {
    const [host] = tag.attributes.flatMap(({ value = '' }) => hostsOf(value))
    return host === undefined ? [] : [part(`an element <link> to the host ${host}`)]
  }
  if (name === 'form' && values(/action$/i).some((value) => hostsOf(value).length > 0))
    return [part('a form to another host')]
  if (
    moving.test(name) &&
    values(/^attributename$/i).some((value) => !/^[a-z-]+$/i.test(value) || /href|src|style|^on/i.test(value))
  )
    return [part('an animation of an address or a handler')]
  return []
}

/** One for each host; an element that shows anything else than other hosts is judged as a whole. */
function frameParts(tag: OpeningTag, name: string, whole: (what: string) => Part): Part[] {
  const addresses = tag.attributes.filter(({ name: key }) =>
    /^(?:src|data|code|codebase|archive)$/i.test(key),
  )
  const hosts = addresses.map(({ value = '' }) => hostsOf(value))
  if (hosts.length === 0 || hosts.some((some) => some.length === 0)) return [whole(`an element <${name}>`)]
  return [...new Set(hosts.flat())].map((host) => ({
    key: `frame ${host}`,
    what: `an element <${name}> of the host ${host}`,
    search: host,
    at: tag.start,
  }))
}

function attributePartsOf(tag: OpeningTag, of: { name: string; vue: boolean }): Part[] {
  return tag.attributes.flatMap((attribute) => attributeParts(tag, { ...of, attribute }))
}

function attributeParts(
  tag: OpeningTag,
  { name, attribute, vue }: { name: string; attribute: TagAttribute; vue: boolean },
): Part[] {
  const { value = '', at } = attribute
  const key = attribute.name.toLowerCase()
  const written = `${attribute.name}=${squeezed(value)}`
  const part = (what: string): Part => ({
    key: `attribute ${tag.name} ${written}`,
    what,
    search: firstLine(value) || attribute.name,
    at,
  })
  const isHandler = /^on[a-z]{3}/.test(key) && key !== 'only'
  if (isHandler || scripted.test(key) || /^(?:bind|formaction|v-bind):?on[a-z]/.test(key))
    return [part(`the event handler ${shown(attribute.name)}`)]
  if (vue && (bound.test(key) || key === 'is' || name === 'component'))
    return [part(`the directive ${shown(attribute.name)}`)]
  if (writesHtml.test(key)) return [part(`the attribute ${shown(attribute.name)}`)]
  if (/^live$/.test(key) && name === 'CodeBlock') return [part('a code block that runs')]
  if (attribute.isExpression || value === '') return []
  const scheme = activeScheme(value)
  if (scheme === 'javascript' || scheme === 'vbscript') return [part(`an address of the scheme ${scheme}:`)]
  const isPicture = name === 'img' || name === 'source'
  if (scheme === 'data' && !isPlainPicture(value) && !(isPicture && /^\s*data:image\//i.test(value)))
    return [part('an address of the scheme data:')]
  if (frames.has(name)) return []
  return loadedHosts(name, key, value).map((host) => imagePart(host, at))
}

/** The hosts that an attribute makes a browser ask. */
function loadedHosts(name: string, key: string, value: string): string[] {
  if (key.endsWith('style') || /url\s*\(|\\[0-9a-f]{2}[^\\]*\(/i.test(value)) return styleHosts(value)
  if (fetched.test(key) || (/^(?:xlink:?)?href$/.test(key) && /^(?:image|use|feimage)$/i.test(name)))
    return hostsOfSet(value)
  // Names of components are in capitals or have a hyphen.
  const isComponent = /^[A-Z]|[.-]/.test(name)
  return isComponent && loaded.test(key) ? hostsOf(value).filter((host) => !isExampleHost(host)) : []
}

/** A file of another host that readers' browsers would fetch. */
export function imagePart(host: string, at: number): Part {
  return {
    key: `image ${host}`,
    what: `an image or file of the host ${host}, which no page loads from`,
    search: host,
    at,
  }
}

/** With what follows the tag up to its end. One that has none does nothing but what the tag itself says. */
function contentOf(text: string, tag: OpeningTag, name: string): string {
  const source = text.slice(tag.start, tag.end)
  const close = new RegExp(`</${name}`, 'i')
  const end = text.slice(tag.start, tag.start + maxBody).search(close)
  if (end !== -1) return text.slice(tag.start, tag.start + end)
  const isLong = tag.start + maxBody < text.length && close.test(text.slice(tag.start + maxBody - 10))
  return isLong ? `${source} ${contentHash(Buffer.from(text))}` : source
}
