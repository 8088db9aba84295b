import { parse, parseExpressionAt } from 'acorn'

/** A node of an ESTree program, as untrusted as its source. */
export interface SyntaxNode {
  type: string
  [field: string]: unknown
}

// It tries again at every closing brace.
const maxTries = 100
const maxSource = 20_000
/** Nothing but white space and comments. */
const blank = /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/)*$/
let loaded: Promise<(source: string) => SyntaxNode | undefined> | undefined

/** The expression between the braces of `{…}`; `empty` for none or a comment, undefined for what does not parse. */
export async function parseBraces(source: string): Promise<SyntaxNode | 'empty' | undefined> {
  if (source.length > maxSource) return undefined
  const inner = source.slice(1, -1)
  if (blank.test(inner)) return 'empty'
  try {
    const node: unknown = parseExpressionAt(source, 1, { ecmaVersion: 'latest', sourceType: 'module' })
    if (isNode(node) && blank.test(source.slice(Number(node['end']), -1))) return node
  } catch {
    // JSX in it needs the other parser.
  }
  if (!/<[A-Za-z>]/.test(source) || source.split('}').length > maxTries) return undefined
  const node = (await parserOfMdx())(source)
  if (node === undefined || node['type'] === 'JSXEmptyExpression')
    return node === undefined ? undefined : 'empty'
  return node['type'] === 'ExpressionStatement' && isNode(node['expression']) ? node['expression'] : undefined
}

/** The statements of a module; undefined for what does not parse. */
export async function parseModule(source: string): Promise<SyntaxNode[] | undefined> {
  if (source.length > maxSource) return undefined
  try {
    const program: unknown = parse(source, { ecmaVersion: 'latest', sourceType: 'module' })
    return isNode(program) ? nodesIn(program['body']) : undefined
  } catch {
    return undefined
  }
}

export function nodesIn(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

// Loaded when a page first needs it: it is large.
async function parserOfMdx(): Promise<(source: string) => SyntaxNode | undefined> {
  loaded ??= import('@mdx-js/mdx').then(({ createProcessor }) => {
    const processor = createProcessor({ format: 'mdx' })
    return (source) => {
      try {
        const tree: unknown = processor.parse(source)
        const [only, ...more] = isNode(tree) ? nodesIn(tree['children']) : []
        if (only === undefined || more.length > 0 || !/^mdx(?:Flow|Text)Expression$/.test(only.type))
          return undefined
        const data: unknown = only['data']
        const estree: unknown =
          typeof data === 'object' && data !== null && 'estree' in data ? data.estree : undefined
        return isNode(estree) ? nodesIn(estree['body'])[0] : undefined
      } catch {
        return undefined
      }
    }
  })
  return loaded
}
