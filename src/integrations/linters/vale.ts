import { z } from 'zod'
import { findConfigurations, insideTree, readText } from './find-configuration.ts'
import type { LintFile, Linter } from './linter.ts'
import type { LintTree } from '../../site/checks/lint.ts'
import { jsonOf } from '../../lib/text/json-of.ts'

const maxStyles = 2000
const maxStyleBytes = 16 * 1024 * 1024
const settings = new Set(
  'minalertlevel ignoredscopes skippedscopes ignoredclasses wordtemplate vocab basedonstyles blockignores tokenignores lang'.split(
    ' ',
  ),
)

const alerts = z.record(
  z.string(),
  z.array(z.object({ Line: z.number(), Message: z.string(), Check: z.string().optional() })),
)

/** Vale, with the styles that stand in the repository: none is downloaded, and rules that are scripts are left out. */
export const vale: Linter = {
  name: 'vale',
  program: 'vale',
  prepare: async (tree, pages) => {
    const [found] = findConfigurations(tree, ['.vale.ini', '_vale.ini', 'vale.ini'], pages)
    const text = found && (await readText(tree, `${found.folder}${found.name}`))
    if (found === undefined || text === undefined) return undefined
    const { lines, styles } = readIni(text)
    const place = styles === undefined ? undefined : insideTree(found.folder, styles)
    const copied = place === undefined || place === '' ? [] : await readStyles(tree, `${place}/`)
    const ini = { path: '.vale.ini', content: `StylesPath = styles\n${lines.join('\n')}\n` }
    return { folder: found.folder, files: [...copied, ini] }
  },
  call: (pages) => ({
    args: ['--config=.vale.ini', '--output=JSON', '--no-exit', '--', ...pages.map((page) => `./${page}`)],
  }),
  parse: ({ stdout }) => {
    const parsed = alerts.safeParse(jsonOf(stdout))
    return Object.entries(parsed.data ?? {}).flatMap(([path, found]) =>
      found.map(({ Line, Message, Check }) => ({ path, line: Line, message: Message, rule: Check })),
    )
  },
}

/** The lines that set how strict Vale is. The folder of styles is set by this server. */
function readIni(text: string): { lines: string[]; styles: string | undefined } {
  const lines: string[] = []
  let styles: string | undefined
  let section = ''
  let hasFormat = false
  for (const line of text.replace(/(?:(?<!\s)\s+)?\\\r?\n\s*/g, ' ').split(/\r?\n/)) {
    const named = /^\s*\[(.+)\]\s*$/.exec(line)?.[1]
    if (named !== undefined) {
      section = named.trim()
      lines.push(`[${section}]`)
      // Vale reads MDX by another program, which may be missing.
      if (section === 'formats') {
        lines.push('mdx = md')
        hasFormat = true
      }
      continue
    }
    const [key = '', value = ''] = (/^([^=;#]+)=(.*)$/.exec(line) ?? []).slice(1).map((side) => side.trim())
    if (key.toLowerCase() === 'stylespath') styles ??= value
    else if (section === 'formats') {
      if (value === 'md' && key !== 'mdx') lines.push(`${key} = md`)
    } else if (settings.has(key.toLowerCase()) || /^[\w-]+\.[\w-]+$/.test(key))
      lines.push(`${key} = ${value}`)
  }
  // Lines before the first section apply everywhere, so a section has to follow them.
  return { lines: hasFormat ? lines : [...lines, '[formats]', 'mdx = md'], styles }
}

async function readStyles(tree: LintTree, folder: string): Promise<LintFile[]> {
  const paths = [...tree.list()].filter(
    (path) => path.startsWith(folder) && /\.(?:ya?ml|txt|dic|aff|json)$/i.test(path),
  )
  const files: LintFile[] = []
  let bytes = 0
  for (const path of paths.slice(0, maxStyles)) {
    const content = await tree.read(path)
    if (content === undefined) continue
    bytes += content.length
    if (bytes > maxStyleBytes) break
    const isScript = /^[^\S\r\n\u2028\u2029]*["']?(?:extends["']?\s*:\s*["']?script|script["']?\s*:)/im.test(
      new TextDecoder().decode(content),
    )
    if (!isScript) files.push({ path: `styles/${path.slice(folder.length)}`, content })
  }
  return files
}
