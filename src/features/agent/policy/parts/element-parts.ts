import { posix } from 'node:path'
import { activeScheme, hostsOf, hostsOfSet, isExampleHost, isPlainPicture } from '../addresses.ts'
import { type Apart, cookedOf, formOf, jsxName, namesInForm } from './code-form.ts'
import {
  fetched,
  followed,
  inertAttributes,
  labelling,
  inertElements,
  isPlainStyle,
  isSiteName,
  isSensitive,
  runs,
  styleName,
} from './inert-names.ts'
import { hidingParts } from './hiding-parts.ts'
import { namesFileBeyond } from './include-parts.ts'
import { isRunningKey } from './plain-arguments.ts'
import type { Attribute, Element, Reading } from './reading.ts'
import { contentHash } from '../../../../site/text/content-hash.ts'
import { parseValue } from '../../../../site/code-config/parse-script.ts'
import { type Part, hostPart, launchParts, partOf, shown, squeezed, wordsOfHost } from './part.ts'
import { type SyntaxNode, isNode, nodesIn, siteAddress } from './text-parts.ts'

/** Elements whose content is no markup to a browser. */
export const rawElement = /^(?:script|style|textarea|title|xmp|iframe|noembed|noframes|noscript|plaintext)$/i

/** Elements that do something to a page, or change how what follows is read, without an attribute. */
const acting =
  /^(?:script|style|i?frame|frameset|noframes|noembed|noscript|object|embed|applet|param|form|input|button|select|option|textarea|fieldset|link|meta|base|basefont|bgsound|template|slot|portal|dialog|title|html|head|body|svg|math|xmp|plaintext|listing|image|audio|video|source|area|map|marquee|keygen|isindex|fencedframe|animate\w*|set|use|foreignobject)$/i

/** What an element does beyond showing its content. */
export function elementParts(element: Element, reading: Reading): Part[] {
  const { attributes, source, line } = element
  const { dialect, names } = reading
  // Names of HTML are the same in capitals.
  const isFolded =
    !dialect.mdx && (!dialect.vue || /^[A-Z\d]+$/.test(element.name)) && !isSiteName(element.name)
  const name = isFolded ? element.name.toLowerCase() : element.name
  const [root = name, member] = name.split('.')
  const isComponent = /^[A-Z]|[.-]/.test(name) || (dialect.mdx && names.has(root))
  const parts: Part[] = []
  const isHtml = /^[A-Za-z][a-z\d]*$/.test(name)
  // Without attributes it is a placeholder: nothing knows it but the site's own code.
  const isPlaceholder = !isHtml || /^[a-z]{2,}[A-Z][A-Za-z]*$/.test(element.name)
  const isUnknown = isHtml && !acting.test(name)
  if ((isPlaceholder || isUnknown) && attributes.length === 0 && !dialect.mdx && !dialect.vue) return []
  if (isComponent && (!isHtml || dialect.mdx || dialect.vue)) {
    const bound = names.get(root)
    const isKnown =
      bound === 'module' ||
      (bound === undefined &&
        (member === undefined || /^[A-Z]\w*$/.test(name.slice(root.length + 1))) &&
        reading.ships('component', root))
    // Other pages may know it by this one.
    const isBound = bound === 'module'
    if (!isKnown || isBound)
      parts.push({
        isBound,
        key: `component ${name}`,
        what: `an element <${name}>, which no page has`,
        line,
        degree: 'look',
        words: name,
      })
  } else if (!inertElements.has(name.toLowerCase())) {
    const hosts = name.toLowerCase() === 'iframe' ? frameHosts(attributes) : []
    for (const host of hosts)
      parts.push({
        key: `frame ${host}`,
        what: `an element <iframe> of the host ${host}`,
        line,
        approval: { kind: 'host', value: host },
        words: wordsOfHost(host),
      })
    // Only what it is counts, wherever it stands and whatever stands in it.
    const isControl = /^(?:button|select|option|fieldset|source|area|map)$/i.test(name)
    const form = [
      name,
      ...attributes
        .filter((one) => !isControl || !labelling.test(one.name))
        .map(formOfAttribute)
        .sort(),
      withPlaces(element.content ?? '', reading.path),
    ]
    const { key } = partOf('element', '', form.join('\n'), line)
    const { what } = partOf('element', `an element <${name}>`, source, line)
    const words = [name, ...attributes.map((one) => one.name)].join(' ')
    if (hosts.length === 0) parts.push({ key, line, what, words })
  }
  for (const attribute of attributes)
    parts.push(...attributeParts(attribute, { element, isComponent, reading }))
  return parts
}

