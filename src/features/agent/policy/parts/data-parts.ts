import { isRecord } from '../../../../lib/is-record.ts'
import { hostsOf, isExampleHost, readEscapes } from '../addresses.ts'
import { valueParts } from './element-parts.ts'
import { namesFileBeyond } from './include-parts.ts'
import { findFrontMatter, linesOf, maxFrontMatter, readData } from './read-data.ts'
import type { Reading } from './reading.ts'
import { isPlainArgument, isRunningKey } from './plain-arguments.ts'
import { type Part, hostPart, partOf, shown, wordsOfHost } from './part.ts'

const maxParsed = 250_000
const maxValues = 100_000
const maxNesting = 60
const maxParts = 20_000

/** Fields of a page that only describe it: what they hold is text. */
const plainField =
  /^(?:title|short_?title|sidebar_?title|nav_?title|link_?title|long_?title|page_?title|subtitle|description|desc|summary|excerpt|abstract|keywords?|tags?|categor(?:y|ies)|authors?|date|last_?mod(?:ified)?|last_?updated?|updated(?:_?at)?|created(?:_?at)?|published(?:_?at)?|pub_?date|version|versions|lang|language|locale|id|uid|key|slug|url|path|permalink|alias(?:es)?|redirect_?from|redirects?|weight|order|nav_?order|position|index|parent|grand_parent|group|section|series|part|product|platform|icon(?:Type)?|status|tag|label|labels|badge|name|text|heading|headline|tagline|lead|intro|layout|template|type|kind|level|difficulty|audience|topic|topics|sidebar(?:_\w+)?|pagination_\w+|custom_edit_url|edit_?url|canonical(?:_?url)?|image|cover|banner|thumbnail|logo|hero|features?|actions?|prev|next|toc|table_of_contents|mode|openapi|api|contentType|content_type|hide|search|seo|og:\w+|twitter:\w+|robots|comments|license|copyright|social_?media|nav|navigation|menus?|link|links|related|see_?also|outline|theme|class|className|cssclass(?:es)?|head_?line|i18n|translation\w*|reviewers?|contributors?|github|source|minutes|duration|reading_?time|since|deprecated|rss|public|boost|ms\.\w+|manager|owner|maintainers?|environment|api_?reference|availability|plan|product_?area)$/i
/** Who can put this into a page counts as the owner of the site for search engines. */
const ownership = /(?:site|domain)[-_]?verification|^msvalidate|^verify-v1$/i
/** Fields that choose what reads or renders a page. */
const choosing =
  /^(?:layout|template|templateEngineOverride|engine|renderer|processor|markup|format|eleventyComputed|pagination|cascade|_?build)$/

/** What front matter brings in beside plain values of fields that describe a page. */
export function frontMatterParts(
  text: string,
  reading: Reading,
): { parts: Part[]; end: number; isMarkdown: boolean; mayBeMdx: boolean } {
  const frontMatter = findFrontMatter(text)
  if (frontMatter === undefined) return { parts: [], end: 0, isMarkdown: false, mayBeMdx: false }
  const { end, sources, language } = frontMatter
  if (language !== undefined)
    return {
      parts: [partOf('front matter', 'front matter in a language that runs', language, 1)],
      end,
      isMarkdown: false,
      mayBeMdx: true,
    }
  const parts: Part[] = []
  let isMarkdown = false
  let mayBeMdx = false
  for (const { source, kind } of sources) {
    const line = text.startsWith(source) ? 1 : 2
    const data = source.length > maxFrontMatter / 2 ? undefined : readData(source, kind)
    if (data === undefined) {
      mayBeMdx = true
      // For who takes it for no front matter it is text.
      if (end > 0) {
        const rest = source.split('\n').filter((one) => !isPlainLine(one))
        parts.push(partOf('front matter', 'front matter that cannot be read', rest.join('\n'), line))
      } else parts.push(...unreadParts(source, line, reading))
      continue
    }
    const lines = linesOf(source, line)
    parts.push(...data.tags.map((tag) => tagPart(tag, line)), ...dataParts(data.value, lines, reading, true))
    if (!isRecord(data.value)) continue
    for (const [name, value] of Object.entries(data.value))
      parts.push(...fieldParts(name, value, lines(name)))
    const { format, mdx } = data.value
    mayBeMdx ||= format !== undefined || mdx !== undefined
    if (format === 'md' || (isRecord(mdx) && mdx['format'] === 'md')) isMarkdown = true
  }
  return { parts, end, isMarkdown, mayBeMdx }
}

