import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

interface Asset {
  type: string
  content: string
  hash: string
}

/** The files of this folder that browsers load. A page names those that it needs besides the common ones. */
const names = [
  'add-project.js',
  'assistant.css',
  'components.css',
  'dashboard.css',
  'dashboard.js',
  'docs.css',
  'icon.svg',
  'manage.css',
  'palette.css',
  'palette.js',
  'playground.js',
  'review.css',
  'review.js',
  'widget.css',
] as const

export type AssetName = (typeof names)[number]

const types = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' } as const

export const assets: ReadonlyMap<string, Asset> = new Map(names.map((name) => [name, read(name)]))

/** With a hash of the content, so that browsers may keep it for ever. */
export function assetUrl(name: AssetName): string {
  return `/assets/${name}?v=${assets.get(name)?.hash ?? ''}`
}

function read(name: AssetName): Asset {
  const type = types[extensionOf(name)]
  const content = readFileSync(new URL(name, import.meta.url), 'utf8')
  return {
    type: `${type}; charset=utf-8`,
    content,
    hash: createHash('sha256').update(content).digest('hex').slice(0, 12),
  }
}

function extensionOf(name: AssetName): keyof typeof types {
  return name.endsWith('.css') ? 'css' : name.endsWith('.js') ? 'js' : 'svg'
}
