import type { ActivePart } from './active-part.ts'
import { firstLine, shown, squeezed, withLines } from './active-part.ts'
import { hostsOf } from './address.ts'
import { endOfBraces } from './end-of-braces.ts'
import { type Judgement, type KnownNames, isPlainSpread, judgeExpression } from './plain-expression.ts'
import { isNode, nodesIn, parseBraces, parseModule } from './parse-program.ts'
import type { SyntaxNode } from './parse-program.ts'
import { readJsxTag } from './read-tags.ts'
import { fetched, imagePart } from './tag-parts.ts'
import { valueParts } from './value-parts.ts'

type Part = Omit<ActivePart, 'line'> & { at: number }

const maxExpression = 20_000
/** Readings that come to no end. */
const maxTries = 500
/** What a name of a page stands for: a text or object of the page itself, which has been judged, data, or a file. */
export type Bound = ReadonlyMap<string, 'judged' | 'data' | 'file'>

/** Parts of a framework that are made for pages. */
const madeForPages =
  /^(?:@theme\/(?!Playground|ReactLive|Live)|@docusaurus\/(?:Link|useBaseUrl|Head)$|@astrojs\/starlight\/components$|astro:assets$)/
/** Elements that a page makes by their names when it has them as texts. */
const activeElement = /^(?:script|style|iframe|frame|object|embed|base|link|meta|form|svg|math|applet)$/i
const dataFile = /\.(?:json|ya?ml)$/i
const content = /\.(?:mdx?|markdown|png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|json|ya?ml)$/i

/**
 * Imports, exports and expressions of an MDX page, read from left to right as MDX reads it. `isFile` tells whether an
 * import names a file of the tree.
 */
export async function programParts(
  text: string,
  { isFile }: { isFile: (specifier: string) => boolean },
): Promise<Part[]> {
  const bound = new Map<string, 'judged' | 'data' | 'file'>()
  const { parts, ranges } = await moduleParts(text, { bound, isFile })
  const special = /\\[^]|[<{]/g
  let next = 0
  let tries = 0
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    const at = match.index
    while ((ranges[next]?.[1] ?? Infinity) <= at) next++
    const [start = Infinity, stop = 0] = ranges[next] ?? []
    if (start <= at) special.lastIndex = stop
    else if (match[0] === '<') {
      const tag = tries > maxTries ? undefined : readJsxTag(text, at)
      if (tag === undefined) tries++
      else if (tag.name.startsWith('props.') || bound.get(tag.name.split('.', 1)[0] ?? '') === 'data')
        parts.push(elementOfData(tag.name, at))
      for (const { name, value = '', isExpression, at: place } of tag?.attributes ?? []) {
        if (isExpression)
          parts.push(...(await expressionParts(value, place, { bound, name: name === '{}' ? '' : name })))
      }
      special.lastIndex = tag?.end ?? at + 1
    } else if (match[0] === '{') {
      const end =
        tries > maxTries ? undefined : endOfBraces(text, at, Math.min(text.length, at + maxExpression))
      if (end === undefined) {
        tries++
        parts.push(endless(text, at))
        continue
      }
      parts.push(...(await expressionParts(text.slice(at, end), at, { bound })))
      special.lastIndex = end
    }
  }
  return parts
}

function endless(text: string, at: number): Part {
  const rest = text.slice(at, at + 200).split('\n', 1)[0] ?? ''
  return {
    key: `open ${squeezed(rest)}`,
    what: `an expression without an end: ${shown(rest)}`,
    search: rest,
    at,
  }
}

function elementOfData(name: string, at: number): Part {
  return { key: `element ${name}`, what: `the element <${name}>, whose name is data`, search: `<${name}`, at }
}

