import type { DocsSite } from '../checks/docs-site.ts'
import { openMintlify } from './mintlify.ts'
import { openMkdocs } from './mkdocs.ts'
import type { Navigation, ReadText } from './navigation.ts'

/** Undefined where the framework derives its navigation from files or keeps it in code. */
export async function openNavigation(
  read: ReadText,
  input: { site: DocsSite; paths: ReadonlySet<string> },
): Promise<Navigation | undefined> {
  const [config] = input.site.configPaths
  if (config === undefined) return undefined
  if (input.site.framework === 'mintlify') return openMintlify(read, { ...input, config })
  if (input.site.framework === 'mkdocs') return openMkdocs(read, { ...input, config })
  return undefined
}