/** With the paths of modules from the root of the repository: a page that moves imports the same ones. */
function withPlaces(source: string, path: string): string {
  return source.replaceAll(
    /(\b(?:from|import)\s{0,20})(["'])(\.{1,2}\/[\w./-]{1,500})\2/g,
    (_, before: string, quote: string, module: string) =>
      `${before}${quote}\0${posix.join(posix.dirname(path), module)}${quote}`,
  )
}

/** Of a frame that shows nothing but pages of other hosts. */
function frameHosts(attributes: readonly Attribute[]): string[] {
  const addresses = attributes.filter(({ name }) => /^src/i.test(name))
  const hosts = addresses.map(({ name, value = '' }) => (/^src$/i.test(name) ? hostsOf(value) : []))
  return hosts.every((some) => some.length > 0) ? [...new Set(hosts.flat())] : []
}

function attributeParts(
  attribute: Attribute,
  { element, isComponent, reading }: { element: Element; isComponent: boolean; reading: Reading },
): Part[] {
  const { line } = element
  const { name, source, expression } = attribute
  const bound = reading.dialect.vue ? /^(?:v-bind:|:)([a-z][\w-]*)$/i.exec(name)?.[1] : undefined
  const plain = bound ?? name
  const isSlot = reading.dialect.vue && /^(?:#|v-slot:)[\w-]+$/.test(name) && attribute.value === undefined
  const parts: Part[] = []
  if (
    !isSlot &&
    !(isComponent ? isProperty(plain, attribute, reading) : isInertAttribute(plain, attribute))
  ) {
    const key = `attribute ${element.name} ${formOfAttribute(attribute)}`
    parts.push({
      ...partOf('', `the attribute ${shown(name)}`, source, line),
      key,
      words: `${element.name} ${name}`,
    })
  }
  if (!isComponent || !/^(?:hidden|color)$/i.test(name))
    parts.push(...hidingParts(name, attribute.value ?? source, line))
  if (bound !== undefined) {
    const value = parseValue(attribute.value ?? '')
    parts.push(...expressionParts(isNode(value) ? value : 'none', { source, line, field: bound, reading }))
  } else if (expression !== undefined)
    parts.push(...expressionParts(expression, { source, line, field: name, reading }))
  else if (attribute.value !== undefined && !/^i?frame$/i.test(element.name))
    parts.push(...valueParts(attribute.value, { names: [name], line, reading, isComponent }))
  return parts
}

/** An attribute however it is laid out. */
function formOfAttribute({ name, value, expression, source }: Attribute): string {
  if (expression === 'none') return squeezed(source)
  return `${name}=${expression === undefined ? squeezed(value ?? '') : JSON.stringify(formOf(expression))}`
}

/** Whether an attribute only gives a value to a component. Vue's own and those of other libraries begin with a word and a dash. */
function isProperty(name: string, attribute: Pick<Attribute, 'value'>, { dialect }: Reading): boolean {
  if (runs.test(name)) return false
  const isNamed = dialect.vue ? /^(?!v-)[A-Za-z][\w-]*$/i.test(name) : /^[A-Za-z]\w*$/.test(name)
  return isNamed || isInertAttribute(name, attribute)
}

function isInertAttribute(name: string, { value = '' }: Pick<Attribute, 'value'>): boolean {
  const plain = name.toLowerCase()
  if (inertAttributes.has(plain)) return true
  return /^aria-?[a-z]+$/.test(plain) || (/^data-[\w-]+$/.test(plain) && /^[\w\s.,#+-]*$/.test(value))
}

/** Of no library that runs what its attributes say. */
const plainName = /^(?!(?:data|hx|ng|up|al|wire|action|form)(?:-|$))[a-z]+(?:-[a-z]+)*$/i

/** The hosts that an attribute of a list loads from; undefined for one that does more than format. */
export function attributeHosts(
  name: string,
  value: string,
  reading: Reading,
  isComponent: boolean,
): Part[] | undefined {
  const isInert = isComponent ? isProperty(name, { value }, reading) : isInertAttribute(name, { value })
  const isPlain =
    plainName.test(name) && !runs.test(name) && !isRunningKey(name) && /^[\w\s.,#+-]*$/.test(value)
  if ((!isInert && !isPlain) || hidingParts(name, value, 1).length > 0) return undefined
  const parts = valueParts(value, { names: [name], line: 1, reading, isComponent })
  if (!parts.every(({ approval }) => approval?.kind === 'host')) return undefined
  const what = `the attribute ${name}, which no page has`
  return isInert ? parts : [...parts, { key: `listed ${name}`, what, line: 1, degree: 'look', words: name }]
}

/**
 * What a text of an attribute, of a field or of code becomes where it is put into a page. `names` are those of the fields
 * around it, the nearest first.
 */
export function valueParts(
  text: string,
  {
    names,
    line,
    reading,
    isComponent = false,
  }: { names: readonly string[]; line: number; reading: Reading; isComponent?: boolean },
): Part[] {
  const parts: Part[] = []
  const [name = ''] = names
  const scheme = activeScheme(text)
  const isPicture = isPlainPicture(text) || (fetched.test(name) && /^\s*data:image\//i.test(text))
  if (scheme !== undefined && !isPicture)
    return [partOf('address', `an address of the scheme ${scheme}`, text, line)]
  // A component may take a text apart, or for the name of a file.
  if (isComponent && /["'(=\s](?:java|vb)script:[^\s]/i.test(text))
    parts.push(partOf('address', 'an address that runs', text, line))
  if (isComponent && namesFileBeyond(text, reading.path))
    parts.push(partOf('file', 'an attribute that names a file beyond the site', `${name}: ${text}`, line))
  if (/^(?:href|to|link|url|xlink:href)$/i.test(name)) parts.push(...launchParts(text, line))
  const hosts: string[] = []
  if (names.some((one) => fetched.test(one))) hosts.push(...hostsOfSet(text))
  else if (isComponent && !followed.test(name))
    hosts.push(...hostsOf(text).filter((host) => !isExampleHost(host)))
  parts.push(...[...new Set(hosts)].map((host) => hostPart(host, line, text)))
  const isStyle =
    names.some((one) => styleName.test(one)) || /(?<!\w)url\s*\(|\\[0-9a-f]{2}[^\\]{0,100}\(/i.test(text)
  if (isStyle && !isPlainStyle(text))
    parts.push(partOf('style', 'a style that may load something', text, line))
  const isAddress = reading.dialect.templates !== 'none' && siteAddress.test(text)
  if (!isAddress && /[<{\\`$]|\]\s*[(:[]|!\[|:{2}|!{3}/.test(text)) parts.push(...reading.read(text, line))
  return parts
}

/** What an expression does beyond writing out plain values and naming what the page has bound. */
export function expressionParts(
  node: SyntaxNode | 'none',
  { source, line, field, reading }: { source: string; line: number; field: string; reading: Reading },
): Part[] {
  const texts: { name: string; text: string }[] = []
  const elements: SyntaxNode[] = []
  if (node !== 'none' && isPlain(node, field, 0))
    return [
      // What stands between tags is shown as text.
      ...texts
        .filter(({ name }) => name !== '')
        .flatMap(({ name, text }) => {
          const isPicture = /\.(?:png|jpe?g|gif|svg|webp|avif|ico)(?:[?#]|$)/i.test(text)
          return valueParts(text, { names: isPicture ? [name, 'src'] : [name], line, reading })
        }),
      ...elements.flatMap((one) => jsxParts(one, { source, line, reading })),
    ]
  const what = 'an expression that does more than write out plain values'
  if (node === 'none') return [partOf('expression', what, source, line)]
  // A value that readers only see is another thing where a browser follows or loads it.
  const kind = `expression ${isSensitive(field) || runs.test(field) ? field : ''}`
  const part = partOf('', what, source, line)
  if (node.type !== 'TemplateLiteral') return codeParts(node, kind, { ...part, source }, reading)
  // The text around values may change, but for the start of an address.
  const pieces = nodesIn(node['quasis']).map(cookedOf)
  const fixed = isSensitive(field) ? pieces.splice(0, 1) : []
  const values = nodesIn(node['expressions']).map((one) => formOf(one))
  return [
    {
      ...part,
      key: `${kind} ${JSON.stringify([fixed, values])}`,
      words: namesInForm(JSON.stringify(values)),
    },
    ...pieces.flatMap((text) => valueParts(text, { names: [field], line, reading })),
  ]

  function isPlain(one: SyntaxNode, name: string, depth: number): boolean {
    if (depth > 100) return false
    const all = (children: unknown, of = name) =>
      nodesIn(children).every((child) => isPlain(child, of, depth + 1))
    switch (one.type) {
      case 'Literal':
        if (typeof one['value'] === 'string') texts.push({ name, text: one['value'] })
        return one['regex'] === undefined
      case 'TemplateLiteral':
        texts.push(...nodesIn(one['quasis']).map((piece) => ({ name, text: cookedOf(piece) })))
        return nodesIn(one['expressions']).length === 0
      case 'UnaryExpression':
        return /^[-+!]$/.test(String(one['operator'])) && all([one['argument']])
      case 'ArrayExpression':
        return all(one['elements'])
      case 'ObjectExpression':
        return nodesIn(one['properties']).every((property) => {
          const key = isNode(property['key'])
            ? String(property['key']['name'] ?? property['key']['value'])
            : ''
          const isField =
            property.type === 'Property' && property['kind'] === 'init' && property['computed'] !== true
          return (
            isField &&
            property['method'] !== true &&
            !runs.test(key) &&
            key !== '__proto__' &&
            all([property['value']], key)
          )
        })
      case 'JSXElement':
      case 'JSXFragment':
        elements.push(one)
        return true
      case 'JSXExpressionContainer':
        return all([one['expression']])
      case 'JSXEmptyExpression':
        return true
      case 'MemberExpression': {
        // `require('…/x.png').default`
        const { object, property, computed } = one
        const isDefault = computed !== true && isNode(property) && property['name'] === 'default'
        if (isDefault && isNode(object) && object.type === 'CallExpression') return isFileOfSite(object, name)
        return isPlainName(one, name)
      }
      case 'Identifier':
        return isPlainName(one, name)
      case 'CallExpression':
        return isFileOfSite(one, name)
      default:
        return false
    }
  }

  /** What is bound, and fields of it: where no address and no style comes of it that nobody can tell. */
  function isPlainName(one: SyntaxNode, name: string): boolean {
    let root: unknown = one
    for (let times = 0; isNode(root) && root.type === 'MemberExpression' && times < 20; times++) {
      const key = isNode(root['property']) ? root['property'] : undefined
      const field = root['computed'] === true ? key?.['value'] : key?.['name']
      if (typeof field !== 'string' || /^(?:constructor|prototype|__\w+)$/.test(field)) return false
      root = root['object']
    }
    if (!isNode(root) || root.type !== 'Identifier') return false
    const id = String(root['name'])
    const known = reading.names.get(id)
    if (id === 'undefined' || known === 'value' || known === 'module') return true
    const isData =
      known === 'data' ||
      (/^(?:frontmatter|\$frontmatter|\$params)$/.test(id) && one.type === 'MemberExpression')
    return isData && !isSensitive(name)
  }

  /** `require('…/x.png')` and `useBaseUrl('/x')`, by which Docusaurus pages name their files. */
  function isFileOfSite(one: SyntaxNode, name: string): boolean {
    const { callee } = one
    const [argument, ...more] = nodesIn(one['arguments'])
    const file = argument?.type === 'Literal' ? argument['value'] : undefined
    if (!isNode(callee) || callee.type !== 'Identifier' || more.length > 0 || typeof file !== 'string')
      return false
    // Of the site: no hidden file, no other host and none that only a folder far above could hold.
    if (/(?:^|\/)\.[^./]|^[a-z]+:|^\/\/|\\|(?:\.\.\/){5}/i.test(file)) return false
    texts.push({ name, text: file })
    const isPicture = /^[^!?]+\.(?:png|jpe?g|gif|svg|webp|avif|mp4|webm|pdf)$/i.test(file)
    return callee['name'] === 'useBaseUrl' || (callee['name'] === 'require' && isPicture)
  }
}

/**
 * Code as a part for each statement, property and element of its lists, known by what it stands in, however it is laid
 * out. Elements of JSX are judged as those of a page. `kind` is of which code or where, `part` tells of the whole of it.
 */
export function codeParts(
  node: SyntaxNode,
  kind: string,
  { source, ...part }: Omit<Part, 'key'> & { source: string },
  reading: Reading,
): Part[] {
  const apart: Apart = { inner: [], elements: [] }
  const form = JSON.stringify(formOf(node, apart))
  const key = `code ${contentHash(Buffer.from(`${kind} ${form}`))}`
  return [
    { ...part, key, words: namesInForm(form) },
    ...apart.inner.flatMap((one) => codeParts(one, key, { ...part, source }, reading)),
    ...apart.elements.flatMap((one) => jsxParts(one, { source, line: part.line, reading })),
  ]
}

/** An element of JSX that stands in an expression, with what is in it. */
function jsxParts(node: SyntaxNode, of: { source: string; line: number; reading: Reading }): Part[] {
  const { source, line, reading } = of
  const parts: Part[] = []
  const opening = node['openingElement']
  if (isNode(opening)) {
    const name = jsxName(opening['name'])
    const attributes = nodesIn(opening['attributes']).map((one): Attribute => {
      const { value } = one
      if (one.type !== 'JSXAttribute')
        return { name: '{...}', expression: 'none', source: JSON.stringify(formOf(one)) }
      if (!isNode(value)) return { name: jsxName(one['name']), source }
      const isText = value.type === 'Literal' && typeof value['value'] === 'string'
      const key = jsxName(one['name'])
      return isText
        ? { name: key, value: String(value['value']), source: `${key}=${String(value['value'])}` }
        : { name: key, expression: value, source }
    })
    const content = rawElement.test(name) ? JSON.stringify(formOf(node['children'])) : undefined
    parts.push(...elementParts({ name, attributes, source, content, line }, reading))
  }
  for (const child of nodesIn(node['children']))
    if (child.type !== 'JSXText') parts.push(...expressionParts(child, { source, line, field: '', reading }))
  return parts
}
