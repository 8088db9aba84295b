import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

interface Asset {
  type: string
  content: string | Buffer<ArrayBuffer>
  hash: string
}

/**
 * The files of this folder that browsers load. A page names those that it needs besides the common ones, and scripts
 * import each other as `./name.js`.
 */
const names = [
  'add-project.js',
  'address.js',
  'assistant.css',
  'comments.css',
  'comments.js',
  'components.css',
  'compose.js',
  'copy.js',
  'dashboard.css',
  'docs.css',
  'docs.js',
  'drafts.js',
  'elapsed.js',
  'fetch-page.js',
  'forms.js',
  'icon.svg',
  'idiomorph.js',
  'inter-400.woff2',
  'inter-500.woff2',
  'inter-600.woff2',
  'jobs.css',
  'live.css',
  'live.js',
  'manage.css',
  'morph-page.js',
  'palette.css',
  'palette.js',
  'people.css',
  'people.js',
  'playground.js',
  'problems.js',
  'review.css',
  'review.js',
  'widget.css',
] as const

export type AssetName = (typeof names)[number]

/** Style sheets that are written in parts, in this order, each in the folder of its name. A page loads them as one. */
const parts: Partial<Record<AssetName, readonly string[]>> = {
  'assistant.css': ['numbers', 'filters', 'gaps', 'conversations', 'playground', 'charts'],
  'dashboard.css': [
    'fonts',
    'tokens',
    'text',
    'frame',
    'parts',
    'forms',
    'toolbars',
    'tables',
    'figures',
    'changes',
    'prose',
    'code',
    'reference',
  ],
  'manage.css': ['settings', 'meters', 'problems', 'server', 'find', 'first-steps', 'projects', 'next-up'],
  'review.css': ['frame', 'files', 'source', 'pages', 'marks'],
}

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  woff2: 'font/woff2',
} as const
/** How a file of a kind names another one. */
const namers = {
  css: /(?<=url\(')\.\/([\w.-]+)(?='\))/g,
  js: /(?<=^import [^'\n]*')\.\/([\w.-]+)(?=')/gm,
  svg: undefined,
} as const
/** Those that come from a package. */
const packaged: Partial<Record<AssetName, string>> = {
  'idiomorph.js': import.meta.resolve('idiomorph/dist/idiomorph.esm.js'),
}

const known = new Map<string, Asset>()
for (const name of names) assetOf(name)

export const assets: ReadonlyMap<string, Asset> = known

/** With a hash of the content, so that browsers may keep it for ever. */
export function assetUrl(name: AssetName): string {
  return `/assets/${hashed(name, assetOf(name))}`
}

function assetOf(name: AssetName): Asset {
  const asset = known.get(name) ?? read(name)
  known.set(name, asset)
  return asset
}

function hashed(name: AssetName, { hash }: Asset): string {
  return `${name}?v=${hash}`
}

function read(name: AssetName): Asset {
  const extension = extensionOf(name)
  const content =
    extension === 'woff2' ? bytesOf(name) : withHashes(bytesOf(name).toString(), namers[extension])
  return {
    type: types[extension],
    content,
    hash: createHash('sha256').update(content).digest('hex').slice(0, 12),
  }
}

function bytesOf(name: AssetName): Buffer<ArrayBuffer> {
  return Buffer.concat(filesOf(name).map((file) => readFileSync(file)))
}

function filesOf(name: AssetName): URL[] {
  const source = packaged[name]
  if (source !== undefined) return [new URL(source)]
  const paths = name.endsWith('.woff2')
    ? [`fonts/${name}`]
    : (parts[name]?.map((part) => `${name.slice(0, -'.css'.length)}/${part}.css`) ?? [name])
  return paths.map((path) => new URL(path, import.meta.url))
}

/** Gives what a file names the addresses with hashes too, so that a browser never joins files of two versions. */
function withHashes(text: string, namer: RegExp | undefined): string {
  if (namer === undefined) return text
  return text.replaceAll(namer, (written, name: string) => {
    const imported = names.find((known) => known === name)
    return imported === undefined ? written : `./${hashed(imported, assetOf(imported))}`
  })
}

function extensionOf(name: AssetName): keyof typeof types {
  const extension = name.slice(name.lastIndexOf('.') + 1)
  if (!isKnownType(extension)) throw new Error(`No type is known of ${name}`)
  return extension
}

function isKnownType(extension: string): extension is keyof typeof types {
  return extension in types
}
