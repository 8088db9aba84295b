import type { ShippedParts } from '../pages/shipped-parts.ts'
import type { FrameworkName } from '../site.ts'
import { antoraShipped } from './antora/shipped.ts'
import { docusaurusShipped } from './docusaurus/shipped.ts'
import { gitbookShipped } from './gitbook/shipped.ts'
import { hugoShipped } from './hugo/shipped.ts'
import { jekyllShipped } from './jekyll/shipped.ts'
import { mdbookShipped } from './mdbook/shipped.ts'
import { mintlifyShipped } from './mintlify/shipped.ts'
import { mkdocsShipped } from './mkdocs/shipped.ts'
import { mystShipped } from './myst/shipped.ts'
import { nuxtShipped } from './nuxt/shipped.ts'
import { sphinxShipped } from './sphinx/shipped.ts'
import { starlightShipped } from './starlight/shipped.ts'
import { vitepressShipped } from './vitepress/shipped.ts'

const shipped: Readonly<Record<Exclude<FrameworkName, 'markdown'>, ShippedParts>> = {
  mintlify: mintlifyShipped,
  docusaurus: docusaurusShipped,
  vitepress: vitepressShipped,
  starlight: starlightShipped,
  mkdocs: mkdocsShipped,
  hugo: hugoShipped,
  jekyll: jekyllShipped,
  gitbook: gitbookShipped,
  nuxt: nuxtShipped,
  mdbook: mdbookShipped,
  sphinx: sphinxShipped,
  myst: mystShipped,
  antora: antoraShipped,
}

/** What pages of a framework may use because it brings it. Without a framework the pages may be anyone's. */
export function shippedParts(framework: FrameworkName): readonly ShippedParts[] {
  return framework === 'markdown' ? Object.values(shipped) : [shipped[framework]]
}
