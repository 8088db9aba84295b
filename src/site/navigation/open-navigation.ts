import type { Site } from '../frameworks/site.ts'
import { openCode } from './code.ts'
import { openMintlify } from './mintlify.ts'
import { openMkdocs } from './mkdocs.ts'
import type { Navigation, ReadText } from './navigation.ts'
import type { ReadPageData } from './page-data.ts'

/** Undefined where the framework derives its navigation from files, or code makes all of it. */
export async function openNavigation(
  read: ReadText,
  input: { site: Site; paths: ReadonlySet<string>; pageData?: ReadPageData },
): Promise<Navigation | undefined> {
  const { code } = input.site
  if (code !== undefined) return openCode(read, { ...input, code, pageData: input.pageData })
  const [config] = input.site.configPaths
  if (config === undefined) return undefined
  if (input.site.framework === 'mintlify') return openMintlify(read, { ...input, config })
  if (input.site.framework === 'mkdocs') return openMkdocs(read, { ...input, config })
  return undefined
}
