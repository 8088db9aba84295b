import type { ActivePart } from './active-part.ts'
import { firstLine, shown, squeezed } from './active-part.ts'
import { activeScheme, hostOf, isPlainPicture } from './address.ts'
import { type OpeningTag, type TagAttribute, readTags } from './read-tags.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const frames = new Set(['iframe', 'frame', 'frameset', 'embed', 'object', 'applet', 'portal', 'fencedframe'])
const writesHtml =
  /^(?:dangerouslysetinnerhtml|innerhtml|outerhtml|srcdoc|set:html|set:text|define:vars|v-html|ping|formaction|xlink:actuate)$/i
/** Attributes and fields whose address a browser fetches by itself. */
export const fetched =
  /^(?:data|background|light|dark|bg|photo|picture|banner)$|(?:src|srcset|image|images|img|icon|logo|poster|cover|thumbnail|avatar|screenshot|favicon)$/i
const maxBody = 20_000

/** What the tags of a live text do. In MDX names in capitals are components, never elements. */
export function tagParts(
  text: string,
  tags: readonly OpeningTag[],
  { mdx, vue }: { mdx: boolean; vue: boolean },
): Part[] {
  return tags.flatMap((tag) => {
    const name = mdx ? tag.name : tag.name.toLowerCase()
    return [...elementParts(text, tag, name), ...attributePartsOf(tag, { name, vue })]
  })
}

/** `{: .class onclick="…"}` behind an element, as some Markdown dialects give it attributes. */
export function attributeListParts(text: string): Part[] {
  return [...text.matchAll(/\{:?([^{}\n]{1,1000})\}/g)].flatMap((match) => {
    const [tag] = readTags(`<p ${match[1] ?? ''}>`, { braces: false }) ?? []
    if (tag === undefined) return []
    return attributePartsOf(tag, { name: 'p', vue: false }).map((part) => ({ ...part, at: match.index }))
  })
}

function elementParts(text: string, tag: OpeningTag, name: string): Part[] {
  const source = text.slice(tag.start, tag.end)
  const part = (what: string, content: string): Part => ({
    key: `tag ${squeezed(content)}`,
    what,
    search: firstLine(content),
    at: tag.start,
  })
  const valueOf = (wanted: string) => tag.attributes.find((one) => one.name.toLowerCase() === wanted)?.value
  if (/(?:^|:)script$/.test(name)) return [part('a script', contentOf(text, tag, 'script'))]
  if (/(?:^|:)style$/.test(name)) {
    const content = contentOf(text, tag, 'style')
    const loads =
      /@import|expression\s*\(|-moz-binding|behavior\s*:|\\/i.test(content) ||
      hostsOfStyle(content).length > 0
    return loads ? [part('a style that loads something', content)] : []
  }
  if (frames.has(name)) {
    const host = hostOf(valueOf('src') ?? valueOf('data') ?? '')
    if (host === undefined) return [part(`an element <${name}>`, source)]
    return [
      { key: `frame ${host}`, what: `an element <${name}> of the host ${host}`, search: host, at: tag.start },
    ]
  }
  if (name === 'base' || (name === 'meta' && valueOf('http-equiv') !== undefined))
    return [part(`an element <${name}>`, source)]
  if (name === 'link') {
    const host = hostOf(valueOf('href') ?? '')
    return host === undefined ? [] : [part(`an element <link> to the host ${host}`, source)]
  }
  if (name === 'form' && hostOf(valueOf('action') ?? '') !== undefined)
    return [part('a form to another host', source)]
  return []
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
  if (isHandler || /^(?:bind|formaction|v-bind):?on[a-z]/.test(key))
    return [part(`the event handler ${shown(attribute.name)}`)]
  if (vue && /^(?:@|v-on\b|v-html|v-bind$|:on[a-z]|v-bind:on|[:.]?innerhtml|v-bind:innerhtml)/.test(key))
    return [part(`the directive ${shown(attribute.name)}`)]
  if (writesHtml.test(key)) return [part(`the attribute ${shown(attribute.name)}`)]
  if (attribute.isExpression || value === '') return []
  const scheme = activeScheme(value)
  if (scheme === 'javascript' || scheme === 'vbscript') return [part(`an address of the scheme ${scheme}:`)]
  const isPicture = name === 'img' || name === 'source'
  if (scheme === 'data' && !isPlainPicture(value) && !(isPicture && /^\s*data:image\//i.test(value)))
    return [part('an address of the scheme data:')]
  if (frames.has(name)) return []
  const loadsByName =
    fetched.test(key) || (/^(?:xlink:)?href$/.test(key) && /^(?:image|use|feimage)$/i.test(name))
  const hosts = key === 'style' ? hostsOfStyle(value) : loadsByName ? hostsOfSet(value) : []
  return hosts.map((host) => imagePart(host, at))
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

function hostsOfSet(value: string): string[] {
  return value.split(/[\s,]+/).flatMap((one) => hostOf(one) ?? [])
}

function hostsOfStyle(value: string): string[] {
  return [...value.matchAll(/(?:url|image|image-set|src)\(\s*["']?([^"')]{1,2000})/gi)].flatMap(
    ([, address = '']) => hostOf(address) ?? [],
  )
}

function contentOf(text: string, tag: OpeningTag, name: string): string {
  const end = text.slice(tag.start, tag.start + maxBody).search(new RegExp(`</${name}`, 'i'))
  return end === -1 ? text.slice(tag.start, tag.end) : text.slice(tag.start, tag.start + end)
}
