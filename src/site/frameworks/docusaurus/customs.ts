import { isRecord } from '../../../lib/is-record.ts'
import { readFrontMatter } from '../../markdown/front-matter.ts'
import type { FrontMatterNeed, PageCustoms } from '../../pages/page-customs.ts'
import type { FrontMatterData } from '../../pages/page.ts'
import { folderOf } from '../../text/paths.ts'
import type { ReadFile } from '../../files.ts'
import { isText, needsKind } from '../front-matter-needs.ts'

/** What Docusaurus asks of pages. */
export function docusaurusCustoms(config: string): PageCustoms {
  let formats: ReturnType<typeof readFormats> | undefined
  return {
    hiding: '`unlisted: true`',
    needsOf,
    /** Before its third version, MDX was of an older kind; it can be told to read Markdown as such. */
    async isCompiled({ path, text }, read) {
      formats ??= readFormats(read, config)
      const { isOld, mayBePlain } = await formats
      if (isOld || (mayBePlain && !path.endsWith('.mdx'))) return false
      const { mdx } = readFrontMatter(text).data
      return !(isRecord(mdx) && mdx['format'] === 'md')
    },
  }
}

async function readFormats(read: ReadFile, config: string): Promise<{ isOld: boolean; mayBePlain: boolean }> {
  const manifest = (await read(`${folderOf(config)}package.json`)) ?? ''
  return {
    isOld: /"@docusaurus\/core"\s*:\s*"[^\d"]{0,3}[12]\./.test(manifest),
    mayBePlain: /\bformat\s*:\s*['"](?:md|detect)['"]/.test((await read(config)) ?? ''),
  }
}

function needsOf(data: FrontMatterData): FrontMatterNeed[] {
  return [
    ...needsKind(data, ['id', 'slug', 'title', 'sidebar_label', 'description'], 'text', isText),
    ...(isText(data['id']) && String(data['id']).includes('/')
      ? [{ key: 'id', message: 'The id of the page contains a slash', hint: 'Leave the folder out of `id`' }]
      : []),
    ...needsKind(
      data,
      ['sidebar_position'],
      'a number',
      (value) => isText(value) && String(value).trim() !== '' && Number.isFinite(Number(value)),
    ),
    ...needsKind(
      data,
      ['draft', 'unlisted', 'hide_title', 'hide_table_of_contents'],
      'true or false',
      (value) => typeof value === 'boolean' || value === 'true' || value === 'false',
    ),
  ]
}
