import { folderOf } from '../text/paths.ts'
import type { Site } from '../frameworks/site.ts'
import type { SiteView } from './site-view.ts'
import { compileMdx } from './compile-mdx.ts'
import { explainMdx, type MdxError } from './explain-mdx.ts'
import { mdxSource } from './mdx-source.ts'
import type { Finding } from './problem.ts'
import type { FileVersion } from './tree-change.ts'
import { readFrontMatter } from '../pages/front-matter.ts'

/** Of blobs, by their content and how they are read. */
const answers = new Map<string, MdxError | undefined>()
const maxAnswers = 5000

/** Whether the page compiles. Only the first mistake of a page is found, so a page that had one has none that is new. */
export async function checkMdx(file: FileVersion): Promise<Finding[]> {
  if (!isMdx(file) || !(await isCompiled(file))) return []
  const source = mdxSource(file.lines, file.site.framework)
  // Without any of these it is plain Markdown, in which nothing can be wrong.
  if (!/[<{]|^(?:import|export)\b/m.test(source)) return []
  const key = `${file.oid} ${file.site.framework}`
  if (!answers.has(key)) {
    if (answers.size >= maxAnswers) answers.clear()
    answers.set(key, await compileMdx(source))
  }
  const error = answers.get(key)
  if (error === undefined) return []
  const { message, hint } = explainMdx(error, file.lines[error.line - 1]?.text ?? '')
  return [{ check: 'mdx', line: error.line, message, hint, same: 'mdx' }]
}

/** Frameworks that read `.md` files as MDX too. */
const always = new Set(['mintlify', 'docusaurus'])

/** Whether the framework reads the file as MDX, be it a page or something that pages include. */
export function isMdx({ path, site, text }: FileVersion): boolean {
  const { framework } = site
  if (framework === 'mkdocs' || framework === 'vitepress') return false
  if (path.endsWith('.mdx')) return true
  if (!always.has(framework) || !path.endsWith('.md')) return false
  const { data } = readFrontMatter(text)
  return site.pageFor(path, data) !== undefined
}

/** Docusaurus reads MDX of an older kind before its third version, and can be told to read Markdown as such. */
async function isCompiled({ path, site, view, lines }: FileVersion): Promise<boolean> {
  if (site.framework !== 'docusaurus') return true
  const known = formats.get(site) ?? readFormats(view, site)
  formats.set(site, known)
  const { isOld, mayBePlain } = await known
  if (isOld || (mayBePlain && !path.endsWith('.mdx'))) return false
  const own = lines.filter(({ kind }) => kind === 'front_matter').map(({ text }) => text)
  return !(own.some((text) => text.startsWith('mdx:')) && own.some((text) => /\bformat:\s*md\b/.test(text)))
}

const formats = new WeakMap<Site, ReturnType<typeof readFormats>>()

async function readFormats(view: SiteView, site: Site): Promise<{ isOld: boolean; mayBePlain: boolean }> {
  const [config = ''] = site.configPaths
  const manifest = (await view.text(`${folderOf(config)}package.json`)) ?? ''
  return {
    isOld: /"@docusaurus\/core"\s*:\s*"[^\d"]{0,3}[12]\./.test(manifest),
    mayBePlain: /\bformat\s*:\s*['"](?:md|detect)['"]/.test((await view.text(config)) ?? ''),
  }
}
