import { parsePage } from '../pages/parse-page.ts'
import type { Page } from '../pages/page.ts'
import { slugify } from '../markdown/slug.ts'
import { findFrontMatter } from '../markdown/front-matter.ts'
import { yamlScalar } from '../text/yaml-scalar.ts'
import type { DescribedPages, Site } from '../site.ts'
import type { Description } from './description.ts'
import { lineOf, type Operation, operationsOf } from './operations.ts'
import type { ShownOperation } from './shown-operations.ts'
import { writeOperation } from './write-operation.ts'
import { isRemote } from './remote.ts'
import { writeLine } from './write-text.ts'

/**
 * Where the pages of operations are that the site itself has no address for. Only this server shows them.
 */
export const ownAddress = '/~api/'

/** The path of an operation's page: the file that describes it, and its name there. `api.yaml#GET /users/{id}`. */
export function operationPath(file: string, key: string): string {
  return `${file}#${key}`
}

/** The file to edit for a page: that of its description for an operation's page, and else its own. */
export function sourceFileOf(path: string): string {
  const at = path.search(/#(?:[A-Z]{3,7}|webhook) /i)
  const file = path.slice(0, Math.max(at, 0))
  return isRemote(file) || /\.(?:json|ya?ml)$/i.test(file) ? file : path
}

/** A page that is made of an operation. */
export interface OperationPage {
  operation: Operation
  path: string
  url: string
  language: string | undefined
  version: string | undefined
  hidden: boolean
}

/**
 * The operations of a description that have a page of their own. `shown`: names of those that other pages show. A
 * description that the site uses has the pages that the site makes of it; another one has a page for each operation.
 */
export function operationPages(
  site: Site,
  description: Description,
  shown: ReadonlySet<string>,
): OperationPage[] {
  const { file } = description.root
  const uses = site.described.filter((use) => use.file === file)
  const operations = operationsOf(description).filter(({ hidden }) => !hidden)
  const labels = site.pageFor(file.replace(/\.\w+$/, '.mdx'))
  const { language, version } = labels ?? { language: undefined, version: undefined }
  const pages = new Map<string, OperationPage>()
  const taken = new Set<string>()
  const add = (operation: Operation, place: Omit<OperationPage, 'operation' | 'path'>): void => {
    const path = operationPath(file, operation.key)
    let { url } = place
    for (let count = 1; taken.has(url); count++) url = `${place.url}-${count}`
    taken.add(url)
    if (!pages.has(path) && !shown.has(operation.key)) pages.set(path, { operation, ...place, url, path })
  }
  for (const use of uses.filter(({ isMade }) => isMade))
    for (const operation of operations)
      if (use.key === undefined || use.key === operation.key)
        add(operation, { ...use, url: mintlifyAddress(description, operation, use) })
  if (uses.length === 0 && shown.size === 0)
    for (const operation of operations)
      add(operation, { url: addressHere(file, operation), language, version, hidden: false })
  return [...pages.values()]
}

/** The address of a page that only this server shows, where the site's own is taken. */
export function addressHere(file: string, { key, tag }: Operation): string {
  const name = slugify(key.replaceAll(/[/{}]+/g, ' ').trim(), 'github').replaceAll(/-{2,}/g, '-')
  const folder = tag === undefined ? '' : slugify(tag, 'github')
  const source = isRemote(file) ? new URL(file).host + new URL(file).pathname : file
  return [`${ownAddress}${source}`, folder, name].filter((part) => part !== '').join('/')
}

/** Mintlify names its pages by the folder, the tag and the summary. */
function mintlifyAddress(
  { child }: Description,
  { place, tag, method, path }: Operation,
  { folder }: DescribedPages,
): string {
  const href = lineOf(child(child(place, 'x-mint'), 'href')?.value)
  const summary = lineOf(child(place, 'summary')?.value)
  const name = summary === undefined ? `${method}-${mintlifyName(path)}` : mintlifyName(summary)
  const parts = href === undefined ? [folder, mintlifyName(tag ?? ''), name] : [href]
  return `/${parts.join('/').toLowerCase()}`.replaceAll(/\/{2,}/g, '/').replace(/(?<=[^/])\/$/, '')
}

function mintlifyName(text: string): string {
  return text
    .slice(0, 500)
    .replaceAll(' ', '-')
    .replaceAll(/\{[^{}]{0,100}\}/g, '-')
    .replace(/^-/, '')
    .replace(/-$/, '')
    .replaceAll(/[{}(),.'/]/g, '')
    .replaceAll('--', '-')
    .toLowerCase()
}

/** What a page that shows an operation says of it behind its own text, below a heading if it has such a text. */
export function writeShown(source: string, description: Description, operation: Operation): string {
  return `\n\n${headingOf(source, operation.key)}${writeOperation(description, operation)}`
}

/** The same where no description says what the operation is. `why`: what is known of a description on the web. */
export function writeMissing(
  source: string,
  { key, file }: Pick<ShownOperation, 'key' | 'file'>,
  why: string | undefined,
): string {
  const isBare = headingOf(source, key) === ''
  const reason =
    file !== undefined && isRemote(file)
      ? outside(file, why)
      : file === undefined
        ? 'no OpenAPI file in this repository describes it'
        : `\`${file.replaceAll('`', '')}\` is not in this repository or does not describe it`
  return `\n\n${isBare ? `\`${key.replaceAll('`', '')}\`\n\n` : headingOf(source, key)}> [!NOTE]\n> The parameters and responses of this operation are not shown here: ${reason}.\n`
}

const mostListed = 300

/** What a page says that shows a whole description. */
export function writeList(description: Description): string {
  const operations = operationsOf(description).filter(({ hidden }) => !hidden)
  const lines = operations
    .slice(0, mostListed)
    .map(
      ({ key, title }) => `- \`${key.replaceAll('`', '')}\`${title === key ? '' : `: ${writeLine(title)}`}`,
    )
  const more = operations.length - lines.length
  return `\n\n${[...lines, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')}\n`
}

/** The same where the description is elsewhere. */
export function writeMissingList(place: string, why: string | undefined): string {
  const where = isRemote(place)
    ? outside(place, why)
    : `its description is \`${place.replaceAll('`', '')}\`, which is not in this repository`
  return `\n\n> [!NOTE]\n> The API of this page is not shown here: ${where}.\n`
}

function outside(address: string, why: string | undefined): string {
  const reason =
    why === undefined || why === '' ? 'does not describe it' : `is not available here (${writeLine(why)})`
  return `the API description at [${address}](${address}) ${reason}`
}

function headingOf(source: string, key: string): string {
  const isBare = source.slice(findFrontMatter(source)?.bodyStart).trim() === ''
  return isBare ? '' : `## \`${key.replaceAll('`', '')}\`\n\n`
}

/** The page of an operation and its Markdown. */
export function parseOperationPage(
  site: Site,
  description: Description,
  { operation, path, hidden, ...place }: OperationPage,
): { page: Page; content: string } | undefined {
  const name = lineOf(description.child(description.child(description.root, 'info'), 'title')?.value)
  const about = [operation.key, ...(name === undefined ? [] : [name.slice(0, 200)])].join(' – ')
  const front = [
    '---',
    `title: ${yamlScalar(operation.title, 'double')}`,
    `description: ${yamlScalar(about, 'double')}`,
    '---',
  ].join('\n')
  const content = `${front}${writeShown(front, description, operation)}\n`
  const page = parsePage(
    {
      pageFor: () => ({ ...place, hidden, navTitle: operation.title, inNavigation: !hidden }),
      dialectOf: () => ({ ...site.dialectOf(path), mdx: true }),
    },
    path,
    content,
  )
  return page && { page, content }
}