function tagPart(tag: string, line: number): Part {
  return { ...partOf('tag', 'the YAML tag', tag, line), words: tag.replace(/^tag:yaml\.org,2002:/, '') }
}

/** A field of front matter, by its name and the kind of its value. */
function fieldParts(name: string, value: unknown, line: number): Part[] {
  if (name === 'head' || /^scripts?$/.test(name)) return headParts(value, line)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value instanceof Date)
    return []
  const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
  const isPath =
    /^(?:permalink|slug|url|path|alias(?:es)?)$/.test(name) &&
    texts.some((text) => /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(text))
  const isChoice =
    choosing.test(name) &&
    !(/^(?:layout|template)$/.test(name) && texts.every((text) => !/[/\\.]/.test(text)))
  const what = `the field ${shown(name)} of front matter, which no page has so`
  if (isPath || isChoice)
    return [partOf(`field ${name}`, what, JSON.stringify(choiceIn(name, value)) ?? '', line)]
  if (plainField.test(name) || isLiteral(value)) return []
  const kind = Array.isArray(value) ? 'list' : typeof value
  return [{ key: `field ${name} ${kind}`, what, line, degree: 'look', words: name }]
}

/** What a field chooses, without the plain values of fields in it that choose nothing. */
function choiceIn(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => choiceIn(name, one))
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key,
        name === 'cascade' && !choosing.test(key) ? choiceIn('cascade', one) : one,
      ]),
    )
  const isPlain = typeof value === 'string' ? isPlainArgument(value) : typeof value !== 'object'
  return name === 'cascade' && isPlain ? 'text' : value
}

/** A field that describes the page, in a line of its own: text to every reader. */
function isPlainLine(line: string): boolean {
  const [, name = '', value] = /^(\w[\w-]{0,50}): (.*)$/.exec(line) ?? []
  return plainField.test(name) && !choosing.test(name) && isLiteral(value)
}

