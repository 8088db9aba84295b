import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import rehypeRaw from 'rehype-raw'
import { unified } from 'unified'
import type { Recording } from './compare-site.ts'

type Root = Extract<Parameters<ReturnType<typeof rehypeRaw>>[0], { type: 'root' }>
type Element = Extract<Root['children'][number], { type: 'element' }>

const reader = unified().use(rehypeRaw).freeze()
type Page = Recording['pages'][number]

/** The pages of a built site: their addresses, ids and links that lead nowhere. Redirects and pages without text are left out. */
export function readBuilt(folder: string, { base, text }: { base: string; text: readonly string[] }): Page[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  const pages = new Map<
    string,
    { headings: Page['headings']; ids: string[]; all: Set<string>; hrefs: string[] }
  >()
  for (const file of files.filter((name) => name.endsWith('.html')).sort()) {
    const all = elementsOf(readFileSync(join(folder, file), 'utf8'))
    const isRedirect = all.some(
      (one) => one.tagName === 'meta' && /^refresh$/i.test(valueOf(one, 'httpEquiv') ?? ''),
    )
    const content = text
      .map((selector) => all.find((one) => fits(one, selector)))
      .find((one) => one !== undefined)
    if (isRedirect || content === undefined) continue
    const inner = elementsIn(content)
    const headings = inner
      .filter((one) => /^h[1-6]$/.test(one.tagName) && !fits(one, `${one.tagName}.sr-only`))
      .map((one): [number, string | null] => [Number(one.tagName[1]), idOf(one, all)])
    const own = new Set(headings.map(([, id]) => id))
    pages.set(`/${file.replace(/(^|\/)index\.html$/, '$1')}`, {
      headings,
      ids: [...new Set(inner.flatMap((one) => valueOf(one, 'id') ?? []))].filter((id) => !own.has(id)),
      all: new Set(
        all.flatMap((one) =>
          [valueOf(one, 'id') ?? [], one.tagName === 'a' ? (valueOf(one, 'name') ?? []) : []].flat(),
        ),
      ),
      hrefs: inner.filter(({ tagName }) => tagName === 'a').flatMap((one) => valueOf(one, 'href') ?? []),
    })
  }
  const isDead = (address: string, href: string): boolean => {
    const url = new URL(href, `http://site${base.replace(/\/$/, '')}${address}`)
    if (url.host !== 'site') return false
    const path = decodeURI(url.pathname)
    if (!path.startsWith(base)) return true
    const inside = `/${path.slice(base.length)}`
    const page = [inside, `${inside}/`, `${inside}.html`]
      .map((one) => pages.get(one))
      .find((one) => one !== undefined)
    const isFile = files.some((file) =>
      [inside, `${inside}.html`, join(inside, 'index.html')].includes(`/${file}`),
    )
    const anchor = decodeURIComponent(url.hash.slice(1))
    return page === undefined ? !isFile : anchor !== '' && anchor !== 'top' && !page.all.has(anchor)
  }
  return Array.from(pages, ([address, { headings, ids, hrefs }]) => ({
    address,
    headings,
    ids,
    dead: hrefs.filter((href) => URL.canParse(href, 'http://site') && isDead(address, href)),
  }))
}

/** Of the heading, of the section that it opens, or of something in it. */
function idOf(heading: Element, all: readonly Element[]): string | null {
  const inside = elementsIn(heading)
    .slice(1)
    .flatMap((one) => valueOf(one, 'id') ?? [])[0]
  const section = all.find((one) => one.tagName === 'section' && headingIn(one) === heading)
  return valueOf(heading, 'id') ?? (section && valueOf(section, 'id')) ?? inside ?? null
}

/** The heading that a section begins with; names may stand before it. */
function headingIn(section: Element): Element | undefined {
  return section.children
    .filter((child) => child.type === 'element')
    .find(({ tagName, children }) => tagName !== 'span' || children.length > 0)
}

export function elementsOf(html: string): Element[] {
  const tree = reader.runSync({ type: 'root', children: [{ type: 'raw', value: html }] })
  return tree.type === 'root' ? elementsIn(tree) : []
}

export function elementsIn(node: Root | Element): Element[] {
  const inside = node.children.flatMap((child) => (child.type === 'element' ? elementsIn(child) : []))
  return node.type === 'element' ? [node, ...inside] : inside
}

export function valueOf({ properties }: Element, name: string): string | undefined {
  const value = properties[name]
  return typeof value === 'string' ? value : undefined
}

export function fits({ tagName, properties }: Element, selector: string): boolean {
  const [name, className] = selector.split('.')
  const classes = Array.isArray(properties['className']) ? properties['className'] : []
  return tagName === name && (className === undefined || classes.includes(className))
}
