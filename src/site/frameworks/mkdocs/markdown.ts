import { isRecord } from '../../../lib/is-record.ts'
import type { SlugStyle } from '../../markdown/slug.ts'
import type { YamlFile } from '../../navigation/yaml-file.ts'
import type { Dialect } from '../../pages/dialect.ts'
import { settingAt, textAt } from '../settings.ts'
import { dialects } from '../dialects.ts'

type Extensions = (name: string) => Readonly<Record<string, unknown>> | undefined

/** How pages are read with the extensions of Markdown that a configuration names. */
export function mkdocsDialect(extensions: Extensions, files: readonly YamlFile[]): Dialect {
  const has = (...names: string[]) => names.some((name) => extensions(name) !== undefined)
  const all = has('pymdownx.extra')
  const tabs = extensions('pymdownx.tabbed')
  const boxes = [
    ...(has('admonition', 'markdown.extensions.admonition') ? ['!!!'] : []),
    ...(has('pymdownx.details') ? ['???'] : []),
    ...(tabs === undefined ? [] : ['===']),
  ]
  const hasLists =
    all || has('attr_list', 'extra', 'markdown.extensions.attr_list', 'markdown.extensions.extra')
  const toc = extensions('toc') ?? extensions('markdown.extensions.toc')
  const tabIds = tabs === undefined ? undefined : slugStyleOf('pymdownx.tabbed', tabs, files)
  return {
    ...dialects.mkdocs,
    boxes,
    headings: {
      ...dialects.mkdocs.headings,
      ownIds: hasLists ? 'loose-list' : 'none',
      leavesEmojiOut: has('pymdownx.emoji'),
    },
    slugs: (toc && slugStyleOf('toc', toc, files)) ?? dialects.mkdocs.slugs,
    ...(tabIds !== undefined && { tabIds }),
  }
}

/** The style that an extension's setting `slugify` means: a function of Python, with arguments. */
function slugStyleOf(
  extension: string,
  settings: Readonly<Record<string, unknown>>,
  files: readonly YamlFile[],
): SlugStyle | undefined {
  const { slugify } = settings
  if (slugify === undefined) return undefined
  // Names of functions are tags of YAML, which are no values.
  const name =
    textAt(slugify, 'object') ?? files.map(({ text }) => functionIn(text, extension)).find(Boolean) ?? ''
  const kwds = isRecord(slugify) ? settingAt(slugify, 'kwds') : undefined
  const isLower = /^(?:lower|fold|lower-ascii)$/.test(textAt(kwds, 'case') ?? 'none')
  if (/\bslugs\.(?:gfm|uslugify|uslugify_encoded|gfm_encoded)$/.test(name)) return 'pymdownx'
  if (/\bslugs\.(?:uslugify_cased|uslugify_cased_encoded)$/.test(name)) return 'pymdownx-cased'
  if (/\bslugs\.slugify$/.test(name)) return isLower ? 'pymdownx' : 'pymdownx-cased'
  if (/\btoc\.slugify$/.test(name)) return 'python'
  // All others that are common keep letters of every script.
  return 'python-unicode'
}

function functionIn(text: string, extension: string): string | undefined {
  const lines = text.slice(0, 250_000).split('\n')
  const key = new RegExp(
    String.raw`^\s{0,40}-?\s{0,40}(?:markdown\.extensions\.)?${extension.replaceAll('.', '\\.')}:\s{0,40}$`,
  )
  const at = lines.findIndex((line) => key.test(line))
  if (at === -1) return undefined
  const depth = lines[at]?.search(/\S/) ?? 0
  for (const line of lines.slice(at + 1)) {
    if (line.trim() !== '' && line.search(/\S/) <= depth) return undefined
    const name = /^\s*slugify:\s*!!python\/(?:name|object\/apply):([\w.]+)/.exec(line)?.[1]
    if (name !== undefined) return name
  }
  return undefined
}