function isLiteral(value: unknown): boolean {
  return typeof value === 'string' && /^[\p{L}\p{N} ,.'-]*$/u.test(value)
}

/** Elements that a page puts into its head, one by one; descriptions of it are only text. */
function headParts(head: unknown, line: number): Part[] {
  return (Array.isArray(head) ? head : [head]).flatMap((element: unknown) => {
    const source = JSON.stringify(element) ?? 'null'
    const isText =
      /^(?:\["(?:title|meta)",|\{"tag":"(?:title|meta)")/.test(source) && !/http-?equiv|refresh/i.test(source)
    return isText || source === 'null' ? [] : [partOf('head', "an element of the page's head", source, line)]
  })
}

/** Data of all pages of a folder, or of one page. */
const ofPages = /(?:^|\/)\.meta\.ya?ml$|\.11tydata\.(?:json|ya?ml)$|(?:^|\/)([^/]+)\/\1\.(?:json|ya?ml)$/i

/** Properties that a component is given as YAML between its name and its content, and options that a block has below its name. */
export function propsParts(text: string, reading: Reading): Part[] {
  const lines = text.split('\n')
  const parts: Part[] = []
  for (let at = 1; at < lines.length; at++) {
    const opening = (lines[at] ?? '').trim()
    parts.push(...optionParts(lines, at, reading))
    const closing = opening === '---' ? '---' : /^```ya?ml \[props\]$/.test(opening) ? '```' : undefined
    if (closing === undefined || !/^[ \t]*:{2,}[\w-]/.test(lines[at - 1] ?? '')) continue
    // Properties without an end are read to the end of the page.
    let end = at + 1
    while (end < lines.length && lines[end]?.trim() !== closing) end++
    parts.push(...propertiesIn(lines.slice(at + 1, end).join('\n'), at + 2, reading))
    at = end
  }
  return parts
}

/** Of PyMdown's blocks they become attributes; of mkdocstrings they may name programs and templates. */
function optionParts(lines: readonly string[], at: number, reading: Reading): Part[] {
  const [, mark = '', rest = ''] = /^[ \t]*(\/{3,}|:::)[ \t]+(\w.*)$/.exec(lines[at - 1] ?? '') ?? []
  if (mark === '' || !/^ {4}\s*[\w-]+:/.test(lines[at] ?? '')) return []
  let end = at
  while (/^ {4}/.test(lines[end] ?? '')) end++
  const source = lines.slice(at, end).join('\n')
  const parts = propertiesIn(source, at + 1, reading)
  if (
    mark === ':::' &&
    /(?:^|[:\s-])["']?[^\s"']{0,200}(?:[/\\]|\.py\b)|\b(?:extensions|template|module|command|paths)\s{0,9}:/.test(
      source,
    )
  )
    parts.push(partOf('options', 'options that name what runs', `${rest}\n${source}`, at + 1))
  return parts
}

function propertiesIn(source: string, line: number, reading: Reading): Part[] {
  const data = source.length > maxParsed ? undefined : readData(source, 'yaml')
  if (data === undefined)
    return [partOf('properties', 'properties of a component that cannot be read', source, line)]
  return [
    ...data.tags.map((tag) => tagPart(tag, line)),
    ...dataParts(data.value, linesOf(source, line), reading, true),
  ]
}

/** What a file of data brings into pages and requests beside plain values. */
export function dataFileParts(path: string, text: string, reading: Reading): Part[] {
  const kind = /\.jsonc?$/i.test(path) ? 'json' : /\.toml$/i.test(path) ? 'toml' : 'yaml'
  const data = kind !== 'json' && text.length > maxParsed ? undefined : readData(text, kind)
  if (data === undefined) return unreadParts(text, 1, reading)
  const lines = linesOf(text, 1)
  const parts = [...data.tags.map((tag) => tagPart(tag, 1)), ...dataParts(data.value, lines, reading)]
  if (ofPages.test(path) && isRecord(data.value))
    for (const [name, value] of Object.entries(data.value))
      parts.push(...fieldParts(name, value, lines(name)))
  return parts
}

/** Fields whose addresses readers only follow, or see. */
const followed =
  /^(?:href|link|links|url|uri|to|canonical|homepage|website|site|external_?docs|terms_?of_?service|contact|license|info|issues?|repo(?:sitory)?|github|discord|twitter|slack|linkedin|youtube|x|edit_?url|custom_edit_url|source|description|summary|title|text|label|name|message|note|example|examples|value|default|content|docs|documentation|see_?also|related|reference|references|author_?url|cta|primary|button|items|navbar|footer|socials?|tabs|pages|anchors|topbar\w*|tags|dropdowns|global|actions|enum|const|pattern|comment|\$schema|\$id|schema|namespace|wraps|next|prev|canonical_?url|download|type|authors?)$/i
/** Fields that a site sends its readers' requests to, or builds pages from. */
const requested =
  /^(?:openapi|asyncapi|api|servers?|baseurl|proxyurl|tokenurl|authorizationurl|refreshurl|openidconnecturl|endpoint)$/i
/** Fields that say where readers are sent. */
const sending = /^redirect(?:s|_?to|_?url|_maps?)?$/i
/** Names that say nothing themselves: what is around them tells what they are for. */
const vague = /^(?:url|uri|href|src|source|value|default|enum|path|file|\d+)$/i

/** @param isOfPage its fields may become attributes of elements */
function dataParts(
  data: unknown,
  line: (name: string) => number,
  reading: Reading,
  isOfPage = false,
): Part[] {
  const parts: Part[] = []
  let values = 0
  const open: { value: unknown; names: readonly string[] }[] = [{ value: data, names: [] }]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { value, names } = one
    if (++values > maxValues || names.length > maxNesting || parts.length > maxParts)
      return [partOf('data', 'more data than can be judged', JSON.stringify(data) ?? '', 1)]
    if (typeof value === 'string')
      parts.push(...textValueParts(value, names, line(names.at(-1) ?? ''), reading))
    else if (Array.isArray(value)) {
      // Elements of a page's head are judged as such.
      if (
        !names.includes('head') &&
        isActingElement(value[0]) &&
        (isRecord(value[1]) || Array.isArray(value[1]))
      )
        parts.push(elementInData(value, line(names[0] ?? '')))
      for (const child of value) open.push({ value: child, names })
    } else if (isRecord(value)) {
      if (
        !names.includes('head') &&
        ['tag', 'tagName', 'component', 'is'].some((key) => isActingElement(value[key]))
      )
        parts.push(elementInData(value, line(names[0] ?? '')))
      const isServer = /^servers?$/.test(names[0] ?? '') && typeof value['url'] === 'string'
      if (isServer) parts.push(...hosts(String(value['url']).replaceAll(/\{[^{}]*\}/g, 'x'), line('servers')))
      for (const [key, child] of Object.entries(value)) {
        const isSign =
          ownership.test(key) || (key === 'name' && typeof child === 'string' && ownership.test(child))
        if (isSign)
          parts.push(
            partOf('ownership', 'a sign of who owns the site', `${key} ${JSON.stringify(child)}`, line(key)),
          )
        const isAttribute = isOfPage || names.some((name) => /^(?:attrs|attributes|props)$/i.test(name))
        if (isAttribute && isRunningKey(key)) {
          const source = `${key}: ${JSON.stringify(child) ?? ''}`
          parts.push(
            partOf('running field', 'a field that runs where it becomes an attribute', source, line(key)),
          )
        }
        // Keys are shown as well.
        if (!/^[\w$ ./:@-]*$/.test(key))
          parts.push(...valueParts(key, { names: [], line: line(key), reading }))
        open.push({ value: child, names: [key, ...names] })
      }
    }
  }
  return parts

  function hosts(text: string, at: number): Part[] {
    return hostsOf(text)
      .filter((host) => !isExampleHost(host))
      .map((host) => endpointPart(host, at))
  }

  function textValueParts(value: string, names: readonly string[], at: number, of: Reading): Part[] {
    const near = names.slice(0, vague.test(names[0] ?? '') ? 3 : 1)
    const partsOfValue = valueParts(value, { names: near, line: at, reading: of })
    if (names[0] === '$ref' && !value.startsWith('#')) {
      const target = value.replace(/#.*$/s, '')
      if (of.fileOf(target) === undefined)
        partsOfValue.push(partOf('include', 'a reference to what is no file of the site', target, at))
    }
    const isServer = names.some((name) => /^servers?$/.test(name))
    if (near.some((name) => requested.test(name)) || !near.some((name) => followed.test(name)))
      for (const word of value.split(/\s+/, 1000))
        partsOfValue.push(
          ...hostsOf(word)
            .filter((host) => near.some((name) => requested.test(name)) || !isExampleHost(host))
            .map((host) =>
              near.some((name) => requested.test(name)) ? endpointPart(host, at) : hostPart(host, at, word),
            ),
        )
    // A host alone is none to anything else.
    if (
      (isServer &&
        value.includes('.') &&
        !names.some((name) => followed.test(name) && name !== 'default' && name !== 'enum')) ||
      (/^host(?:name)?$/i.test(names[0] ?? '') && value.includes('.'))
    )
      partsOfValue.push(...hosts(`https://${value}`, at))
    if (isOfPage) partsOfValue.push(...pathParts(value, names, at, of))
    if (names.slice(0, 3).some((name) => sending.test(name)))
      partsOfValue.push(
        ...hostsOf(value).map((host) => ({
          key: `redirect ${host}`,
          what: `a redirect to the host ${host}, which no page redirects to`,
          line: at,
          words: wordsOfHost(host),
        })),
      )
    return partsOfValue
  }
}

/** Data may be the tree of a page, in which elements are named. */
function isActingElement(name: unknown): boolean {
  return (
    typeof name === 'string' &&
    /^(?:script|iframe|frame|object|embed|applet|style|link|base|meta|form|svg|template)$/i.test(name)
  )
}

function elementInData(value: unknown, line: number): Part {
  return partOf('element in data', 'an element that acts, in data', JSON.stringify(value), line)
}

/** A host that a page sends its readers' requests to, with what they give it. */
function endpointPart(host: string, line: number): Part {
  const part = hostPart(host, line)
  return {
    key: `endpoint ${host}`,
    also: [part.key, `host ${host}`],
    what: `the host ${host} as one that readers send requests to, which no page names`,
    line,
    approval: { kind: 'host', value: host },
    words: wordsOfHost(host),
  }
}

/** A field of a page that names a template, or a file above the repository or one that is kept out of it. */
function pathParts(value: string, names: readonly string[], line: number, { path }: Reading): Part[] {
  const isTemplate = names[0] === 'template' && /[/:\\]/.test(value)
  if (!isTemplate && !namesFileBeyond(value, path)) return []
  return [partOf('file', 'a field that names a file beyond the site', `${names[0] ?? ''}: ${value}`, line)]
}

/** Metadata of MultiMarkdown, which MkDocs reads before a page without dashes around it. */
export function bareFieldParts(text: string, reading: Reading): Part[] {
  const parts: Part[] = []
  for (const [index, line] of text.split('\n', 100).entries()) {
    const [, name, value = ''] = /^([A-Za-z][\w-]{0,50}):([^]*)$/.exec(line) ?? []
    if (name === undefined) break
    if (choosing.test(name)) parts.push(...fieldParts(name, value.trim(), index + 1))
    if (sending.test(name)) parts.push(...dataParts({ [name]: value.trim() }, () => index + 1, reading, true))
  }
  return parts
}

/** Of what is too large or too odd to be parsed, line by line: addresses, whatever they are for, and signs of markup. */
function unreadParts(text: string, from: number, reading: Reading): Part[] {
  const parts: Part[] = []
  for (const [index, given] of text.split('\n').entries()) {
    const line = readEscapes(given).replaceAll('\\"', '"').replaceAll('\\/', '/')
    const value = line
      .replace(/^[\s-]{0,200}["']?\w[\w$.-]{0,100}["']?\s{0,20}:\s{0,20}/, '')
      .replace(/^["']|["'],?\s*$/g, '')
    for (const [address] of line.matchAll(/(?:[a-z][a-z0-9+.-]{0,20}:)?[\\/]{2}[^\s"'<>,)\]}]{1,2000}/gi))
      parts.push(...hostsOf(address).map((host) => hostPart(host, from + index)))
    if (/[<`]|!\[|\]\(|script:|\{\{|\)\s{0,5}\}/i.test(line))
      parts.push(...valueParts(value, { names: [], line: from + index, reading }))
    if (/(?:^|[:\s[,{-])!(?:!?[a-z]|<)/i.test(line))
      parts.push(partOf('tag', 'a tag of YAML', line, from + index))
    if (/\$ref|^\s*(?:<<|["']?\*)/.test(line))
      parts.push(partOf('reference', 'a reference', line, from + index))
    if (parts.length > maxParts) break
  }
  return parts
}