/** Those of one `{…}`; `name` is that of the attribute it is given to. */
export async function expressionParts(
  source: string,
  at: number,
  { bound, name = '' }: { bound: Bound; name?: string },
): Promise<Part[]> {
  // Docusaurus takes a heading's id out before.
  if (/^\{#[\p{L}\p{N}_.:-]+\}$/u.test(source)) return []
  const spread = name === '' ? source.replace(/^\{\s*\.\.\./, '{') : source
  const node = await parseBraces(spread)
  if (node === 'empty') return []
  const known = knownNames(bound)
  const judgement = node === undefined ? undefined : judgeExpression(node, known, name)
  const isKnownSpread = spread === source || isPlainSpread(node, known)
  if (judgement?.isPlain === true && isKnownSpread && !judgement.reads.some((read) => isUntold(read, bound)))
    return textParts(judgement, at)
  return [
    {
      key: `expression ${withLines(source)}`,
      what: `an expression that does more than name what is there: ${shown(source)}`,
      search: firstLine(source),
      at,
    },
  ]
}

function knownNames(bound: Bound): KnownNames {
  return { knows: (name) => bound.has(name), isJudged: (name) => bound.get(name) === 'judged' }
}

/** An address that is fetched, and that stands elsewhere under any name: nobody can tell which it is. */
function isUntold({ name, field }: Judgement['reads'][number], bound: Bound): boolean {
  const isAddress = fetched.test(field) || /style|^background/i.test(field)
  return isAddress && name !== 'undefined' && (bound.get(name) ?? 'data') === 'data'
}

/** What stands in an expression as texts. */
function textParts({ texts }: Judgement, at: number): Part[] {
  return texts.flatMap(({ name, text }) => {
    const parts = valueParts(text, at, [name])
    const isPicture = /\.(?:png|jpe?g|gif|svg|webp|avif|ico)(?:[?#]|$)/i.test(text)
    return isPicture ? [...parts, ...hostsOf(text).map((host) => imagePart(host, at))] : parts
  })
}

async function moduleParts(
  text: string,
  {
    bound,
    isFile,
  }: { bound: Map<string, 'judged' | 'data' | 'file'>; isFile: (specifier: string) => boolean },
): Promise<{ parts: Part[]; ranges: [number, number][] }> {
  const parts: Part[] = []
  const ranges: [number, number][] = []
  let tries = 0
  for (const match of text.matchAll(/^(?:import|export)\b(?=[\s{*"'])/gm)) {
    const start = match.index
    if (start < (ranges.at(-1)?.[1] ?? 0)) continue
    const found = await statementsAt(text, start, tries++ > maxTries ? 1 : 20)
    if (found === undefined) continue
    ranges.push([start, found.end])
    for (const statement of found.statements)
      parts.push(...statementParts(statement, { text, start, bound, isFile }))
  }
  return { parts, ranges }
}

/** The statements that start here: up to the first blank line at which they parse. Prose does not. */
async function statementsAt(
  text: string,
  start: number,
  most: number,
): Promise<{ statements: SyntaxNode[]; end: number } | undefined> {
  // Nothing beyond it would be read.
  const source = text.slice(start, start + maxExpression)
  let end = 0
  for (let tries = 0; tries < most && end < source.length; tries++) {
    const next = /\n[ \t]*\n/g
    next.lastIndex = end
    const stop = next.exec(source)?.index ?? source.length
    const statements = await parseModule(source.slice(0, stop))
    if (statements !== undefined) return { statements, end: start + stop }
    end = stop + 1
  }
  // With JSX in it, or more than can be read: as a whole.
  const first = firstLine(text.slice(start, start + 300))
  if (
    !/^import\s+(?:[\w$]+|\{|\*|["'])[^.]*(?:from\s*)?["']|^export\s+(?:const|let|var|function|async|default|class|\{|\*)/.test(
      first,
    )
  )
    return undefined
  const stop = source.indexOf('\n\n')
  const whole = stop === -1 ? source : source.slice(0, stop)
  return { statements: [{ type: 'Unreadable', start: 0, end: whole.length }], end: start + whole.length }
}

function statementParts(
  statement: SyntaxNode,
  {
    text,
    start,
    bound,
    isFile,
  }: {
    text: string
    start: number
    bound: Map<string, 'judged' | 'data' | 'file'>
    isFile: (name: string) => boolean
  },
): Part[] {
  const at = start + Number(statement['start'])
  const source = text.slice(at, start + Number(statement['end']))
  const whole: Part = {
    key: `code ${withLines(source)}`,
    what: `code: ${shown(source)}`,
    search: firstLine(source),
    at,
  }
  if (statement.type === 'ImportDeclaration') {
    const specifier = isNode(statement['source']) ? String(statement['source']['value']) : ''
    const names = nodesIn(statement['specifiers']).map((one) =>
      isNode(one['local']) ? String(one['local']['name']) : '',
    )
    for (const name of names) bound.set(name, dataFile.test(specifier) ? 'data' : 'file')
    if (names.length > 0 && (madeForPages.test(specifier) || (content.test(specifier) && isFile(specifier))))
      return []
    // From another folder the same file has another relative path.
    const tail = specifier.replace(/^(?:\.{1,2}\/)+/, '')
    const isComponent = names.length > 0 && names.every((name) => /^[A-Z]/.test(name))
    return [
      {
        key: `import ${tail} ${isComponent ? '' : names.join(' ')}`,
        what: `an import of ${shown(specifier)}, which no page imports`,
        search: tail,
        at,
      },
    ]
  }
  const declaration = statement['declaration']
  if (
    statement.type !== 'ExportNamedDeclaration' ||
    !isNode(declaration) ||
    declaration.type !== 'VariableDeclaration'
  )
    return [whole]
  const parts: Part[] = []
  for (const one of nodesIn(declaration['declarations'])) {
    const [id, init] = [one['id'], one['init']]
    if (!isNode(id) || id.type !== 'Identifier' || !isNode(init)) return [whole]
    const judgement = judgeExpression(init, knownNames(bound), 'src')
    if (!judgement.isPlain || judgement.texts.some(({ text: name }) => activeElement.test(name)))
      return [whole]
    bound.set(
      String(id['name']),
      judgement.reads.some(({ name }) => bound.get(name) !== 'judged') ? 'data' : 'judged',
    )
    parts.push(...textParts(judgement, at))
  }
  return parts
}
