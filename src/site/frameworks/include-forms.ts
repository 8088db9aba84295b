import type { IncludeForm } from '../pages/include-form.ts'
import type { FrameworkName } from '../site.ts'
import { gitbookIncludes } from './gitbook/includes.ts'
import { hugoIncludes } from './hugo/includes.ts'
import { jekyllIncludes } from './jekyll/includes.ts'
import { mdbookIncludes } from './mdbook/includes.ts'
import { mintlifyIncludes } from './mintlify/includes.ts'
import { mkdocsIncludes } from './mkdocs/includes.ts'
import { mystIncludes } from './myst/includes.ts'
import { vitepressIncludes } from './vitepress/includes.ts'

/** How the pages of frameworks include files, besides imports of MDX. */
export const includeForms: Readonly<Partial<Record<FrameworkName, IncludeForm>>> = {
  mintlify: mintlifyIncludes,
  vitepress: vitepressIncludes,
  mkdocs: mkdocsIncludes,
  hugo: hugoIncludes,
  jekyll: jekyllIncludes,
  mdbook: mdbookIncludes,
  gitbook: gitbookIncludes,
  sphinx: mystIncludes,
  myst: mystIncludes,
}
